"""Stands in for lxml where it cannot be had compiled for Pyodide; for tests alone (see :mod:`web_kit`)."""
