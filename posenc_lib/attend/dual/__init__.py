"""Dual chunk attention: a query has three positions, and none is beyond a trained one."""
