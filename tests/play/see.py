"""Shows what a seed makes: `python tests/play/see.py RULESET ask|play [SEED] [HOW MANY]`."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from play.ask import ask
from play.kit import Action, GameSetup, Kit, Phase, Table, Undo, kits
from play.legal import play
from play.printing import audit, write
from vassal_umpire.model.finding import ACCUSING


def show(setup: GameSetup) -> None:
    """A game setup, in lines."""
    table = Table(setup)
    for here in setup.board.hexes.values():
        print(f"  {here.name} {', '.join(here.terrain or ())} {', '.join(here.features)}".rstrip())
    for pair, features in setup.board.sides.items():
        print(f"  {'/'.join(pair)}: {', '.join(features)}")
    for line in setup.board.lines:
        print(f"  {line.kind}: {' '.join(line.hexes)}{'' if line.junctions else ' (no junctions)'}")
    for name, where in setup.opening.items():
        facts = " ".join(f"{key}={value}" for key, value in table.facts[name].items())
        print(f"  {name} {where} {facts}")
    print(f"  conditions {dict(setup.conditions)}")


def see_asked(kit: Kit, seed: int, count: int) -> None:
    """Prints where walker and audit disagree; for a single seed the board as well."""
    told: Counter[tuple[str, str]] = Counter()
    for number in range(seed, seed + count):
        wrong = []
        for answer in ask(kit, number):
            told[answer.walker.split()[0], answer.audit.split()[0]] += 1
            wrong += [] if answer.agree else [answer]
        if wrong or count == 1:
            print(f"seed {number}")
            show(kit.setup(Random(number), big=False))
            for answer in wrong:
                print(f"  ! {answer}")
    for (walker, said), times in told.most_common():
        print(f"{times:6} walker {walker}, audit {said}")


def see_played(kit: Kit, seed: int, count: int) -> None:
    """Prints what the audit says of whole games. A game with an accusation is also shown shortened."""
    for number in range(seed, seed + count):
        game = play(kit, Random(number), 500)
        accused = _accused(kit, game.setup, list(game.actions), tell=True)
        if accused:
            print(f"seed {number}")
            show(game.setup)
            for action in shortened(kit, game.setup, list(game.actions)):
                print(f"  {action}")


def _accused(kit: Kit, setup: GameSetup, actions: list[Action], *, tell: bool = False) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        found, _ = audit(write(kit, setup, actions, Path(folder) / "game"))
    accused = [f"{f.code} {f.steps}: {f.explanation}" for f in found.findings if f.kind in ACCUSING]
    if tell:
        print(Counter((m.move.phase.phase, m.verdict) for m in found.moves if m.judged))
        print(Counter((f.kind, f.code) for f in found.findings))
        unknowns = Counter(u.question for m in found.moves for u in m.unknowns)
        for question, times in unknowns.most_common(8):
            print(f"  {times} open: {question}")
        for line in (*accused, *map(str, found.problems)):
            print(f"  ! {line}")
    return accused


def shortened(kit: Kit, setup: GameSetup, actions: list[Action]) -> list[Action]:
    """The actions without those that can be left out so that somebody is still accused."""
    size = len(actions) // 2
    while size:
        start = 0
        while start < len(actions):
            fewer = [*actions[:start], *actions[start + size :]]
            if _holds(setup, fewer) and _accused(kit, setup, fewer):
                actions = fewer
            else:
                start += size
        size //= 2
    return actions


def _holds(setup: GameSetup, actions: list[Action]) -> bool:
    """Whether these actions are possible: units dragged together are in one hex, and undos follow drags."""
    table = Table(setup)
    if not actions or not isinstance(actions[0], Phase):
        return False
    for action in actions:
        units = getattr(action, "units", ())
        if len({table.where[unit] for unit in units}) > 1:
            return False
        if isinstance(action, Undo) and not table.drags:
            return False
        table.apply(action)
    return True


if __name__ == "__main__":
    name, what, *numbers = sys.argv[1:]
    first = int(numbers[0]) if numbers else 0
    many = int(numbers[1]) if len(numbers) > 1 else (1 if numbers else 100)
    (see_asked if what == "ask" else see_played)(kits()[name], first, many)
