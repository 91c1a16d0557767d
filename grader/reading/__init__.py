"""Reading what people hand in: bytes to cells, folders to learners, cells to the answer. Student code is never run."""
