"""A result, compared number by number."""


def leaves(value, at=""):
    """All numbers that a result holds, by the way to each, at whose end words stand."""
    if not isinstance(value, dict | list):
        return {at: value} if isinstance(value, int | float) else {f"{at} > {value}": 0}
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    return {way: leaf for name, part in parts for way, leaf in leaves(part, f"{at} > {name}").items()}
