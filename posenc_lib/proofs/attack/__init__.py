"""Where a statement fails: counterexamples, and the wrong versions that a check must not accept."""
