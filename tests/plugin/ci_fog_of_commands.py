"""What no command, format, call of the studio or page tells: where a counter is that its reader may not see.

A counter of a sample is hidden and put elsewhere (``hiding.py``), where its player turns it instead of moving
it, and everything is asked for again. Where one more accusation is left open than before, or one less,
nothing is compared: that much is told on purpose.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tiers import PROOF, SEED, by_tier, drawn
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import DIRECTOR, Viewer
from vassal_umpire.plugin.auditing import audit_game, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio import findings_view
from vassal_umpire.plugin.studio.game_desk import GameDesk
from vassal_umpire.plugin.studio.session import Studio

from .ci_studio_privacy import told as told_by_studio
from .everything import Asked, run, written
from .hiding import (
    PLAYED,
    SHARE,
    Cloak,
    chosen,
    cloaked,
    facts_of,
    logs_of,
    opened,
    others,
    places_for,
    worn,
)
from .kit import CROSSROADS, SAMPLES, TURN_1

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed ([frames])")

TRIES = 5
"""Places tried before a counter is given up of which accusations hang wherever it is."""


def hidden(sample: str) -> Iterator[tuple[Cloak, Cloak, list[Viewer]]]:
    """Counters hidden where they were and elsewhere, such that the same accusations are made to those who may
    not see them; in the order drawn."""
    for unit, side in chosen(sample, 10_000):
        viewers = others(sample, side)
        here = Cloak(unit, side)
        known = audits(sample, here, viewers)
        for place in places_for(sample, unit, TRIES):
            there = Cloak(unit, side, place, still=True)
            if audits(sample, there, viewers) == known:
                yield here, there, viewers
                break


def audits(sample: str, cloak: Cloak, viewers: list[Viewer]) -> list[Audit]:
    director = opened(sample, cloaked(sample, cloak), DIRECTOR)
    true = audit_game(director, None)
    return [audit_game(director.seen_by(viewer), None, truth=true) for viewer in viewers]


def asked(sample: str) -> Asked:
    pack = SAMPLES / sample / "pack"
    midway = (CROSSROADS / "midway.vsav", TURN_1) if sample == CROSSROADS.name else None
    return Asked(
        logs_of(sample), next((SAMPLES / sample).glob("*.vmod")), pack, facts_of(sample), midway
    )


def kept(eyes: tuple[str, ...], game: Path, out: Path, owner: str) -> Iterator[tuple[str, bytes]]:
    """What the commands print and write of a game that is kept in a folder, but for the pages of ``owner``,
    who may see the counter."""
    yield "game status", run("game", "status", game, *eyes)
    yield "game report", run("game", "report", game, *eyes, "-v", "--format", "html")
    yield "desk", run("desk", game.parent, *eyes)
    if not eyes:
        full = ("--full",) if PROOF else ()  # the reports are those of the commands
        yield "game mail", run("game", "mail", game, *full, "-o", out / "mail.zip")
        own = re.compile(rf"(report-)?{owner}\.")
        yield from (one for one in written(out / "mail.zip") if not own.search(one[0]))


def interfaces(sample: str, viewer: Viewer, game: Path) -> Iterator[tuple[str, bytes]]:
    """What the studio, the Python interface and tables of many games tell."""
    logs, pack = logs_of(sample), SAMPLES / sample / "pack"
    evidence = read_evidence(Named(logs), DEFAULT_LIMITS)
    facts = facts_of(sample) or pack / "facts.toml"
    desk = GameDesk(read_game_folder(game))
    studio = Studio(pack, facts, evidence, viewer, DEFAULT_LIMITS, game=desk)
    try:
        studio._read_and_judge(lambda *_: None)
        pieces = list(evidence.history.logs[0].opening.pieces)
        for number, (path, text) in enumerate(told_by_studio(studio, pieces)):
            yield f"{number} {path}", text
    finally:
        studio.close()
    yield from asked(sample).in_python(viewer)
    yield from asked(sample).batches(viewer)


@pytest.fixture
def same_every_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names drawn by chance are the same. Except in a proof, a game is audited once, and nothing is said of
    what the pack is suspected of."""
    monkeypatch.setattr(findings_view, "token_hex", lambda length: "0" * length)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda length: "0" * length)
    for quicker in () if PROOF else ("audited_once", "unsuspected"):
        request.getfixturevalue(quicker)


def everything(sample: str, cloak: Cloak, viewers: list[Viewer], folder: Path) -> dict[str, bytes]:
    """All that is told to ``viewers`` while a counter is hidden, by what tells it and to whom. It is written
    below ``folder``, which is emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    game = folder / "games" / "one"
    found: dict[str, bytes] = {}
    with worn(cloak):
        module = next((SAMPLES / sample).glob("*.vmod"))
        facts = facts_of(sample)
        named = ("--facts", facts) if facts is not None else ()
        game.parent.mkdir(parents=True)
        run("game", "new", game, "--module", module, "--pack", SAMPLES / sample / "pack", *named)
        found["game add"] = run("game", "add", game, *logs_of(sample))
        found["game.toml"] = (game / "game.toml").read_bytes()
        for viewer in viewers:
            eyes = ("--as", viewer.side) if viewer.side is not None else ()
            out = folder / str(viewer)
            out.mkdir()
            for told in (
                asked(sample).commands(eyes, out),
                kept(eyes, game, out, cloak.side),
                interfaces(sample, viewer, game),
            ):
                found |= {f"{what}, for {viewer}": text for what, text in told}
    return found


QUICK = tuple(sample for sample in PLAYED if sample != "wacht-am-rhein")
"""Without the sample that takes longest."""


@pytest.mark.usefixtures("same_every_time")
@pytest.mark.parametrize("sample", by_tier(drawn(QUICK, 1), drawn(QUICK, 1), PLAYED))
def test_nobody_is_told_where_a_counter_is_that_he_may_not_see(sample: str, tmp_path: Path) -> None:
    compared = 0
    for here, there, viewers in islice(hidden(sample), SHARE):
        looking = viewers if PROOF else [Random(SEED).choice(viewers)]
        one, other = (everything(sample, c, looking, tmp_path / "x") for c in (here, there))
        assert one.keys() == other.keys()
        assert [what for what in one if one[what] != other[what]] == [], here.unit
        compared += 1
    assert compared, "every counter of the sample decides an accusation"
