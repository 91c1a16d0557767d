"""The judge: reads submissions, runs them isolated, decides, reports and remembers."""
