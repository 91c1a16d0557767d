"""The instructor's page: behind a password, uploads in, the same files as `python -m grader grade` writes out."""
from grader.instructor.page import render

__all__ = ["render"]
