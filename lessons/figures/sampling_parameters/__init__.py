"""Sampling parameters on target and draft: what verification is handed, and which law comes out."""
