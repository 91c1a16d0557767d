"""The part that runs inside the isolated process. Standard library only, no other part of the project.

The folder is bound into the sandbox as it is. The judge's side imports `codec` and `frames` from here as well; the
copy inside the sandbox stops being trusted as soon as student code has run.
"""
