"""What students must not see before they tried. Also the engine: figures and checks run these functions."""
