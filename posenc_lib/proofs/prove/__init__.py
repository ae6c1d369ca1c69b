"""When two expressions are one: the normal form, and consequences by exact algebra."""
