"""What follows from a piece's own traits alone is worked out once: it must be what the long way says."""

from __future__ import annotations

from itertools import product

import pytest
from vassal_umpire.importers.vassal.engine_kept import EngineKept
from vassal_umpire.importers.vassal.own_traits import own_properties
from vassal_umpire.importers.vassal.properties import PieceView
from vassal_umpire.importers.vassal.property_source import PropertySource
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.table_forms import FormIndex, cut_state, join_nested
from vassal_umpire.importers.vassal.table_maps import Layouts
from vassal_umpire.model.table import Spot

LAYER = "emb2;" + ";" * 14 + ";a.png,b.png;Fresh,+ (worn);;Status;;;false;;1"
FOLLOWING = "emb2;" + ";" * 14 + ";a.png,b.png;Fresh,+ (worn);;Status;;;true;Strength;1"
TRAITS = {
    "marker": ("mark;Class,MP", "foot,4"),
    "marker that names it": ("mark;BasicName", "Guards"),
    "dynamic": ("PROP;Strength;true,0,9,false;", "2"),
    "layer": (LAYER, "2"),
    "layer that follows": (FOLLOWING, "1"),
    "label": ("label;;;;;;;;;;;;;;;;Note", "$Strength$"),
    "calculated": ("calcProp;MP2;{Strength + 1}", ""),
    "trail": ("footprint;;", ""),
    "moved": ("markmoved;", "true"),
    "mat": ("mat;Tray", "0"),
    "cargo": ("matPiece;", "77"),
    "hidden": ("hide;;Hide;;", "null"),
    "immobilized": ("immob;;N;L", ""),
    "another name": ("basicName;Second", ""),
    "unknown to us": ("module-own;x", "y"),
}


def view_of(*names: str) -> PieceView:
    """A piece of these traits, outermost first."""
    parts = [TRAITS[name] for name in names]
    forms = FormIndex()
    text = join_nested([*(one for one, _ in parts), "piece;;;image.png;First Foot"])
    state = join_nested([*(one for _, one in parts), "null;0;0;12;0"])
    traits, base = cut_state(state, len(parts))
    source = PropertySource(forms, Layouts(None, {}), Roster(), EngineKept(None))
    return PieceView(source, "77", text, traits, base or "", Spot(None, 0, 0), None, {})


@pytest.mark.parametrize("names", [*product(TRAITS, repeat=1), *product(TRAITS, repeat=2)])
def test_the_short_way_says_what_the_long_way_says(names: tuple[str, ...]) -> None:
    view = view_of(*names)
    own = own_properties(view.form, view._traits)
    long_way = {
        key: value
        for key in view._offering()
        if key and view.knows(key) and (value := view.lookup(key, 40)) is not None
    }
    assert dict(view.properties) == long_way
    assert own is None or dict(own) == long_way
    assert view.basic_name == (view.lookup("BasicName", 40) or "")


def test_what_looks_around_is_not_kept_and_the_rest_is() -> None:
    kept = {
        name
        for name in TRAITS
        if own_properties(view_of(name).form, view_of(name)._traits) is not None
    }
    assert kept == set(TRAITS) - {
        "layer that follows", "label", "calculated", "trail", "mat", "cargo",
    }  # fmt: skip
