"""Makes everything in lessons/models from Debian's dict-jargon: `python -m lessons.models.making jargon.dict.dz`."""
from __future__ import annotations

import argparse
import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons.models.making.clean import clean
from lessons.models.making.trace import trace
from lessons.models.making.train import STEPS, train
from lessons.models.target import WEIGHTS
from lessons.models.text import TEXT, split
from lessons.models.traces import TRACES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packed", type=Path, help="jargon.dict.dz of dict-jargon 4.4.7-3.1")
    parser.add_argument("--steps", type=int, default=STEPS, help="of training; 0 keeps the weights there are")
    arguments = parser.parse_args()
    TEXT.write_bytes(gzip.compress(clean(arguments.packed).encode("ascii"), mtime=0))
    if arguments.steps:
        _save(WEIGHTS, train(*split(), steps=arguments.steps))
    _save(TRACES, trace(split()[1]))


def _save(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    np.savez_compressed(path, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
