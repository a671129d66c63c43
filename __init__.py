"""vassal-umpire: audits games played in VASSAL."""

__version__ = "0.1.0"
