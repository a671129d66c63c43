"""Pieces and traits: type and state to fields and back."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.importers.vassal import nesting
from vassal_umpire.importers.vassal.nesting import split_state
from vassal_umpire.importers.vassal.pieces import (
    BasicPiece,
    Deck,
    GamePiece,
    Stack,
    decode_piece,
    encode_piece,
)
from vassal_umpire.importers.vassal.sequence import split
from vassal_umpire.importers.vassal.traits import catalogue as traits
from vassal_umpire.importers.vassal.traits.catalogue import (
    LAYOUTS,
    UnknownTrait,
    decode_trait,
    encode_trait_state,
    encode_trait_type,
)

SECRET = "open-sesame"

# (own type, own state, some fields): every trait of the catalogue, old and new forms.
TRAITS = [
    ("mark;Side,A\\,B", "Red,x\\,y", {"names": ("Side", "A,B"), "values": ("Red", "x,y")}),
    ("mark;Side", "", {"names": ("Side",), "values": ()}),
    ("PROP;MA;true,0,9,false;;moves", "6", {"name": "MA", "value": "6", "description": "moves"}),
    ("PROP;MA;true,0,9,false;", "a;b", {"value": "a;b", "description": ""}),
    (
        "emb2;;2;;;2;;;2;;;;1;false;0;-3;a.png,b.png;,- reduced;true;Strength;;;false;;1;2;true"
        ";;;;;1.0;;",
        "-2",
        {
            "name": "Strength",
            "level": -2,
            "images": ("a.png", "b.png"),
            "y_offset": -3,
            "level_names": ("", "- reduced"),
            "always_active": True,
            "version": 2,
            "scale": 1.0,
        },
    ),
    ("emb2;Activate;2;F;;2;;;2;;;;;true;0;0;a.png;;false;", "1;F",
     {"draw_underneath": True, "level": 1, "activation": "F", "loop_levels": False}),
    ("emb;F;_Flip;U;up;D;down;1;2;a.png,one;b.png", "2;F",
     {"activate_key": "F", "x_offset": 1, "layers": (("a.png", "one"), ("b.png",)), "level": 2}),
    ("hide;73,130;Hide;0,0,0;player:;0.3;;false", SECRET, {"hidden_by": SECRET}),
    ("hide;I;Hide;", "null", {"hidden_by": "null"}),
    ("obs;79,130;back.png;Mask;P80,130;Red unit;side:;Peek;;false;;", "Red;|0",
     {"display": "P80,130", "mask_name": "Red unit", "obscured_by": "Red", "options": "|0"}),
    ("obs;O;back.png;Mask;B;", "null", {"obscured_by": "null"}),
    ("rotate;6;93,130;91,130;CW;CCW;;;Facing;;;;;false", "2",
     {"angles": 6, "counter_key": "91,130", "counter_text": "CCW", "angle": "2"}),
    ("rotate;1;A;Turn;;;Facing", "-90.0",
     {"angles": 1, "set_text": "Turn", "angle": "-90.0"}),
    ("pivot;Pivot;P;10;20;true;90.0;", "", {"x": 10, "angle": 90.0, "fixed_angle": True}),
    ("markmoved;moved.gif;0;0;Mark;77,130;;true;;;;", "true",
     {"moved": True, "ignore_same_location": True}),
    ("footprint;84,130;Trail;false;true;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;;false",
     "true;Map0;2;1,2;-3,4;true;0",
     {"visible": True, "map_id": "Map0", "points": ("1,2", "-3,4"), "ever_initialized": True,
      "last_points": 0, "globally_visible": True}),
    ("footprint;T;Trail;false;false;10;;;100;50;20;30", "false;;0",
     {"visible": False, "points": (), "ever_initialized": None}),
    ("immob;ig;V", "", {"select": "ig", "move": "V", "stack": "R"}),
    ("immob;;N;L;free; text", "", {"stack": "L", "description": "free; text"}),
    ("restrict;Red,Blue;true;false;", SECRET, {"sides": ("Red", "Blue"), "by_player": True}),
    ("label;76,130;Label;12;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text;;false",
     "3rd Bn", {"label": "3rd Bn", "font_size": 12, "property_name": "Text"}),
    ("basicName;Tank", "", {"name": "Tank"}),
    ("propertysheet;0Name~1Notes;Sheet;;0;;;;80,130;", "A~b|c",
     {"definition": ("0Name", "1Notes"), "values": ("A", "b|c"), "red": ""}),
    ("table;1;2;Table;T;", "x,y", {"rows": 1, "cells": ("x", "y")}),
    ("placemark;Mark;77,130;VASSAL.build.module.PieceWindow:A\\;b;null;0;0;false;;;12;1;true", "",
     {"marker_spec": "VASSAL.build.module.PieceWindow:A;b", "gpid": "12", "above": True}),
    ("replace;Flip;F;null;null;0;0;false", "", {"command": "Flip", "gpid": ""}),
    ("sendto;Dead;68,130;Dead Pile;;0;0;;;0;0;0;0;;L;;;;", "Main Map;10;20",
     {"map": "Dead Pile", "back_map": "Main Map", "back_x": 10, "back_y": 20}),
    ("sendto;Dead;D;Dead Pile;;0;0;;;0;0;0;0", ";;", {"back_map": "", "back_x": ""}),
    ("return;Return;R;Cards;Select;;2;0;", "", {"deck": "Cards", "version": "2"}),
    ("translate;Move;M;10;0;false;0;0;0;0;", "", {"dx": "10", "move_stack": False}),
    ("report;77\\,130,78\\,130;$name$ moves;;A,B;;false", "-1",
     {"cycle": -1, "cycle_formats": ("A", "B")}),
    ("report;M;moves;;", "", {"cycle": ""}),
    ("macro;T;;65,130;{X==1};66\\,130,67\\,130;68\\,130;false;;;counted;;;;false;;;", "",
     {"watch_keys": ("66,130", "67,130"), "action_keys": ("68,130",), "loop": False}),
    ("globalkey;G;71,130;72,130;;false;1;true;true;;;-1;;false;", "", {"report_single": True}),
    ("globalhotkey;G;71,130;72,130;", "", {"hot_key": "72,130"}),
    ("hideCmd;R;Hide;{X};65\\,130", "", {"keys": ("65,130",)}),
    ("clone;Clone;67,130;", "", {"command": "Clone"}),
    ("delete;Delete;68,130", "", {"key": "68,130"}),
    ("deselect;D;K;;true;D", "", {"unstack": True}),
    ("submenu;More;A,B;", "", {"commands": ("A", "B")}),
    ("menuSeparator;--;", "", {"text": "--"}),
    ("button;B;0;1;2;3;;false;false;1;2;5;6;7;8", "", {"shape": (5, 6, 7, 8), "width": 2}),
    ("playSound;a.wav;Play;P;true;", "", {"send_to_others": True}),
    ("AreaOfEffect;0,0,0;30;2;false;Show;S;;true;;;Area;;;;;true", "true",
     {"radius": 2, "active": True, "name": "Area"}),
    ("nonRect2;1.0;m,0,0,l,1,1,c", "", {"scale": 1.0, "shape": "m,0,0,l,1,1,c"}),
    ("nonRect;m,0,0", "", {"shape": "m,0,0"}),
    ("prototype;Unit;a=1,b=2", "", {"name": "Unit", "parameters": ("a=1", "b=2")}),
    ("mat;Carrier;big", "2;7;8", {"name": "Carrier", "cargo": ("7", "8")}),
    ("mat;Carrier;big", "0", {"cargo": ()}),
    ("matPiece;;true;0;0;;", "noMat", {"mat": "noMat", "keep_facing": True}),
    ("attach;Leader;;;;;;;false;1;true;;-1;;;;;;;;false;false", "1;9", {"attached": ("9",)}),
    ("calcProp;Total;{A+B};", "", {"expression": "{A+B}"}),
    ("setprop;Mud;false,0,9,false;;;Module;", "", {"level": "Module"}),
    ("setpieceprop;P;false,0,9,false;;;;;false;1;true;;-1;false", "", {"fixed_range": True}),
    ("locCommand;;G;;Go;K;true;;true;false", "", {"current_map_only": True}),
    ("border;P;;2;255,0,0;;", "", {"thickness": 2}),
    ("locmsg;K;;Hello", "", {"message": "Hello"}),
    ("cmt;why", "", {"text": "why"}),
]  # fmt: skip
IDS = [own_type.partition(";")[0] for own_type, _, _ in TRAITS]


@pytest.mark.parametrize(("own_type", "own_state", "fields"), TRAITS, ids=IDS)
def test_every_trait(own_type: str, own_state: str, fields: dict[str, object]) -> None:
    trait = decode_trait(own_type, own_state)
    assert {name: getattr(trait, name) for name in fields} == fields
    assert trait.more_type == trait.more_state == trait.odd == ()
    assert (encode_trait_type(trait), encode_trait_state(trait)) == (own_type, own_state)
    assert SECRET not in repr(trait)


def test_the_examples_leave_no_trait_out() -> None:
    assert {own_type[: own_type.find(";") + 1] for own_type, _, _ in TRAITS} == set(LAYOUTS)


@examples(1500, default=100)
@given(
    st.sampled_from(sorted(LAYOUTS)),
    st.text("ab1;,~\\'-.e", max_size=30),
    st.text("ab1;,~\\'-e", max_size=20),
)
def test_any_text_of_any_trait_is_read_and_given_back(prefix: str, body: str, state: str) -> None:
    """Given back where no backslash or quote makes it a text that the codec writes otherwise."""
    texts = f"{prefix}{body}\tpiece;;;;X", f"{state}\tM;1;2"
    again = encode_piece(decode_piece(*texts))
    assert again == texts or {"\\", "'"} & {*body, *state}


def test_a_trait_built_by_hand_is_written_whole() -> None:
    assert encode_trait_type(traits.Hideable(key="73,130")) == "hide;73,130;;;;0.3;;false"
    assert (
        encode_trait_state(traits.Footprint(points=("1,2",), map_id="Map0")) == "false;Map0;1;1,2"
    )
    assert encode_trait_state(traits.Mat(cargo=("4", "5"))) == "2;4;5"


def test_a_changed_field_is_written_with_the_rest_as_it_was() -> None:
    old = decode_trait("emb2;;2;;;2;;;2;;;;1;TRUE;0;0;a,b;,;true;S", "1")
    assert old.odd == (("draw_underneath", "TRUE"),)
    flipped = dataclasses.replace(old, level=2)  # type: ignore[call-arg]
    assert encode_trait_state(flipped) == "2"
    assert encode_trait_type(flipped) == "emb2;;2;;;2;;;2;;;;1;TRUE;0;0;a,b;,;true;S"
    under = dataclasses.replace(old, draw_underneath=True)  # type: ignore[call-arg]
    assert ";true;0;0;" in encode_trait_type(under)


def test_fields_of_a_later_engine_are_kept() -> None:
    trait = decode_trait("delete;Delete;68,130;;new;newer", "x")
    assert trait.more_type == ("new", "newer")
    assert trait.more_state == ("x",)
    assert encode_trait_type(trait) == "delete;Delete;68,130;;new;newer"
    assert encode_trait_state(trait) == "x"


def test_a_trail_without_state() -> None:
    trail = decode_trait("footprint;T;Trail", "")
    assert isinstance(trail, traits.Footprint)
    assert (trail.visible, trail.points) == (False, ())
    assert encode_trait_state(trail) == ""


BASES = [
    ("piece;;;a.png;Tank", "Main;10;-20;7;1;OldX;5",
     {"name": "Tank", "image": "a.png", "map": "Main", "x": 10, "y": -20, "gpid": "7",
      "properties": (("OldX", "5"),)}),
    ("piece;C;D;a.png;Tank", "null;0;0", {"map": None, "gpid": None, "properties": None}),
    ("piece;;;;X", "Main;1;2;3", {"gpid": "3", "properties": None}),
    ("piece;;;;X", "Main;1;2;3;0", {"properties": ()}),
    ("piece;;;;X", "Main;NaN;99999999999999999999;1", {"x": "NaN", "y": "99999999999999999999"}),
    ("piece;;;;X", "Main;1;2;3;2;a;b", {"more_state": ("2", "a", "b")}),
    ("piece;;;;X", "Main", {"map": "Main"}),
    ("stack", "Main;1;2;7;8;@@-1", {"members": ("7", "8"), "layer": -1}),
    ("stack", "Main;1;2;7;8", {"members": ("7", "8"), "layer": None}),
    ("stack", "null;0;0", {"map": None, "members": ()}),
    ("deck;true;;40;50;Always;Never;false;false;false;;;;Cards;;;;false;false",
     "Main;1;2;true;7,8",
     {"name": "Cards", "height": 50, "face_down": True, "members": ("7", "8")}),
    ("deck;true;;40;50", "Main;1;2;false", {"members": ()}),
    ("deck;true;;40;50", "Main;1;2;false;", {"members": ()}),
    ("deck;true;;40;50", "Main;1;2;maybe;7", {"odd": (("face_down", "maybe"),)}),
    ("strange;1", "2", {"own_state": "2"}),
]  # fmt: skip


@pytest.mark.parametrize(("own_type", "own_state", "fields"), BASES)
def test_bases(own_type: str, own_state: str, fields: dict[str, object]) -> None:
    piece = decode_piece(own_type, own_state)
    assert {name: getattr(piece.base, name) for name in fields} == fields
    assert encode_piece(piece) == (own_type, own_state)


def test_bases_built_by_hand() -> None:
    assert encode_piece(GamePiece((), Stack("M", 1, 2, ("7",), -1)))[1] == "M;1;2;7;@@-1"
    assert encode_piece(GamePiece((), Deck(map="M", x=1, y=2)))[1] == "M;1;2;false"
    assert encode_piece(GamePiece((), Deck(map="M", x=1, y=2, members=("7", "8"))))[1] == (
        "M;1;2;false;7,8"
    )
    piece = BasicPiece(image="i", name="N", map="M", x=1, y=2, gpid="", properties=(("K", "v"),))
    assert encode_piece(GamePiece((), piece)) == ("piece;;;i;N", "M;1;2;;1;K;v")
    assert dict(piece.properties or ())["K"] == "v"


def test_a_drawn_out_deck_forgets_its_old_length() -> None:
    deck = decode_piece("deck;true", "M;1;2;true").base
    assert isinstance(deck, Deck)
    filled = dataclasses.replace(deck, members=("5",))
    assert encode_piece(GamePiece((), filled))[1] == "M;1;2;true;5"


def test_nesting() -> None:
    piece = decode_piece(
        "mark;A\tdelete;D;K\\\tnosuch;1;2\\\\\tpiece;;;;X", "v\t\\\tkeep me\\\\\tM;1;2"
    )
    assert [type(trait).__name__ for trait in piece.traits] == ["Marker", "Delete", "UnknownTrait"]
    assert piece.traits[-1] == UnknownTrait(type="nosuch;1;2", own_state="keep me")
    assert isinstance(piece.base, BasicPiece)
    assert piece.base.name == "X"


def test_a_state_that_ends_early_leaves_defaults() -> None:
    texts = "PROP;A;;\tPROP;B;;\\\tpiece;;;;X", "1\t2"
    piece = decode_piece(*texts)
    assert [trait.value for trait in piece.traits] == ["1", "2"]  # type: ignore[attr-defined]
    assert piece.states == 2
    assert piece.base == BasicPiece(name="X")
    assert encode_piece(piece) == texts


def test_old_quoting_is_read() -> None:
    piece = decode_piece("mark;A\tpiece;;;;X", "'v\\'\tM;1;2")
    assert piece.traits[0].values == ("v\\",)  # type: ignore[attr-defined]


STATES = st.lists(st.text(alphabet="ab;'\\\t", max_size=6), min_size=1, max_size=6)


@given(STATES)
def test_the_quick_split_agrees_with_the_slow_one(states: list[str]) -> None:
    text = nesting.join_nested(states)
    whole = nesting.split_nested(text)
    depth = len(states) - 1
    if len(whole) > depth:  # else a state ends with a backslash, which the codec cannot keep
        assert split_state(text, depth)[:depth] == whole[:depth]


@given(st.text(alphabet="a'\\\t", max_size=24), st.integers(0, 6))
def test_the_quick_split_of_any_text(text: str, depth: int) -> None:
    parts: list[str] = []
    rest: str | None = text
    while rest is not None and len(parts) < depth:
        tokens = split(rest, "\t")
        parts.append(tokens[0])
        rest = tokens[1] if len(tokens) > 1 else None
    expected = tuple(parts) if rest is None else (*parts, rest)
    assert split_state(text, depth) == expected


def test_400_traits_need_no_recursion() -> None:
    types = nesting.join_nested([*(f"mark;M{n}" for n in range(400)), "piece;;;;Deep"])
    states = nesting.join_nested([*(f"v{n}" for n in range(400)), "M;1;2"])
    piece = decode_piece(types, states)
    assert len(piece.traits) == 400
    assert piece.base.x == 1  # type: ignore[union-attr]
    assert encode_piece(piece) == (types, states)


@pytest.mark.ci
def test_traits_past_the_limit_are_kept_as_text() -> None:
    types = nesting.join_nested([*(["mark;'"] * (nesting.MAX_TRAITS + 50)), "piece;;;;Deep"])
    states = nesting.join_nested([*(["v'"] * (nesting.MAX_TRAITS + 50)), "M;1;2"])
    assert len(decode_piece(types, states).traits) == nesting.MAX_TRAITS
