"""Audits to render, and a command line to run."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, Clause, Finding, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Game, Place, Source, StepRef
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin import auditing
from vassal_umpire.plugin.auditing import Opened
from vassal_umpire.plugin.desk import store
from vassal_umpire.plugin.desk.audits import GameAudits
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.phase import Judge
from vassal_umpire.validators.ruleset import Ruleset

from .kit import BY_KITE, CROSSROADS, MODULE, PACK, RIVER, TURN_1, TURN_2, Kept, copy_of

MOVEMENT = PhaseView("Turn 1", "Movement", "Blue")


@pytest.fixture(scope="session", autouse=True)
def kept() -> None:
    """Of what is taken from a store beside a game, every fifth value is made again and compared."""
    taken = itertools.count(1)
    store.EVERY = 5
    store.Store.is_due = lambda self: next(taken) % store.EVERY == 0
    store.own_secret = lambda: b"a secret of the tests"  # they have no folder of a user


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value that is taken from a store is made again and compared."""
    monkeypatch.setattr(store, "EVERY", 1)


@pytest.fixture
def audited_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal games are audited once, except in a proof, and whole where a part would do."""
    from tiers import PROOF  # known once the options are read

    known: list[tuple[object, Game, Audit, JudgementCache]] = []

    def audited(game: Game, ruleset: Ruleset, *, judge: Judge = judge_move, **how: Any) -> Audit:
        asked = ruleset.name, how["suspicions"], how.get("is_part", False)
        asked = *asked, list(game.units), list(game.opening)  # == sees no order of them
        same = (one for one in known if one[0] == asked and one[1] == game)
        _, _, found, kept = next(same, (None, None, None, JudgementCache()))
        if found is None:
            found = audit(game, ruleset, judge=kept, suspicions=asked[1], is_part=asked[2])
            known.append((asked, game, found, kept))
        if isinstance(judge, JudgementCache):
            vars(judge).update(vars(kept.copy()))
        return found

    if not PROOF:
        monkeypatch.setattr(auditing, "audit", audited)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample game, which is the working folder."""
    folder = tmp_path / "game"
    folder.mkdir()
    for name in ("turn-1.vlog", "crossroads.vmod", "settled.toml"):
        shutil.copy(CROSSROADS / name, folder)
    shutil.copytree(CROSSROADS / "pack", folder / "pack")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(name="log")
def _log(tmp_path: Path) -> Path:
    """A log with its module beside it, and no pack: packs are looked for in the folders above, too."""
    folder = tmp_path / "game" / "logs"
    folder.mkdir(parents=True)
    shutil.copy(MODULE, folder)
    return Path(shutil.copy(TURN_1, folder))


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Kept]:
    """Games kept in a folder, with a blank in its name, by the number of logs in them: to be copied."""
    game = Kept(tmp_path_factory.mktemp("games") / "no log")
    players = ("--player", "Blue=Wren", "--player", "Red=Tarn")
    game.done("new", "--module", MODULE, "--pack", PACK, "--title", "Round 1", *players)
    made = {0: game}
    for number, log in enumerate((TURN_1, TURN_2), 1):
        made[number] = made[number - 1].copy(f"{number} logs")
        made[number].add(log)
    return made


@pytest.fixture
def empty(games: dict[int, Kept], tmp_path: Path) -> Kept:
    """A game kept in a folder, without logs."""
    return copy_of(games[0], tmp_path)


@pytest.fixture
def begun(games: dict[int, Kept], tmp_path: Path) -> Kept:
    """A game kept in a folder, with the log of turn 1."""
    return copy_of(games[1], tmp_path)


@pytest.fixture
def played(games: dict[int, Kept], tmp_path: Path) -> Kept:
    """A game kept in a folder, with both logs."""
    return copy_of(games[2], tmp_path)


@pytest.fixture(scope="module")
def first_ruled(games: dict[int, Kept], tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A game with both logs, in which one offence is ruled on: to be copied."""
    played = copy_of(games[2], tmp_path_factory.mktemp("ruled"))
    played.done("rule", RIVER, "upheld", "--because", "the river was overlooked", *BY_KITE)
    return played


@pytest.fixture
def ruled(first_ruled: Kept, tmp_path: Path) -> Kept:
    return copy_of(first_ruled, tmp_path)


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is found and judged of Blue 4 Inf is for Red alone."""

    def telling(real: Any) -> Any:
        def told(audits: GameAudits, viewer: Viewer, **how: Any) -> tuple[Opened, Audit]:
            seen, shown = real(audits, viewer, **how)
            if viewer.director or viewer.side == "Red":
                return seen, shown
            units = {u for f in shown.findings if "Blue 4 Inf" in f.names for u in f.units}
            moves = [m for m in shown.moves if not units & set(m.move.units)]
            found = [f for f in shown.findings if not units & set(f.units)]
            return seen, replace(shown, moves=tuple(moves), findings=tuple(found))

        return told

    for name in ("seen_by", "shown_to"):
        monkeypatch.setattr(GameAudits, name, telling(getattr(GameAudits, name)))


def charge(at: str, cost: Fraction | int, reason: str, clause: str = "GEN-TERRAIN") -> Charge:
    return Charge(at, Amount.exactly(cost), clause, reason)


def move(number: int, unit: str, origin: str, target: str, *steps: int) -> Move:
    ends = (Place("hex", origin), Place("hex", target))
    refs = tuple(StepRef(1, step) for step in steps)
    return Move(number, (unit,), *ends, ends, (True, True), refs, MOVEMENT, "Blue", "Ann")


LEGAL = JudgedMove(
    move(1, "11", "0101", "0103", 1, 2),
    "legal",
    ("0101", "0102", "0103"),
    Bill((charge("0102", 1, "clear"), charge("0103", Fraction(1, 2), "road")), Amount.exactly(4)),
)
dues = (charge("0202", 1, "clear"), charge("0203", 3, "swamp"), charge("0204", 2, "woods"))
SHORT_BILL = Bill(dues, Amount.exactly(4))
SHORT = JudgedMove(
    move(2, "12", "0201", "0204", 3), "illegal", ("0201", "0202", "0203", "0204"), SHORT_BILL
)
TERRAIN = MissingFact("hex 0305 terrain", "Which terrain is hex 0305?", "hexes.csv", "0305,?,")
OPEN = JudgedMove(move(3, "13", "0304", "0305", 5), "unverifiable", unknowns=(TERRAIN,))
TIDIED = JudgedMove(
    move(4, "14", "0401", "0402", 7), "unverifiable", judged=False, remark="taken back"
)
MISSED = Finding(
    "GEN-MA", "GEN-MA", "missed-mp-cost", "illegal", ("12",), ("2nd Foot",), ("0204",),
    (StepRef(1, 3),), "the cheapest path costs 6 MP; the allowance is 4", "Ann", "Blue", MOVEMENT,
    SHORT_BILL, remedy="2 MP more, or a stop in 0203", moves=(2,),
)  # fmt: skip
UNSURE = Finding(
    "GEN-TERRAIN", "GEN-TERRAIN", "unverifiable", "unverifiable", ("13",), ("3rd Foot",), ("0305",),
    (StepRef(1, 5),), "the terrain of 0305 decides", "Ann", "Blue", MOVEMENT, unknowns=(TERRAIN,),
    moves=(3,),
)  # fmt: skip


CLAUSES = (
    Clause("GEN-MA", "Movement allowance", "A unit spends no more MPs than it has."),
    Clause("GEN-TERRAIN", "Terrain costs", "A hex costs what the chart says."),
    Clause("GEN-NEVER", "Not cited", "Nobody cites this."),
)


@pytest.fixture
def small_audit() -> Audit:
    """A legal move, one that is too dear, one unverifiable, one taken back."""
    return Audit(
        "Crossroads",
        "generic",
        "1",
        (
            Source("turn-1.vlog", "log", "ab" * 32, "1.0"),
            Source("pack.toml", "pack", "cd" * 32, "3"),
        ),
        (LEGAL, SHORT, OPEN, TIDIED),
        (MISSED, UNSURE),
        {clause.id: clause for clause in CLAUSES},
        {"road-bonus": "by hex", "bridge": "crossed once"},
        (Problem("unknown-command", "a command is not known", "step 9", count=2),),
        {"11": "1st Foot", "12": "2nd Foot", "13": "3rd Foot", "14": "4th Foot"},
    )


@pytest.fixture(scope="session")
def drill_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack for the drill module in which every hex costs 2 MPs, so that most moves are too dear."""
    folder = tmp_path_factory.mktemp("packs") / "drill"
    shutil.copytree(Path(__file__).parent / "drill", folder)
    columns = range(1, 21)  # odd ones have 14 hexes, even ones 13
    names = [f"{column:02}{row:02}" for column in columns for row in range(1, 14 + column % 2)]
    rows = "".join(f"{name},clear\n" for name in names)
    (folder / "hexes.csv").write_text(f"hex,terrain\n{rows}", encoding="utf-8")
    return folder
