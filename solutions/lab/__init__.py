"""The lab: how fast a batch is verified, by several ways to do it, and whether each is right. Runs in a process of
its own; `choice` is the only module here that a page imports."""
