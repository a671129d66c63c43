"""Detection: plants one error in a legal game, audits the game, and counts how often the error is found.

python tests/play/detection.py            shows the tables
python tests/play/detection.py --write    writes docs/detection.md
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "detection.md"
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from play.kit import Action, Change, Drag, GameSetup, Kit, Phase, Roll, Table, kits
from play.printing import audit, write
from vassal_umpire.model.finding import ACCUSING, Audit, Clause, Finding
from vassal_umpire.plugin.registry import rulesets

GAMES = 4
"""The number of games with an error for each clause."""
TRIES = 40
"""The number of games begun in search of an occasion for an error."""
LONGEST = 30
"""The number of drags in a game after which the search for an occasion ends."""
PLAIN = 3
"""The greatest number of hexes of a path that counts as plain."""
NAMED = 3
"""An error counts as named if its clause is among this many that the explanation names first."""


@dataclass(frozen=True)
class Planted:
    """A game that is legal except for the action with index ``wrong``, which breaks ``clause``. ``blur``: how
    much else affects that move (see :meth:`.Kit.muddle`)."""

    clause: str
    seed: int
    setup: GameSetup
    actions: tuple[Action, ...]
    wrong: int
    blur: int


def planted(kit: Kit, clause: str) -> Iterator[Planted]:
    """Games in which a clause is broken, those with the least ``blur`` first."""
    others: list[Planted] = []
    for seed in range(TRIES):
        found = _spoilt(kit, clause, seed)
        if found is not None and found.blur == 0:
            yield found
        elif found is not None:
            others.append(found)
    yield from sorted(others, key=lambda game: game.blur)


def _spoilt(kit: Kit, clause: str, seed: int) -> Planted | None:
    """A legal game that ends with the error, at the occasion with the least ``blur``; None if there is no
    occasion."""
    rng = Random(f"{clause} {seed}")
    setup = kit.occasion(clause, rng)
    table = Table(setup)
    actions: list[Action] = []
    found: Planted | None = None
    for action in _turns(kit, table, rng, actions):
        table.apply(action)
        actions.append(action)
        marches = setup.phase(table.phase).complete
        if not (isinstance(action, Phase) and marches and rng.random() < 0.7):
            continue
        for change in kit.phase_changes(table, rng):
            table.apply(change)
            actions.append(change)
        error, blur = _error(kit, clause, table, rng)
        if error and (found is None or blur < found.blur):
            end = (Roll(), Phase(table.turn + 1, kit.sequence[-1], table.active))
            wrong = len(actions) + len(error) - 1
            found = Planted(clause, seed, setup, (*actions, *error, *end), wrong, blur)
        if found is not None and found.blur == 0:
            break
    return found


def _turns(kit: Kit, table: Table, rng: Random, actions: list[Action]) -> Iterator[Action]:
    for number in range(1, LONGEST):
        for side in table.setup.sides:
            yield from kit.turn(table, rng, number, side)
            if sum(isinstance(action, Drag) for action in actions) > LONGEST:
                return


def _error(kit: Kit, clause: str, table: Table, rng: Random) -> tuple[Sequence[Action], int]:
    """The actions of an error, empty if there is no occasion for one, and its ``blur``."""
    if clause in kit.planted:
        return kit.plant(clause, table, rng) or (), 0
    found = list(_occasions(kit, clause, table))
    if not found:
        return (), 0
    occasion = min(found)
    unit, form, path = occasion.unit, occasion.form, occasion.path
    stops = () if occasion.alike else path[1:-1]  # so that it is seen which way he went
    seen = [action for name in stops for action in (Drag((unit,), name, form), Roll())]
    last = Drag((unit,), path[-1], form, kit.declared(table, unit, form))
    return [*seen, last], occasion.blur


class Occasion(NamedTuple):
    """A move that breaks a clause. ``blur``: as in :class:`Planted`. ``alike``: an honest player with enough
    MPs would take the same path."""

    blur: int
    length: int
    unit: str
    form: str
    path: tuple[str, ...]
    alike: bool


def _occasions(kit: Kit, clause: str, table: Table) -> Iterator[Occasion]:
    """The moves that break a clause. One is plain if its path is short, little else affects the unit, and an
    honest player has no other path to that hex."""
    for side in table.setup.sides:
        for unit in table.on_map(side):
            for form in sorted(set(kit.forms)):
                believed = kit.routes(table, unit, form, clause)
                honest = kit.favourable_routes(table, unit, form) if believed else {}
                wrong = {name: route for name, route in believed.items() if name not in honest}
                anyhow = kit.routes(table, unit, form, kit.limit) if wrong and kit.limit else {}
                for name, route in wrong.items():
                    other, length = anyhow.get(name), len(route.path)
                    alike = other is not None and other.path == route.path
                    blur = kit.muddle(table, unit, form, clause) + max(0, length - PLAIN)
                    blur += not alike and other is not None
                    yield Occasion(blur, length, unit, form, route.path, alike)


def named(finding: Finding, clauses: Sequence[str]) -> list[str]:
    """The clauses that a finding names: its own, then those in its explanation, then those of its bill."""
    pattern = "|".join(
        re.escape(name) + r"(?![\w.-]*\w)" for name in sorted(clauses, key=len)[::-1]
    )
    charged = [charge.clause for charge in finding.bill.charges] if finding.bill else []
    return list(
        dict.fromkeys([finding.clause, *re.findall(pattern, finding.explanation), *charged])
    )


@dataclass
class Row:
    """The result of the errors against one clause. ``cited``: the clauses named first, with how often."""

    clause: Clause
    planted: int = 0
    found: int = 0
    named: int = 0
    strays: int = 0
    missed: tuple[str, ...] = ()


def row(kit: Kit, clause: Clause, games: int = GAMES) -> Row:
    """Plants errors against one clause, audits the games, and counts."""
    result = Row(clause)
    every = list(rulesets().parts[kit.name].clauses())
    for case in islice(planted(kit, clause.id), games):
        with tempfile.TemporaryDirectory() as folder:
            files = write(kit, case.setup, case.actions, Path(folder) / "game")
            found, _ = audit(files)
        result.planted += 1
        hits = _hits(found, files.at, case)
        strays = [f for f in _accusing(found) if f not in hits and f.follows_from is None]
        result.found += bool(hits)
        result.strays += bool(strays)
        clauses = [name for hit in hits for name in named(hit, every)[:NAMED]]
        is_named = not {clause.id, *kit.named_by.get(clause.id, ())}.isdisjoint(clauses)
        result.named += is_named
        if not is_named or strays:
            said = hits[0].explanation if hits else "not found"
            more = "".join(f"; besides: {f.code} {f.explanation}" for f in strays)
            result.missed += (f"seed {case.seed}: {', '.join(clauses)}: {said}{more}",)
    return result


def _accusing(found: Audit) -> list[Finding]:
    return [f for f in found.findings if f.kind in ACCUSING]


def _hits(found: Audit, at: tuple[tuple[int, int], ...], case: Planted) -> list[Finding]:
    """The findings about the move that ends with the error, or about what that move left behind."""
    error = case.actions[case.wrong]
    assert isinstance(error, Drag | Change)
    to = error.to if isinstance(error, Drag) else ""
    own = {at[case.wrong]}
    for route in (-1, 1):  # what is marked right before it, or after, belongs to it: a turn, a load
        number = case.wrong + route
        while isinstance(case.actions[number], Change):
            own.add(at[number])
            number += route
        before = case.actions[number]
        if route < 0 and isinstance(error, Change) and isinstance(before, Drag):
            own.add(at[number])
            to = before.to
    hits = []
    for finding in _accusing(found):
        steps = [(s.log, s.step) for s in finding.steps]
        if own.intersection(steps) or (finding.kind == "overstack" and to in finding.hexes):
            hits.append(finding)
    return hits


def checked(kit: Kit) -> list[Clause]:
    """The clauses that a move may break: those with the status ``enforced`` or ``declared``."""
    clauses = rulesets().parts[kit.name].clauses().values()
    return [clause for clause in clauses if clause.status in ("enforced", "declared")]


def table(kit: Kit) -> list[Row]:
    """One row for each clause that can be broken."""
    return [row(kit, clause) for clause in checked(kit) if clause.id not in kit.unbreakable]


HEAD = f"""\
# What the audit finds

Written by `python tests/play/detection.py --write`. Random games are played by the rules, with one error
planted in each: a player forgets one clause and keeps all others. The game is written as a VASSAL log and
audited. Each clause that can be broken gets {GAMES} games, fewer if there are fewer occasions.

- *found*: the move is accused
- *named*: that clause is among the first {NAMED} clauses that the explanation names
- *strays*: games in which anything else was accused

The tables show only the clauses for which the result is not {GAMES} errors found and named, without strays.
[The rulesets](rulesets.md) say what each clause means.
"""
TABLE = "| clause | errors | found | named | strays |\n|---|--:|--:|--:|--:|"


def section(kit: Kit, rows: Sequence[Row]) -> str:
    """The section of the page about a ruleset."""
    counts = {r.clause.id: (r.planted, r.found, r.named, r.strays) for r in rows}
    errors, found, named, strays = map(sum, zip(*counts.values(), strict=True))
    told = f"{errors} errors, {found} found, {named} named, {strays} strays"
    parts = [f"## {kit.name}\n", f"{len(rows)} clauses: {told}.\n", TABLE]
    for clause, numbers in counts.items():
        if numbers != (GAMES, GAMES, GAMES, 0):
            parts.append(f"| {clause} | {' | '.join(map(str, numbers))} |")
    if kit.named_by:
        parts.append("\nAlso named by the clauses that spell them out:\n")
        parts += [f"- {c} by {', '.join(own)}" for c, own in sorted(kit.named_by.items())]
    if kit.unbreakable:
        parts.append("\nCannot be broken by themselves:\n")
        reasons: dict[str, list[str]] = {}
        for clause, why in sorted(kit.unbreakable.items()):
            reasons.setdefault(why, []).append(clause)
        parts += [f"- {', '.join(own)}: {why}" for why, own in reasons.items()]
    return "\n".join([*parts, ""])


def sections() -> dict[str, str]:
    """The sections of the page as it is on disk, by ruleset."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    return {
        part.partition("\n")[0]: f"## {part}".rstrip("\n") + "\n"
        for part in text.split("\n## ")[1:]
    }


def page(told: dict[str, str]) -> str:
    """The whole page, made of its sections."""
    return "\n".join([HEAD, *(told[name] for name in sorted(told))])


def main(arguments: list[str]) -> None:
    known = kits()
    picked = [known[name] for name in arguments if name in known] or list(known.values())
    if "--write" in arguments:
        told = {kit.name: section(kit, table(kit)) for kit in picked}
        PAGE.write_text(page({**sections(), **told}), encoding="utf-8")
        return
    for kit in picked:
        for clause in checked(kit):
            if clause.id not in kit.unbreakable:
                r = row(kit, clause)
                print(clause.id, r.planted, "found", r.found, "named", r.named, "strays", r.strays)
                for line in r.missed:
                    print("    ", line)


if __name__ == "__main__":
    main(sys.argv[1:])
