"""A report of a pack that decides nothing: it tells what was done, as one without a pack does."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tiers import by_tier
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.provenance import provenance_csv
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage
from vassal_umpire.plugin.shown import audit_shown
from vassal_umpire.plugin.studio import launch, opening
from vassal_umpire.plugin.studio.opening import Asked
from vassal_umpire.plugin.unruled import nothing_judged, or_what_was_done, without_rules

from . import kit
from .hiding import ALWAYS, Cloak, chosen, cloaked, places_for


@pytest.fixture(scope="module", name="log")
def _log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with its module."""
    folder = tmp_path_factory.mktemp("game") / "of" / "crossroads"  # packs of others lie elsewhere
    folder.mkdir(parents=True)
    shutil.copy(kit.MODULE, folder)
    return Path(shutil.copy(kit.TURN_1, folder))


@pytest.fixture(scope="module", name="pack")
def _pack(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack for it, as the program begins one."""
    folder = tmp_path_factory.mktemp("begun") / "my-pack"
    kit.done("pack", "new", log.with_name(kit.MODULE.name), log, "-o", folder)
    return folder


def test_a_pack_that_decides_nothing_shows_what_is_shown_without_one(log: Path, pack: Path) -> None:
    def drags(told: dict[str, Any]) -> list[tuple[object, ...]]:
        return [
            (one["units"], one["from"], one["to"], one["steps"], one["player"])
            for one in told["not_judged"]
        ]

    bare = kit.report_of(log, codes=(3,))
    told = kit.report_of(log, "--pack", pack, codes=(3,))
    assert told["ruleset"]["name"] == "generic"
    assert len(drags(bare)) == 10
    assert (drags(told), told["chat"]) == (drags(bare), bare["chat"])


def test_drags_that_are_listed_without_a_judgement_count_once(log: Path, pack: Path) -> None:
    told = kit.report_of(log, "--pack", pack, codes=(3,))["coverage"]
    assert sum(told["not_decided"].values()) == 11
    assert told["not_movement"] == 0


def test_a_pack_that_knows_no_place_of_what_was_moved_is_no_all_clear() -> None:
    log = kit.PROJECT / "samples" / "battle-for-moscow" / "1-german.vlog"
    told = kit.report_of(log, "--module", kit.MODULE, "--pack", kit.PACK, codes=(3,))
    assert len(told["not_judged"]) == 20
    assert told["coverage"]["said"].startswith("0 of 20 drags could be judged")
    assert told["next_step"]


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_report_of_a_pack_that_decides_nothing_lists_what_was_done(
    log: Path, pack: Path, form: str
) -> None:
    shown = kit.plain(kit.umpire("audit", log, "--pack", pack, "--format", form).stdout)
    for said in ("Moves (10)", "0206 → 0307 → 0206", "Chat (3)", "Everyone to the bridge!"):
        assert said in shown


def test_the_next_step_for_a_pack_that_decides_nothing_opens_the_studio_on_it(
    log: Path, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    asked: list[Asked] = []
    monkeypatch.setattr(opening, "open_asked", lambda one, *_: asked.append(one))
    monkeypatch.setattr(launch, "serve", lambda *_, **__: None)
    facts = tmp_path / "facts.toml"
    facts.write_text("")
    facts.with_name("facts.provenance.csv").write_text(provenance_csv(()), "utf-8")
    told = kit.report_of(log, "--pack", pack, "--facts", facts, codes=(3,))["next_step"]
    program, *words = shlex.split(told.partition(": ")[2])
    assert program == "umpire"
    kit.done(*words)
    (one,) = asked
    assert one.files == (Path(os.path.relpath(pack)), Path(kit.MODULE.name), Path(log.name))
    assert one.facts == Path(os.path.relpath(facts))


def test_a_pack_that_is_begun_ends_with_the_command_that_goes_on(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    for words in ((log.name,), (kit.MODULE.name, log.name)):
        folder = tmp_path / f"of-{len(words)}"
        last = kit.done("pack", "new", *words, "-o", folder).splitlines()[-1]
        files = last.removeprefix("  next    umpire studio ").split()
        assert files[0] == os.path.relpath(folder)
        assert sorted(files[1:]) == sorted((kit.MODULE.name, log.name))


def test_a_pack_that_is_only_read_is_made_ones_own_first(
    log: Path, pack: Path, tmp_path: Path
) -> None:
    zipped = tmp_path / "pack.zip"
    kit.done("pack", "zip", pack, "-o", zipped)
    told = kit.report_of(log, "--pack", zipped, codes=(3,))["next_step"]
    assert "umpire pack adopt" in told


@pytest.mark.parametrize("is_begun", [False, True])
def test_what_is_told_does_not_depend_on_what_is_hidden(pack: Path, *, is_begun: bool) -> None:
    begun = load_pack(pack) if is_begun else None
    for unit, side in chosen("crossroads", always=ALWAYS["crossroads"]):
        told = []
        for place in (None, *places_for("crossroads", unit, by_tier(1, ci=2))):
            evidence = cloaked("crossroads", Cloak(unit, side, place))
            if begun is None:
                opened = without_rules(evidence, EVERYONE)
                found = nothing_judged(opened, EVERYONE)
            else:
                opened = evidence.with_pack(begun, NO_FACTS, EVERYONE)
                found = audit_shown(opened, None, EVERYONE)
            drawn, found = or_what_was_done(opened, found, EVERYONE)
            assert len(found.moves) > 10
            assert unit not in drawn.game.units
            scene = stage(drawn.game, EVERYONE)
            options = ReportOptions("everyone", verbose=True, scene=scene)
            told.append([report.render(found, options) for report in reports().parts.values()])
        assert all(one == told[0] for one in told)
