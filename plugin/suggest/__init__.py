"""Suggests what is printed on a map picture from a few examples; needs the extra ``[studio]`` (numpy)."""
