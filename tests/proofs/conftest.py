"""Its folder is on the path of the tests in every room: they import ``tables``."""
