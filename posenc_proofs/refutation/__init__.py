"""Points at which a statement fails, and wrong versions of a row that must fail at one."""
