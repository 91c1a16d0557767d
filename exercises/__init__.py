"""What students fill in. Content only: nothing here knows an answer, and all of it may be handed out."""
