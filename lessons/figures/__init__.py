"""One package a figure: a pure builder, then its controls."""
