"""A real target and real drafts that run offline: characters, n-gram drafts, a small transformer (README.md).

`play.play` plays rounds of the pair; `traces.measured` says what it does on average for every draft order, temperature
and K.
"""
