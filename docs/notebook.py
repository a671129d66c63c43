"""Runs the notebook and writes what it printed and drew into it: ``python docs/notebook.py``.

With a path as argument the outcome is written there instead, and the notebook stays as it is. It runs in a
process of its own, in this folder, as it does for its readers.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

NOTEBOOK = Path(__file__).resolve().parent / "analysts.ipynb"
COLOURS = 32


def run() -> nbformat.NotebookNode:
    """The notebook with its outputs made anew; fails where one of its cells fails."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    client.execute()
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            if "data" in output:
                output.data, output.metadata = kept(output.data), {}
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    return notebook


def kept(data: dict[str, Any]) -> dict[str, Any]:
    """The forms of an output that are kept: a picture alone, in few colours, or a table and its text."""
    if "image/png" not in data:
        return {kind: data[kind] for kind in ("text/html", "text/plain") if kind in data}
    picture, out = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))), io.BytesIO()
    picture.convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    return {"image/png": base64.b64encode(out.getvalue()).decode()}


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else NOTEBOOK
    nbformat.write(run(), target)
