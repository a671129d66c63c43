"""The sample game with a pack some cells of which nobody looked at: a lost record decides no move."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from vassal_umpire.importers.pack.provenance import FILE, provenance_csv
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.eyes import EVERYONE
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.auditing import audit_files
from vassal_umpire.plugin.reading import Named

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "crossroads"
LOGS = tuple(sorted(SAMPLE.glob("turn-*.vlog")))
STATUSES = ("looked-at",) * 22 + ("typed", "suggested", "imported", "filled")
REQUIRED = '[board]\nprovenance = "required"'
DAY = "2026-11-22"


def audited(pack: Path) -> tuple[Audit, Game]:
    named = Named(logs=LOGS, module=SAMPLE / "crossroads.vmod", pack=pack)
    return audit_files(named, None, EVERYONE, DEFAULT_LIMITS)


def verdicts(found: Audit) -> list[str]:
    return [move.verdict if move.judged else "not judged" for move in found.moves]


def record(key: Key, value: str, status: str) -> Record:
    by_program = status in ("suggested", "imported", "filled")
    method = Method("program", "colours 0.1") if by_program else Method("person", "map editor")
    return Record(key, value, status, ("Wren",), DAY, method)  # type: ignore[arg-type]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    shutil.copytree(SAMPLE / "pack", folder)
    text = (folder / "pack.toml").read_text("utf-8")
    assert text.count("[board]") == 1
    (folder / "pack.toml").write_text(text.replace("[board]", REQUIRED), "utf-8")
    return folder


@pytest.fixture(scope="module")
def plain() -> tuple[Audit, Game]:
    return audited(SAMPLE / "pack")


def all_records(game: Game, statuses: tuple[str, ...], seed: int) -> list[Record]:
    rng = random.Random(seed)
    values = sorted(values_of(game.board).items())
    return [record(key, value, rng.choice(statuses)) for key, value in values]


def write(pack: Path, records: list[Record]) -> list[str]:
    (pack / FILE).write_text(provenance_csv(records), "utf-8")
    return (pack / FILE).read_text("utf-8").splitlines(keepends=True)


def test_a_pack_that_is_looked_at_says_what_it_said_without_records(
    pack: Path, plain: tuple[Audit, Game]
) -> None:
    write(pack, all_records(plain[1], ("looked-at",), 0))
    assert verdicts(audited(pack)[0]) == verdicts(plain[0])


@pytest.mark.parametrize("seed", range(4))
def test_no_open_move_is_decided_by_a_lost_record(
    pack: Path, plain: tuple[Audit, Game], seed: int
) -> None:
    rng = random.Random(seed)
    rows = write(pack, all_records(plain[1], STATUSES, seed))
    before = verdicts(audited(pack)[0])
    assert "unverifiable" in before
    assert {"legal", "illegal"} & {*before}
    cuts = [rows[:end] for end in rng.sample(range(1, len(rows)), 6)]
    waiting = [row for row in rows[1:] if "program:" in row]
    cuts += [[row for row in rows if row not in waiting]]
    cuts += [[row for row in rows if row not in rng.sample(waiting, 9)] for _ in range(3)]
    cuts += [[*rows[:lost], *rows[lost + 1 :]] for lost in rng.sample(range(1, len(rows)), 4)]
    for number, kept in enumerate([*cuts, rows[:1], None]):
        if kept is None:
            (pack / FILE).unlink()
        else:
            (pack / FILE).write_text("".join(kept), "utf-8")
        after = verdicts(audited(pack)[0])
        for move, (one, other) in enumerate(zip(before, after, strict=True)):
            if other in ("legal", "illegal"):
                assert one == other, (seed, number, move)


def test_suggested_cells_without_the_word_required_are_an_error(
    tmp_path: Path, plain: tuple[Audit, Game]
) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(SAMPLE / "pack", folder)
    write(folder, all_records(plain[1], ("suggested",), 0)[:1])
    with pytest.raises(Exception, match='provenance = "required"'):
        audited(folder)
