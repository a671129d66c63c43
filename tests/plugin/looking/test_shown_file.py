"""What may stand as the value of a cell in a file of examples, and in what is typed on the sheets."""

from __future__ import annotations

import pytest
from vassal_umpire.model.provenance import Layer
from vassal_umpire.plugin.looking.shown_file import value_fault


@pytest.mark.parametrize(
    ("layer", "value", "says"),
    [
        ("terrain", "woods", ""),
        ("terrain", "woods+hill", ""),
        ("terrain", "none", "expected names joined by"),
        ("terrain", "woods+?", "expected names joined by"),
        ("hexsides", "none", ""),
        ("hexsides", "river+none", "expected names joined by"),
        ("lines", "", "expected a name"),
        ("lines", "ro\nad", "expected a name"),
    ],
)
def test_a_value_is_names_of_what_is_there(layer: Layer, value: str, says: str) -> None:
    fault = value_fault(layer, value)
    assert fault.startswith(says)
    assert bool(fault) is bool(says)
