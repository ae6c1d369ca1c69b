"""Tools to study an encoding with: scores, the mean kernel, bounds on the base, measures of error."""
