"""No blind eye: games with one error planted in them, and what the audit makes of it.

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

from play.kit import Action, Change, Drag, GameSetup, Kit, Phase, Roll, Table, kits  # noqa: E402
from play.printing import audit, write  # noqa: E402
from vassal_umpire.model.finding import Audit, Clause, Finding  # noqa: E402
from vassal_umpire.plugin.registry import rulesets  # noqa: E402

GAMES = 4
"""Games with an error, for every clause."""
TRIES = 40
"""Games begun in search of an occasion for an error."""
LONGEST = 30
"""Drags after which no occasion is looked for any longer."""
PLAIN = 3
"""Hexes of a way on which there is little else to reckon with."""
NAMED = 3
"""The clause must be among so many that the explanation names first."""
ACCUSING = ("illegal-move", "overstack", "missed-mp-cost")


@dataclass(frozen=True)
class Planted:
    """A legal game but for its action number ``wrong``, which breaks ``clause``. ``blur``: how much else
    there is to reckon with in that move."""

    clause: str
    seed: int
    setup: GameSetup
    actions: tuple[Action, ...]
    wrong: int
    blur: int


def planted(kit: Kit, clause: str) -> Iterator[Planted]:
    """Games in which a clause is broken, those with a plain occasion first."""
    others: list[Planted] = []
    for seed in range(TRIES):
        found = _spoilt(kit, clause, seed)
        if found is not None and found.blur == 0:
            yield found
        elif found is not None:
            others.append(found)
    yield from sorted(others, key=lambda game: game.blur)


def _spoilt(kit: Kit, clause: str, seed: int) -> Planted | None:
    """A legal game up to an occasion for the error, the plainest there is."""
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
    """An error, if there is occasion for one, and how much else there is to reckon with in it."""
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
    """A move that breaks a clause. ``blur``: how much else there is to reckon with; ``alike``: an honest
    player with MPs enough would go the same way."""

    blur: int
    length: int
    unit: str
    form: str
    path: tuple[str, ...]
    alike: bool


def _occasions(kit: Kit, clause: str, table: Table) -> Iterator[Occasion]:
    """Moves that break a clause. Plain are short ways of units that little else bears on, where the honest
    player knows of no other way there, or takes the same."""
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
    """The clauses a finding names: its own, then those of its text, then those of its bill."""
    pattern = "|".join(
        re.escape(name) + r"(?![\w.-]*\w)" for name in sorted(clauses, key=len)[::-1]
    )
    charged = [charge.clause for charge in finding.bill.charges] if finding.bill else []
    return list(
        dict.fromkeys([finding.clause, *re.findall(pattern, finding.explanation), *charged])
    )


@dataclass
class Row:
    """What became of the errors against one clause. ``cited``: what was named first, and how often."""

    clause: Clause
    planted: int = 0
    found: int = 0
    named: int = 0
    strays: int = 0
    missed: tuple[str, ...] = ()


def row(kit: Kit, clause: Clause, games: int = GAMES) -> Row:
    """Plant errors against one clause, audit, and count."""
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
    """Findings on the move that the error is the last part of, or on what it left behind."""
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
    """The clauses a move can be held against."""
    clauses = rulesets().parts[kit.name].clauses().values()
    return [clause for clause in clauses if clause.status in ("enforced", "declared")]


def table(kit: Kit) -> list[Row]:
    """A row for every clause that can be broken."""
    return [row(kit, clause) for clause in checked(kit) if clause.id not in kit.unbreakable]


HEAD = f"""\
# What the audit finds

Written by `python tests/play/detection.py --write`. Random games are played by the rules, with one error
planted in each: a player forgets one clause and keeps all others. The game is written as a VASSAL log and
audited. *Found*: the move is held against him. *Named*: that clause is among the first {NAMED} clauses that
the explanation names. *Strays*: games in which something else was held against anybody.
"""


def section(kit: Kit, rows: Sequence[Row]) -> str:
    """What the page says of a ruleset."""
    parts = [f"## {kit.name}\n"]
    parts.append("| clause | what it says | kind | errors | found | named | strays |")
    parts.append("|---|---|---|--:|--:|--:|--:|")
    for r in rows:
        c = r.clause
        parts.append(
            f"| {c.id} | {c.title} | {c.kind} | {r.planted} | {r.found} | {r.named} | {r.strays} |"
        )
    whole = [sum(getattr(r, key) for r in rows) for key in ("planted", "found", "named", "strays")]
    parts.append(f"| all | | | {' | '.join(map(str, whole))} |\n")
    for general, special in sorted(kit.named_by.items()):
        parts.append(
            f"{general} is named by the clauses it is spelt out in: {', '.join(special)}.\n"
        )
    if kit.unbreakable:
        parts.append("Cannot be broken by themselves:\n")
        titles = {clause.id: clause.title for clause in checked(kit)}
        parts += [f"- {c} ({titles[c]}): {why}" for c, why in sorted(kit.unbreakable.items())]
        parts.append("")
    return "\n".join(parts)


def sections() -> dict[str, str]:
    """The page as it is, ruleset by ruleset."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    return {
        part.partition("\n")[0]: f"## {part}".rstrip("\n") + "\n"
        for part in text.split("\n## ")[1:]
    }


def page(told: dict[str, str]) -> str:
    """The page, from its sections."""
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
