"""The analysis document: a game written and read again is the same game, and nothing hostile gets in."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.importers.analysis.document import (
    Damaged,
    document,
    document_bytes,
    encode,
    parse_document,
    read_document,
    read_game,
)
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.board import Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.coverage import NOT_UNITS
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.game import (
    NOWHERE,
    Condition,
    Displacement,
    Game,
    Gap,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    Source,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.problem import Unreadable, WrongPack
from vassal_umpire.model.provenance import Key
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.vouching import Suggestion

text = st.text(max_size=6)
name = st.text(min_size=1, max_size=6)
texts = st.lists(text, max_size=3).map(tuple)
number = st.fractions(max_denominator=12)
value = st.booleans() | number | text | st.sampled_from(["1/2", "7", "-3/4", "None"])
steps = st.builds(StepRef, st.integers(1, 3), st.integers(0, 40))


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    options = draw(st.none() | st.lists(value, min_size=1, max_size=3).map(tuple))
    lo, hi = draw(st.none() | number), draw(st.none() | number)
    if lo is not None and hi is not None:
        lo, hi = min(lo, hi), max(lo, hi)
    return Fact(options, lo, hi, draw(st.just("") | text))


def json_values() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | st.integers(-99, 99) | text
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=2) | mapping(inner), max_leaves=5
    )


def mapping(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(text, inner, max_size=2)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    names = draw(st.lists(name, min_size=1, max_size=6, unique=True))
    places = draw(
        st.lists(
            st.tuples(st.sampled_from(["", "A"]), st.integers(-9, 9), st.integers(-9, 9)),
            min_size=len(names),
            max_size=len(names),
            unique=True,
        )
    )
    hexes = {
        n: Hex(
            n,
            Axial(q, r),
            draw(st.none() | texts),
            draw(st.none() | st.integers(-2, 5)),
            draw(texts),
            s,
        )
        for n, (s, q, r) in zip(names, places, strict=True)
    }
    sides, line, exceptions = cells(names)
    return Board(
        name=draw(text),
        hexes=hexes,
        sides=draw(sides),
        lines=draw(few(line)),
        links=draw(st.frozensets(sides_of(names), max_size=2)),
        barriers=draw(st.frozensets(sides_of(names), max_size=2)),
        complete=draw(st.frozensets(st.sampled_from(["terrain", "hexsides", "lines", "levels"]))),
        exceptions=draw(exceptions),
    )


def sides_of(names: Collection[str]) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(*[st.sampled_from(sorted(names))] * 2).map(lambda p: edge(*p))


def few(one: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(one, max_size=2).map(tuple)


def cells(names: Collection[str]) -> tuple[st.SearchStrategy[Any], ...]:
    """What may be told of hexes of these names: their sides, a line, exceptions."""
    one, pairs = st.sampled_from(sorted(names)), sides_of(names)
    may = st.none() | st.frozensets(name, max_size=2)
    of_pairs = st.dictionaries(pairs, may, max_size=2)
    of_hexes = st.dictionaries(one, may, max_size=2)
    return (
        st.dictionaries(pairs, texts, max_size=3),
        st.builds(
            Line, text, st.lists(one, min_size=1, max_size=4).map(tuple), text, st.booleans()
        ),
        st.builds(Exceptions, of_hexes, of_pairs, of_pairs, st.frozensets(one, max_size=2)),
    )


@st.composite
def changes(draw: st.DrawFn, board: Board) -> BoardChange:
    """What may become of the cells of ``board``."""
    told = draw(st.lists(st.sampled_from(sorted(board.hexes)), max_size=2, unique=True))
    level = st.integers(-2, 5)
    of_hex = {"terrain": st.none() | texts, "level": level, "features": texts}
    hexes = (
        replace(board.hexes[n], **{key: draw(one) for key, one in of_hex.items()}) for n in told
    )
    sides, line, exceptions = cells(board.hexes)
    more = (draw(sides), draw(few(line)), draw(few(line)), draw(exceptions), draw(text))
    return BoardChange(draw(steps), tuple(hexes), *more)


OF_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    str: text,
    str | None: st.none() | text,
    tuple[str, ...]: texts,
    bool: st.booleans(),
    bool | None: st.none() | st.booleans(),
    int: st.integers(1, 9),
    StepRef: steps,
    StepRef | None: st.none() | steps,
    Fact: facts(),
    Mapping[str, Fact]: st.dictionaries(text, facts(), max_size=2),
    Mapping[str, tuple[str, ...]]: st.dictionaries(text, texts, max_size=2),
    Mapping[str, Any]: mapping(json_values()),
    tuple[str, ...] | None: st.none() | texts,
    frozenset[str] | None: st.none() | st.frozensets(text, max_size=2),
}


def every(kind: Any, **told: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of a dataclass; its fields that are not told are anything of their type, or one of its words."""
    hints = get_type_hints(kind)
    types = {f.name: hints[f.name] for f in fields(kind) if f.name not in told}
    words = {
        n: OF_TYPE[h] if h in OF_TYPE else st.sampled_from(get_args(h)) for n, h in types.items()
    }
    return st.builds(kind, **words, **told)


@st.composite
def games(draw: st.DrawFn) -> Game:
    board = draw(boards())
    ids = draw(st.lists(text, min_size=1, max_size=4, unique=True))
    unit, hexes = st.sampled_from(ids), st.sampled_from(sorted(board.hexes))
    place = st.one_of(
        hexes.map(lambda n: Place("hex", n)),
        st.builds(Place, st.sampled_from(["box", "unclear", "nowhere"]), text),
        st.just(NOWHERE),
    )
    paid = facts().filter(lambda f: f.low is None or f.low >= 0)
    event = st.one_of(
        every(Displacement, unit=unit, origin=place, target=place),
        every(StateChange, unit=unit),
        every(PhaseStart),
        every(Witness),
        every(Spent, unit=unit, amount=paid),
        changes(board),
    )

    def some(one: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return draw(few(one))

    suggested = every(Suggestion, key=st.builds(Key, hexes, st.just("features"), text),
                      status=st.sampled_from(["suggested", "imported", "filled"]))  # fmt: skip
    related = every(Relation, sides=st.lists(text, min_size=2, max_size=3, unique=True).map(tuple))
    away = place.filter(lambda where: where is not NOWHERE)
    return Game(
        title=draw(text),
        board=board,
        sides=draw(texts),
        units={i: draw(every(Unit, id=st.just(i))) for i in ids},
        opening=draw(st.dictionaries(unit, place, max_size=4)),
        events=tuple(sorted(draw(st.lists(event, max_size=6)), key=lambda e: e.at)),
        rules=draw(every(Rules)),
        phases={r.name: r for r in some(every(PhaseRule))},
        forms={f.name: f for f in some(every(MovementForm))},
        conditions=some(every(Condition, unit=st.just("") | unit.filter(bool))),
        sources=some(every(Source)),
        gaps=some(every(Gap, before=st.none() | away, after=st.none() | away)),
        integrity=some(st.tuples(steps, text)),
        relations=some(related)[:1],
        suggestions=some(suggested),
        unjudged=draw(st.sampled_from([{}, {NOT_UNITS: 3}])),
        nameless=frozenset(some(st.builds(Place, st.just("box"), text))),
        seen=draw(st.none() | st.frozensets(st.builds(Key, text, text, text), max_size=2)),
        is_part=draw(st.booleans()),
    )


def worked() -> Game:
    """Three hexes in a column, one unit that marches two hexes and is then eliminated."""
    hexes = {f"010{r}": Hex(f"010{r}", Axial(0, r), ("clear",), 0) for r in (1, 2, 3)}
    at = [StepRef(1, 1), StepRef(1, 2)]
    first, last, dead = Place("hex", "0101"), Place("hex", "0103"), Place("box", "Dead Pile")
    return Game(
        title="Three hexes",
        board=Board("Three", hexes, {edge("0101", "0102"): ("river",)}),
        sides=("Red", "Blue"),
        units={"1": Unit("1", "1 Inf", "Red", attributes={"ma": Fact((Fraction(7, 2),))})},
        opening={"1": first},
        events=(
            Displacement(at[0], "1", first, last, actor="Red"),
            Displacement(at[1], "1", last, dead, cause="key"),
        ),
        rules=Rules("generic"),
    )


@pytest.mark.ci
@given(games())
@examples(15, proof=400, suppress_health_check=[HealthCheck.too_slow])
def test_a_game_written_and_read_is_equal(game: Game) -> None:
    plain = parse_document(encode(document(game=game)), "game.json")
    assert game_of(plain["game"]) == game


@given(facts())
def test_a_fact_keeps_its_kind(fact: Fact) -> None:
    """True is not 1 and the text "1/2" is not one half, which == alone would not tell."""
    unit = Unit("1", "x", attributes={"a": fact})
    game = Game("t", Board("b", {}), (), {"1": unit}, {}, (), Rules("generic"))
    plain = parse_document(encode(document(game=game)), "game.json")
    read = game_of(plain["game"]).units["1"].attributes["a"]
    assert read == fact
    assert [type(o) for o in read.options or ()] == [type(o) for o in fact.options or ()]


def test_the_worked_game_reads_as_people_write_it() -> None:
    plain = document(game=worked())["game"]
    assert plain["units"] == [
        {"id": "1", "name": "1 Inf", "side": "Red", "attributes": {"ma": "7/2"}, "at": "0101"}
    ]
    assert plain["events"] == [
        {
            "event": "displacement", "at": "1:1", "unit": "1", "origin": "0101", "target": "0103",
            "actor": "Red",
        },
        {
            "event": "displacement", "at": "1:2", "unit": "1", "origin": "0103",
            "target": {"box": "Dead Pile"}, "cause": "key",
        },
    ]  # fmt: skip
    assert plain["board"]["sides"] == [{"hexes": ["0101", "0102"], "has": ["river"]}]


def test_a_document_goes_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(document_bytes(document(game=worked())))
    assert read_game(path) == worked()


def _changed(change: Any) -> bytes:
    plain = json.loads(encode(document(game=worked())))
    change(plain)
    return json.dumps(plain).encode()


@pytest.mark.parametrize(
    ("change", "place", "expected"),
    [
        (lambda p: p["game"]["units"][0].update(side=3), "game.units[1].side", "a side"),
        (lambda p: p["game"]["units"][0].update(sde="x"), "game.units[1].sde", "did you mean side?"),
        (lambda p: p["game"].pop("board"), "game", "the key board"),
        (lambda p: p["game"]["events"][0].update(event="jump"), "game.events[1].event", "displacement"),
        (lambda p: p["game"]["events"][0].update(at="1"), "game.events[1].at", "log:step"),
        (lambda p: p["game"]["events"][0].update(unit="9"), "game.events[1].unit", "id of a unit"),
        (lambda p: p["game"]["events"][0].update(target="0999"), "game.events[1].target", "hex of the"),
        (lambda p: p["game"]["events"].reverse(), "game.events[2].at", "in the order"),
        (lambda p: p["game"]["units"].append(p["game"]["units"][0]), "game.units[2]", "each unit once"),
        (lambda p: p["game"]["board"]["hexes"][1].update(at=[0, 1]), "game.board.hexes[2].at", "one hex"),
        (lambda p: p["game"]["units"][0]["attributes"].update(ma={"from": "x"}), "ma.from", "fraction"),
        (lambda p: p["game"]["units"][0]["attributes"].update(ma={"one_of": []}), "ma.one_of", "1 or more"),
        (lambda p: p["game"]["units"][0]["attributes"].update(ma={"from": 3, "to": 1}),
         "game.units[1].attributes.ma", "no lower than it begins; found 3 to 1"),
        (lambda p: p["game"]["events"].append({"event": "spent", "at": "9:9", "amount": -1,
                                               "unit": p["game"]["units"][0]["id"]}),
         "amount", "a number (0 or more); found -1"),
        (lambda p: p.update(version=3), "version", "1, 2"),
    ],
)  # fmt: skip
def test_each_fault_is_one_line_that_names_its_place(
    change: Any, place: str, expected: str
) -> None:
    with pytest.raises(WrongPack) as caught:
        parse_document(_changed(change), "game.json")
    line = next((p for p in caught.value.problems if place in p.message), None)
    assert line is not None, [str(p) for p in caught.value.problems]
    assert expected in line.message
    assert line.where == "game.json"
    assert "\n" not in str(caught.value)
    assert str(caught.value).count("game.json: ") == 1 + (len(caught.value.problems) > 1)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested too deeply"),
        (b'"' + b'\\"' * 200_000, "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "not an analysis document"),
        (b'{"format": "other"}', "not an analysis document"),
        (b'{"format": 1.5}', "1.5"),
        (b'{"format": NaN}', "NaN"),
        (b'{"format": 1, "format": 2}', "twice"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "thousands of digits"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_hostile_document_is_one_clear_error(data: bytes, what: str) -> None:
    with pytest.raises(Unreadable, match=what):
        parse_document(data, "x.json")


def test_every_fault_is_told() -> None:
    with pytest.raises(WrongPack, match=r"^game\.json: .* \(and [1-9] more\)") as caught:
        parse_document(_changed(lambda p: p["game"].clear()), "game.json")
    assert f"(and {len(caught.value.problems) - 1} more)" in str(caught.value)


@pytest.mark.parametrize("title", ["[" * 500, "a\udcffb"], ids=["brackets", "no text"])
def test_brackets_in_texts_are_not_depth_and_bytes_that_were_no_text_survive(title: str) -> None:
    odd = encode(document(game=replace(worked(), title=title)))
    assert game_of(parse_document(odd, "x")["game"]).title == title


def test_a_large_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(encode(document(game=worked())))
    with pytest.raises(Unreadable, match="too large"):
        read_document(path, replace(DEFAULT_LIMITS, document=100))


def test_what_does_not_fit_is_not_written() -> None:
    plain = document(game=worked())
    plain["game"]["units"][0]["side"] = 3
    with pytest.raises(Damaged):
        document_bytes(plain)
