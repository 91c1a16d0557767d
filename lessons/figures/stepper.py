"""A figure that is read step by step: drawings and sentences, rendered here, turned over in the browser."""
from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.language import Words
from lessons.figures.palette import css_variables

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Chip:
    """A token that a reader may choose, to see its numbers: `told` in a sentence, and as an SVG text.

    label, word: what the chip shows, such as “␣” and “✓ accepted”. said: the label for who hears it, “the space”.
    kind: accepted, rejected, resampled, bonus, unreached or proposed; it chooses the chip's outline.
    """

    label: str
    said: str
    word: str
    kind: str
    told: str
    drawing: str


@dataclass(frozen=True)
class Step:
    """One step: its name, what it shows in a sentence, the same for who can't see it, and its drawings.

    columns: SVG texts. Columns stand side by side where the page is wide enough, below each other on a phone. What has
    data-step="3" in a drawing leads to step 3 (from 0) when it is clicked, and is marked while that step is shown.
    links: (text, address) of what to read on.
    chips: buttons beside the drawings, of which number `chosen` is pressed when the step comes.
    """

    title: str
    sentence: str
    alt: str
    columns: tuple[tuple[str, ...], ...]
    links: tuple[tuple[str, str], ...] = ()
    chips: tuple[Chip, ...] = ()
    chosen: int = 0


@dataclass(frozen=True)
class Stepper:
    """`run` names the draw: while it stays the same, a reader keeps their place. `start` is the first step shown.

    menu: the label of a menu of all steps, or "" for none.
    leaps: the steps at which a round begins, for a button that leaps to the next one; without any there is none.
    """

    steps: tuple[Step, ...]
    run: str
    start: int = 0
    menu: str = ""
    leaps: tuple[int, ...] = ()

    def as_data(self, labels: dict[str, str]) -> dict[str, object]:
        """What the browser gets. `labels`: back, next, leap, last, region, chips, and position with {step} and {steps}.

        A drawing or a chip that several steps share is sent once; `columns` and `chips` are their numbers.
        """
        chips = list(dict.fromkeys(chip for step in self.steps for chip in step.chips))
        in_columns = [svg for step in self.steps for column in step.columns for svg in column]
        drawings = list(dict.fromkeys([*in_columns, *(chip.drawing for chip in chips)]))
        steps = [
            {
                "title": step.title,
                "position": labels["position"].format(step=number, steps=len(self.steps)),
                "sentence": step.sentence,
                "alt": step.alt,
                "columns": [[drawings.index(svg) for svg in column] for column in step.columns],
                "links": [list(link) for link in step.links],
                "chips": [chips.index(chip) for chip in step.chips],
                "chosen": step.chosen,
            }
            for number, step in enumerate(self.steps, start=1)
        ]
        start = min(self.start, len(self.steps) - 1)
        sent = [vars(chip) | {"drawing": drawings.index(chip.drawing)} for chip in chips]
        shown = {"steps": steps, "drawings": drawings, "chips": sent, "labels": labels}
        shown |= {"menu": self.menu, "leaps": list(self.leaps)}
        return shown | {"run": self.run, "start": start, "colours": css_variables()}


def rendered(folder: Path, template: str, words: Words, /, **values: object) -> str:
    """A figure's drawing as SVG, from `template`.svg.jinja in its folder; `values` are what the template uses."""
    text = drawings(folder).get_template(f"{template}.svg.jinja").render(**values, words=words)
    return "".join(line for line in text.splitlines() if line)


@functools.cache
def drawings(folder: Path) -> Environment:
    """The SVG templates of one figure's folder; whatever is put into them is escaped."""
    return Environment(
        loader=FileSystemLoader([folder, HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
