"""What the judge writes: Gradescope results, the gradebook, feedback pages. A file is whole or absent."""
