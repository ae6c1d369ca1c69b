"""How what was checked is printed, so that it can be read in one way only."""
