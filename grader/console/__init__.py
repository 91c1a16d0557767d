"""What the commands of `python -m grader` print on a terminal."""
