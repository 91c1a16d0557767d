"""What students read, see and use."""
