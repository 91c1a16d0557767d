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
class Step:
    """One step: its name, what it shows in a sentence, the same for who can't see it, and its drawings.

    columns: SVG texts. Columns stand side by side where the page is wide enough, below each other on a phone. What has
    data-step="3" in a drawing leads to step 3 (from 0) when it is clicked, and is marked while that step is shown.
    links: (text, address) of what to read on.
    """

    title: str
    sentence: str
    alt: str
    columns: tuple[tuple[str, ...], ...]
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Stepper:
    """`run` names the draw: while it stays the same, a reader keeps their place. `start` is the first step shown.

    menu: the label of a menu of all steps, or "" for none.
    """

    steps: tuple[Step, ...]
    run: str
    start: int = 0
    menu: str = ""

    def as_data(self, labels: dict[str, str]) -> dict[str, object]:
        """What the browser gets. `labels`: back, next, last, region, and position with {step} and {steps}."""
        drawings = list(dict.fromkeys(svg for step in self.steps for column in step.columns for svg in column))
        steps = [
            {
                "title": step.title,
                "position": labels["position"].format(step=number, steps=len(self.steps)),
                "sentence": step.sentence,
                "alt": step.alt,
                "columns": [[drawings.index(svg) for svg in column] for column in step.columns],
                "links": [list(link) for link in step.links],
            }
            for number, step in enumerate(self.steps, start=1)
        ]
        start = min(self.start, len(self.steps) - 1)
        # A drawing that several steps share is sent once.
        shown = {"steps": steps, "drawings": drawings, "labels": labels, "menu": self.menu}
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
