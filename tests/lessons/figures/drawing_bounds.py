"""Whether what a step draws stays within its drawings."""
from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from lessons.figures.stepper import Step

SLACK = 0.6  # units, less than a pixel: positions are rounded


def assert_inside(step: Step) -> None:
    """Nothing is cut off: every box, circle and beginning of a text lies within its drawing, which is valid XML."""
    in_columns = (svg for column in step.columns for svg in column)
    for svg in (*in_columns, *(chip.drawing for chip in step.chips)):
        drawn = ElementTree.fromstring(svg)
        _, _, width, height = (float(part) for part in drawn.attrib["viewBox"].split())
        for left, top, right, bottom in _extents(drawn):
            assert 0 <= left <= right <= width + SLACK and 0 <= top <= bottom <= height + SLACK, svg


def _extents(drawn: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """(left, top, right, bottom) of each shape; the rectangle within a pattern has no place."""
    found = []
    for tag in ("rect", "circle", "text"):
        for shape in drawn.iter(tag):
            x, y, width, height = (float(shape.get(name, 0)) for name in ("x", "y", "width", "height"))
            if tag == "circle":
                x, y = float(shape.attrib["cx"]), float(shape.attrib["cy"])
            found.append((x, y, x + width, y + height))
    return found
