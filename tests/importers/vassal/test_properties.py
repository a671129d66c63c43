"""What a piece says of itself, trait by trait, and who may know it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.nesting import join_nested
from vassal_umpire.importers.vassal.own_traits import own_properties
from vassal_umpire.importers.vassal.properties import PieceView
from vassal_umpire.importers.vassal.property_source import EngineKept, PropertySource
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.table_forms import FormIndex, cut_state
from vassal_umpire.importers.vassal.table_maps import Layouts
from vassal_umpire.importers.vassal.trait_values import Answer, plain_values
from vassal_umpire.model.table import Concealment, Spot

PLAIN = Module("M", "1", "3.7", "", "m.vmod", "", "buildFile.xml")
SECRET = "correct horse"
LAYER = "emb2;;2;;;2;;;2;;;;1;false;0;0;a.png,b.png,c.png;,+ reduced,Ruin;true;Step;;;{};{};{};1;true;;;"


class Ground:
    """One map with a zone; another that is Red's own."""

    def location(self, map_name: str, x: int, y: int) -> str:
        return f"{x:02}{y:02}"

    def zone(self, map_name: str, x: int, y: int) -> str:
        return "North" if map_name == "Map" and y < 50 else ""

    def board(self, map_name: str, x: int, y: int) -> str:
        return "Board"

    def are_laid(self, map_name: str) -> bool:
        return True

    def owners(self, map_name: str) -> frozenset[str] | None:
        return frozenset({"Red"}) if map_name == "Red hand" else None


def view(
    traits: Mapping[str, str],
    *,
    name: str = "Tank",
    base: str = "Map;5;7;42;1;UniqueID;77",
    spot: Spot = Spot("Map", 5, 7),  # noqa: B008  a frozen value
    deck: str | None = None,
    values: Mapping[tuple[str, str], str] | None = None,
    prototypes: Mapping[str, str] | None = None,
    roster: Roster | None = None,
) -> PieceView:
    """A piece of these traits (type → state, outermost first)."""
    forms = FormIndex(prototypes)
    state = join_nested([*traits.values(), base])
    form = forms.of(join_nested([*traits, f"piece;;;a.png;{name}"]))
    outer, inner = cut_state(state, form.depth)
    source = PropertySource(forms, Ground(), roster or Roster(), EngineKept(PLAIN))
    return PieceView(source, "77", form, outer, inner or "", spot, deck, values or {})


def layer(follow: str = "false", prop: str = "", first: str = "1") -> str:
    return LAYER.format(follow, prop, first)


LABELLED = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text"
SHEETS = {
    "propertysheet;0Name~13Steps~2;;;0": "x",
    "propertysheet;0Leader~3Steps;;;0": "Ney~2/4",
    "basicName;Old Guard": "",
    "locmsg;Motto;;Forward": "",
}
CALCULATED = {"calcProp;Cost;{MA * 2}": "", "calcProp;Same;{MA}": "", "PROP;MA;;": "4"}


@pytest.mark.parametrize(
    ("traits", "called", "told"),
    [
        ({"mark;Side,MA,Note": "Red,a\\,b"}, "Tank", {"Side": "Red", "MA": "a,b", "Note": ""}),
        ({"mark;MA": "3", "PROP;MA;true,0,9,false;": "5"}, "Tank", {"MA": "3"}),  # the outer
        (
            {"emb;F;Flip;;;;;0;0;a.png,;b.png,+ back": "2"},
            "Tank back",
            {"_Level": "2"},
        ),  # the oldest
        (SHEETS, "Old Guard", {"Leader": "Ney", "Steps": "2", "Motto": "Forward"}),
        (CALCULATED, "Tank", {"Cost": None, "Same": "4"}),  # not guessed
        ({"calcProp;A;{B}": "", "calcProp;B;{A}": ""}, "Tank", {"A": None}),  # asks for itself
        ({LABELLED: " broken "}, "Tank (broken)", {"Text": "broken"}),
        ({LABELLED: ""}, "Tank", {}),
        ({LABELLED: "$MA$ left", "PROP;MA;;": "3"}, "Tank (3 left)", {}),
    ],
)
def test_what_a_piece_of_such_traits_tells(
    traits: dict[str, str], called: str, told: dict[str, str | None]
) -> None:
    piece = view(traits)
    assert piece.name == called
    assert {key: piece.property(key) for key in told} == told
    known = {key: value for key, value in told.items() if value is not None}
    assert known.items() <= dict(piece.properties).items()
    assert not piece.properties.keys() & (told.keys() - known.keys())
    assert {key for key in told if piece.knows(key)} == known.keys()


def test_what_is_calculated_is_not_known_and_what_nobody_names_is() -> None:
    piece = view({LABELLED: "{MA + 1}", "PROP;MA;;": "3"})
    assert (piece.property("Text"), piece.name, piece.knows_name()) == (None, "Tank", False)
    assert piece.knows("nothing of this name")
    assert view(SHEETS).basic_name == "Old Guard"


@pytest.mark.parametrize(
    ("state", "level", "name", "shown"),
    [
        ("1", "1", "", "Tank"), ("2", "2", " reduced", "Tank reduced"), ("3", "3", "Ruin", "Ruin"),
        ("-2", "-2", "", "Tank"), ("9", "3", "Ruin", "Ruin"), ("x", "-1", "", "Tank"),
        ("2;FF", "2", " reduced", "Tank reduced"),
    ],
)  # fmt: skip
def test_layers(state: str, level: str, name: str, shown: str) -> None:
    piece = view({layer(): state})
    assert piece.property("Step_Level") == level
    assert piece.property("Step_Name") == name
    assert piece.property("Step_Active") == ("true" if int(level) > 0 else "false")
    assert piece.name == shown


@pytest.mark.parametrize(
    ("value", "level"), [("2", "1"), ("3", "2"), ("99", "3"), ("-5", "1"), ("", "1"), ("x", "3")]
)
def test_a_layer_that_follows_a_property(value: str, level: str) -> None:
    """The stored level (3) counts only where the property is not a number."""
    piece = view({layer("true", "Losses", "2"): "3", "PROP;Losses;;": value})
    assert piece.property("Step_Level") == level


def test_a_layer_that_follows_an_expression_is_not_known() -> None:
    piece = view({layer("true", "{Losses * 2}", "1"): "2", "PROP;Losses;;": "1"})
    assert piece.property("Step_Level") is None
    assert not piece.knows("Step_Level")
    assert piece.property("Step_Active") == "true"
    assert not piece.knows_name()
    assert view({layer("true", "{Losses}", "1"): "1", "PROP;Losses;;": "2"}).name == "Tank reduced"


@pytest.mark.parametrize(
    ("type_text", "state", "facing", "degrees"),
    [
        ("rotate;6;93,130;91,130;CW;CCW;;;Rot;", "0", "1", "0"),
        ("rotate;6;93,130;91,130;CW;CCW;;;Rot;", "5", "6", "300"),
        ("rotate;6;93,130;91,130;CW;CCW;;;Rot;", "9", "6", "300"),
        ("rotate;1;93,130;Turn;;;Rot;", "-359.7", "1", "0"),
        ("rotate;1;93,130;Turn;;;Rot;", "-45.5", "1", "46"),
    ],
)
def test_facing(type_text: str, state: str, facing: str, degrees: str) -> None:
    piece = view({type_text: state})
    assert (piece.property("Rot_Facing"), piece.property("Rot_Degrees")) == (facing, degrees)


def test_lookup_goes_on_to_zone_map_and_module() -> None:
    values = {
        ("Module", "Weather"): "Clear", ("Map", "Weather"): "Mud", ("Map:North", "Weather"): "Snow",
        ("Module", "Turn"): "3", ("", "Old"): "yes",
    }  # fmt: skip
    in_zone = view({}, values=values)
    south = view({}, values=values, spot=Spot("Map", 5, 70))
    nowhere = view({}, values=values, spot=Spot(None, 0, 0))
    assert [p.property("Weather") for p in (in_zone, south, nowhere)] == ["Snow", "Mud", "Clear"]
    assert in_zone.property("Turn") == "3"
    assert in_zone.property("Old") == "yes"
    assert in_zone.property("Deck_numPieces") is None
    assert not in_zone.knows("PlayerSide")


def test_what_the_basic_piece_tells() -> None:
    piece = view({}, deck="Events")
    told = {key: piece.property(key) for key in (
        "BasicName", "PieceName", "LocationName", "CurrentMap", "CurrentBoard", "CurrentZone",
        "CurrentX", "CurrentY", "DeckName", "PieceUID", "UniqueID", "PieceId",
    )}  # fmt: skip
    assert list(told.values()) == [
        "Tank", "Tank", "0507", "Map", "Board", "North", "5", "7", "Events", "77", "77", "42",
    ]  # fmt: skip
    assert (piece.gpid, piece.image) == ("42", "a.png")


def test_a_prototype_in_a_save_stands_for_its_traits() -> None:
    prototypes = {
        "Unit": "+/null/mark;MA\tprototype;Inner\\\tpiece;;;;/4\t\\\tnull;0;0;",
        "Inner": "+/null/mark;$what$\tpiece;;;;/deep\tnull;0;0;",
    }
    piece = view({"prototype;Unit;": "", "mark;Side": "Red"}, prototypes=prototypes)
    assert piece.property("MA") == "4"
    assert piece.property("Side") == "Red"
    filled = view({"prototype;Inner;what=Depth": ""}, prototypes=prototypes)
    assert filled.property("Depth") == "deep"
    assert view(
        {"prototype;Loop;": ""}, prototypes={"Loop": "+/null/prototype;Loop\tpiece;;;;/\t"}
    ).name


def test_hidden_from_all_but_the_owner() -> None:
    roster = Roster()
    roster.sit("someone", "Ann", "Blue")
    roster.sit(SECRET, "Joe", "Red")
    piece = view({"hide;73,130;Hide;;player:": SECRET}, roster=roster)
    assert piece.name == ""
    assert piece.name_for(["Red"]) == "Tank(Hide)"
    assert piece.name_for(["Blue"]) == ""
    assert piece.concealments == (Concealment("hidden", frozenset({"player 2", "Red"})),)
    assert piece.property("Invisible") == "true"
    told = [repr(piece), repr(piece.concealments), repr(dict(piece.properties)), piece.name]
    assert not any(SECRET in text for text in told)


@pytest.mark.parametrize(
    ("access", "owner", "viewers", "name"),
    [
        ("side:", "Red", ["Red"], "Tank(?unit)"), ("side:", "Red", ["Blue"], "?unit"),
        ("sides:Red:Green", "Red", ["Green"], "Tank(?unit)"),
        ("sides:Red:Green", "Blue", ["Blue"], "?unit"),
        ("player:", "", ["Red"], "?unit"),
    ],
)  # fmt: skip
def test_masks_by_side(access: str, owner: str, viewers: list[str], name: str) -> None:
    piece = view({f"obs;79,130;m.png;Mask;I;?unit;{access}": f"{owner};|0", "mark;MA": "3"})
    assert piece.name == "?unit"
    assert piece.name_for(viewers) == name
    assert piece.basic_name == "Tank"
    assert piece.property("MA") == "3"  # properties are not masked
    assert [c.kind for c in piece.concealments] == ["masked"]


def test_decks_and_private_maps_conceal() -> None:
    piece = view({}, deck="Events", spot=Spot("Red hand", 1, 1))
    assert piece.concealments == (
        Concealment("deck"), Concealment("private", frozenset({"Red"})),
    )  # fmt: skip


def test_equality_is_of_all_there_is_to_know() -> None:
    one = view({"mark;MA": "3"})
    assert one == view({"mark;MA": "3"})
    assert one != view({"mark;MA": "4"})
    assert one != view({"mark;MA": "3"}, spot=Spot("Map", 6, 7))
    assert one == view({"mark;MA": "3"}, base="Map;9;9;42;1;UniqueID;77")
    assert one != view({"mark;MA": "3"}, base="Map;5;7;43;1;UniqueID;77")


PREFIXES = [
    "mark;", "PROP;", "rotate;", "markmoved;", "hide;", "obs;", "propertysheet;", "basicName;",
    "mat;", "matPiece;", "locmsg;", "AreaOfEffect;", "immob;", "attach;", "macro;", "restrict;",
]  # fmt: skip


@given(st.sampled_from(PREFIXES), st.text("a1;,~/|\\'-.:x", max_size=30), st.text("1;,~/|-.nul"))
def test_any_trait_can_be_asked(prefix: str, rest: str, state: str) -> None:
    for key, value in plain_values(prefix, prefix + rest, state).items():
        assert isinstance(key, str)
        assert isinstance(value, str | Answer)


@given(
    st.lists(st.text("ab\\;'/\t", max_size=6), min_size=1, max_size=5),
    st.text("Map;123'\\", max_size=9),
)
def test_a_state_is_cut_as_it_was_put_together(parts: list[str], base: str) -> None:
    if any(part.endswith("\\") for part in parts):
        return  # the codec itself cannot give these back
    traits, cut = cut_state(join_nested([*parts, base]), len(parts))
    assert cut == base or "'" in base or "\\" in base
    forms = FormIndex()
    form = forms.of(join_nested(["x;"] * len(parts) + ["piece;"]))
    assert forms.parts(form, traits) == parts


# -- What follows from a piece's own traits alone is worked out once: it must be what the long way says --

WORN = "emb2;" + ";" * 14 + ";a.png,b.png;Fresh,+ (worn);;Status;;;false;;1"
FOLLOWING = "emb2;" + ";" * 14 + ";a.png,b.png;Fresh,+ (worn);;Status;;;true;Strength;1"
TRAITS = {
    "marker": ("mark;Class,MP", "foot,4"),
    "marker that names it": ("mark;BasicName", "Guards"),
    "dynamic": ("PROP;Strength;true,0,9,false;", "2"),
    "layer": (WORN, "2"),
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
    return PieceView(source, "77", forms.of(text), traits, base or "", Spot(None, 0, 0), None, {})


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
