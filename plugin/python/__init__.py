"""The Python interface: what ``import vassal_umpire`` offers (docs/python.md)."""
