"""Reads case files: TOML, checked against ``schemas/case.json``. Each fault is one line with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...model import schemas
from ...model.bill import Amount
from ...model.codec import ITSELF, Codecs
from ...model.game import Game, MovementForm, PhaseRule, Rules
from ...model.plain import merged
from ...model.problem import Problem, UmpireError, Unreadable, WrongPack
from ...model.relations import disagreements, relations_of
from ...model.schemas import Fault, place
from ..analysis.game_json import FORMS, PHASE
from ..ordinary import is_there
from ..pack.cells import exact_number
from ..pack.pack_tables import COMPLETE, charts_of
from ..pack.toml_text import Path_, line_of, parse_toml, read_bytes
from .board_text import Drawn, drawn_board, legend_faults, legend_of
from .case import Case, Expectation, Written
from .moves_text import COMBAT, MOVEMENT, CaseEvents, CaseUnits, read_moves, read_units
from .words import Faults

SHARED = "shared.toml"
"""The file with what all case files of its folder share. It has no cases."""

Plain = Mapping[str, Any]
_AS_THEY_ARE = Codecs({Amount: ITSELF, Fraction: ITSELF})
_EXPECTATION, _CASE = map(_AS_THEY_ARE.table, (Expectation, Case))
_MERGED = ("legend", "boards", "attributes", "rules", "options")
"""Tables of a case file that are merged with those of ``shared.toml``; all other keys replace them."""


def case_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The case files among ``paths``, and those in the folders among them, each folder sorted.

    Raises :class:`Unreadable` for a path that does not exist or a folder without case files.
    """
    found: dict[Path, None] = {}
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.toml") if p.name != SHARED and not p.is_dir())
        elif not path.exists() and path != Path("-"):
            raise Unreadable("is not there", where=str(path), expected="a case file or a folder")
        if not inside:
            raise Unreadable("holds no case files", where=str(path), expected="files *.toml")
        found.update(dict.fromkeys(inside))
    return tuple(found)


def read_cases(paths: Iterable[Path]) -> tuple[Case, ...]:
    """All cases of the files and folders ``paths``.

    Raises :class:`Unreadable` if a file cannot be read, :class:`WrongPack` with a line per fault: file and
    line, case, key, what was expected and what was found.
    """
    cases: list[Case] = []
    problems: list[Problem] = []
    for path in case_files(paths):
        try:
            cases.extend(read_case_file(path))
        except WrongPack as error:
            problems.extend(error.problems or (Problem("cases", str(error)),))
    _raise(problems)
    return tuple(cases)


def read_case_file(path: Path) -> tuple[Case, ...]:
    """The cases of one file; raises as :func:`read_cases` does."""
    own = _checked(path)
    shared = _Toml(path.parent / SHARED, {}, {})
    if path.name != SHARED and is_there(shared.path):
        shared = _checked(shared.path)
        if "case" in shared.values:
            _raise([shared.problem(Fault(("case",), f"no cases in {SHARED}", "some"))])
    common = _common(own.values, shared.values)
    faults = Faults()
    if not own.values.get("case"):
        faults.at()("one or more cases, each under [[case]]", "none")
    if "ruleset" not in common:
        faults.at()(f"the key ruleset here or in {SHARED}", "nothing")
    _check_ids(own.values.get("case", ()), faults)
    legend_faults(common["legend"], faults)
    _raise_faults(faults, own, shared)
    cases = [
        _case(plain, index, common, faults, str(path), line_of(("case", index), own.lines) or 0)
        for index, plain in enumerate(own.values["case"])
    ]
    _raise_faults(faults, own, shared)
    return tuple(case for case in cases if case is not None)


@dataclass(frozen=True, slots=True)
class _Toml:
    """A file, its values, and the lines of its keys."""

    path: Path
    values: Plain
    lines: dict[Path_, int]

    def holds(self, path: Path_) -> bool:
        """Whether this file has the first two keys of ``path``."""
        here: Any = self.values
        for key in path[:2]:
            if not isinstance(here, Mapping) or key not in here:
                return False
            here = here[key]
        return bool(path)

    def problem(self, fault: Fault) -> Problem:
        """A fault as one line: file, line, case, key, expected, found."""
        line = line_of(fault.path, self.lines)
        where = f"{self.path} line {line}" if line else str(self.path)
        inside, named = fault.path, ""
        if len(inside) > 1 and inside[0] == "case" and isinstance(inside[1], int):
            cases = self.values.get("case")
            written = cases[inside[1]] if isinstance(cases, list) else None
            name = written.get("id") if isinstance(written, Mapping) else None
            named = f"case {name}, " if isinstance(name, str) else f"case number {inside[1] + 1}, "
            inside = inside[2:]
        key = f"{named}{place(inside)}" if inside else named.removesuffix(", ")
        message = f"{key + ': ' if key else ''}expected {fault.expected}; found {fault.found}"
        return Problem("case", message, where, "error")


def _checked(path: Path) -> _Toml:
    try:
        values, lines = parse_toml(read_bytes(path), str(path))
    except UmpireError as error:
        if isinstance(error, WrongPack):
            raise
        raise Unreadable(
            error.what, where=str(path), expected=error.expected, hint=error.hint
        ) from error
    read = _Toml(path, values, lines)
    _raise([read.problem(fault) for fault in schemas.faults("case", values)])
    return read


def _raise(problems: Sequence[Problem]) -> None:
    if problems:
        raise WrongPack.of(problems)


def _raise_faults(faults: Faults, own: _Toml, shared: _Toml) -> None:
    """Raise the faults, each once, with the file that it is in."""
    problems = [
        (own if own.holds(fault.path) or not shared.holds(fault.path) else shared).problem(fault)
        for fault in faults.found
        if fault.path[:1] != ("case",)
    ]
    problems += [own.problem(fault) for fault in faults.found if fault.path[:1] == ("case",)]
    _raise(list(dict.fromkeys(problems)))


def _common(own: Plain, shared: Plain) -> dict[str, Any]:
    """The keys that all cases of a file share: those of ``own`` and of ``shared``."""
    common = {**shared, **own}
    common.update({key: merged(shared.get(key, {}), own.get(key, {})) for key in _MERGED})
    return common


def _check_ids(cases: Sequence[Plain], faults: Faults) -> None:
    counts = Counter(case["id"] for case in cases)
    for index, case in enumerate(cases):
        if counts[case["id"]] > 1:
            faults.at("case", index, "id")("each id once in a file", f'"{case["id"]}" again')
            return


def _case(
    plain: Plain, index: int, common: Plain, faults: Faults, file: str, line: int
) -> Case | None:
    before = len(faults.found)
    path: Path_ = ("case", index)
    drawn = _board(plain, common, faults, path)
    if drawn is None or len(faults.found) > before:
        return None
    attributes = {**common["attributes"], **plain.get("attributes", {})}
    case_units = read_units(plain["units"], attributes, drawn.board.hexes, faults, (*path, "units"))
    sides = tuple(plain.get("sides", common.get("sides", case_units.sides)))
    expectation = _expectation(plain, faults, path)
    for number, (a, b) in disagreements(relations_of(plain.get("relation", ()))):
        expected = f"a relation that agrees with those before it about {a} and {b}"
        faults.at(*path, "relation", number)(expected, "something else")
    if len(faults.found) > before:
        return None
    case_events = read_moves(
        plain["moves"],
        plain.get("facts", ()),
        case_units.units,
        case_units.opening,
        drawn.board,
        sides,
        faults,
        path,
    )
    if len(faults.found) > before:
        return None
    return Case(
        **_CASE.given({"source": common.get("source", ""), **plain}),
        game=_game(plain, common, drawn, case_units, sides, case_events),
        expectation=expectation,
        written=_written(plain, common, drawn),
        file=file,
        line=line,
    )


def _board(plain: Plain, common: Plain, faults: Faults, path: Path_) -> Drawn | None:
    text: str = plain["board"]
    parts: list[tuple[Plain, Path_]] = [(plain, path)]
    name = plain["id"]
    if "\n" not in text:
        shared = common["boards"].get(text)
        if shared is None:
            known = ", ".join(common["boards"]) or "there are none"
            expected = f"a board drawn over several lines, or one of [boards] ({known})"
            faults.at(*path, "board")(expected, f'"{text}"')
            return None
        name, text = text, shared["map"]
        parts.insert(0, (shared, ("boards", name)))
    legend = legend_of(common["legend"])
    return drawn_board(name, text, parts, legend, faults, (*path, "board"))


def _game(
    plain: Plain,
    common: Plain,
    drawn: Drawn,
    case_units: CaseUnits,
    sides: tuple[str, ...],
    case_events: CaseEvents,
) -> Game:
    forms = FORMS.read(common.get("form", ()))
    for name in plain.get("forms", ()):
        forms.setdefault(name, MovementForm(name))
    open_forms = tuple(plain.get("forms", forms))
    rules = merged(common["rules"], plain.get("rules", {}))
    tables, charts = charts_of(rules)
    return Game(
        title=plain.get("title", plain["id"]),
        board=drawn.board,
        sides=sides,
        units=case_units.units,
        opening=case_units.opening,
        events=case_events.events,
        rules=Rules(
            common["ruleset"],
            tables,
            merged(common["options"], plain.get("options", {})),
            tuple(dict.fromkeys((*common.get("off", ()), *plain.get("off", ())))),
            charts if COMPLETE in rules else None,
        ),
        phases=_phases(common, open_forms, "forms" in plain),
        forms=forms,
        conditions=case_events.conditions,
        relations=relations_of(plain.get("relation", common.get("relation", ()))),
    )


def _phases(common: Plain, open_forms: tuple[str, ...], own: bool) -> dict[str, PhaseRule]:
    """The phases of a file, with default phases of movement and combat. ``own``: the case lists its forms,
    which replace those of the movement phase."""
    phases = {
        MOVEMENT: PhaseRule(MOVEMENT, "active", open_forms, complete=True),
        COMBAT: PhaseRule(COMBAT),
    }
    for plain in common.get("phase", ()):
        rule = PHASE.read(plain)
        of_case = rule.name == MOVEMENT and (own or "forms" not in plain)
        phases[rule.name] = replace(rule, forms=open_forms) if of_case else rule
    return phases


def _written(plain: Plain, common: Plain, drawn: Drawn) -> Written:
    used = {cell[0] for cell in drawn.cells.values()}
    legend = {
        letter: _ground_text(ground)
        for letter, ground in common["legend"].items()
        if letter in used
    }
    units, facts = tuple(plain["units"]), tuple(plain.get("facts", ()))
    extra = (*drawn.lines, *plain.get("hexes", ()))
    return Written(drawn.cells, legend, extra, units, facts, tuple(plain["moves"]))


def _ground_text(ground: Any) -> str:
    if isinstance(ground, str):
        return ground
    if isinstance(ground, list):
        return " + ".join(ground)
    parts = [*ground.get("terrain", ()), *ground.get("features", ())]
    return " + ".join(parts) + (f", level {ground['level']}" if "level" in ground else "")


def _expectation(plain: Plain, faults: Faults, path: Path_) -> Expectation:
    expect: Plain = plain["expect"]
    verdict = expect["verdict"]
    blame = faults.at(*path, "expect")
    kind = plain["kind"]
    if kind in ("legal", "illegal", "unverifiable") and verdict != kind:
        blame(f"the verdict {kind} in a case of kind {kind}", verdict)
    if verdict == "legal" and expect.get("codes"):
        blame("no codes beside the verdict legal", ", ".join(expect["codes"]))
    amounts: Plain = {
        "cost": _amount(expect.get("cost"), blame),
        "allowance": _amount(expect.get("allowance"), blame),
        "short": _number(str(expect["short"]), blame) if "short" in expect else None,
    }
    found: Expectation = _EXPECTATION.read({**expect, **amounts})
    return found


def _number(text: str, blame: Any) -> Fraction | None:
    """The number written; None, and a fault, if it is too long to be read."""
    number = exact_number(text)
    if number is None:
        blame("a number that is not that long", text)
    return number


def _amount(plain: Any, blame: Any) -> Amount | None:
    if plain is None:
        return None
    lo, dots, hi = str(plain).partition("..")
    least, most = _number(lo, blame), _number(hi, blame) if hi else None
    if least is None:
        return None
    if not dots:
        return Amount(least, least)
    if most is not None and most < least:
        blame("an amount from the least to the most", f'"{plain}"')
    return Amount(least, most)
