"""No report of a game in which nothing is decided says that nothing was found.

The games of the samples and logs of the folder of real files, each read once, with two packs that decide
nothing: one that calls no counter a unit, and one that calls all of them units and knows no phase. The
samples also with their own packs, which leave some moves open or find something.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sample_pack import SAMPLES
from tiers import SEED, by_tier
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import TomlFile, amended, load_pack, pack_of
from vassal_umpire.importers.pack.new_board import new_board
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import Evidence, audit_game, read_evidence
from vassal_umpire.plugin.commands.audit import NOTHING_DECIDED, exit_code
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import reports, rulesets
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.ruleset_needs import begun_tables

from .conftest import find_corpus
from .plugin.test_coverage import CLEAR

PLAYED = sorted(module.parent for module in SAMPLES.glob("*/*.vmod"))
DRAWN = by_tier(1, ci=3, proof=1_000)
"""Real logs that are read."""
DRILL = "engine-written/drill-1-red/drill.vmod"
MODULES = {
    "bloodbowl": "bloodbowl/BBVassal-lite.vmod",
    "ccn": "ccn/CommandsColorsNapoleonics.vmod",
    "damaged": DRILL,
    "drill-1-red": DRILL,
    "drill-2-blue": DRILL,
    "encodings": DRILL,
    "game": "tld/TheLongestDay-3.0b6.vmod",
    "kassala-1-moslem": "kassala/Kassala.vmod",
    "ragnarok-1-aesir": "hexncounters/ragnarok.vmod",
    "ragnarok-2-jotun": "hexncounters/ragnarok.vmod",
    "tld-1-germans": "tld/TheLongestDay-3.0b6.vmod",
}
"""The modules of logs, by the name of the folder that these lie in."""


def logs_of_others() -> list[tuple[Path, Path]]:
    """Some logs of the folder of real files, each with its module."""
    corpus = find_corpus()
    if corpus is None:
        return []
    found = [log for kind in ("*.vlog", "*.log") for log in corpus.rglob(kind)]
    known = sorted(log for log in found if log.parent.name in MODULES)
    drawn = random.Random(SEED).sample(known, min(DRAWN, len(known)))
    return [(log, corpus / MODULES[log.parent.name]) for log in drawn]


def deciding_nothing(evidence: Evidence) -> Iterator[Pack]:
    """Packs for a game that know its maps and no phase; the second calls every counter a unit."""
    sheets = [{"map": sheet.map} for sheet in new_board(evidence.layouts).sheets]
    for units in ({}, {"are": [{"name": "."}]}):
        values: dict[str, Any] = {
            "pack": {"name": "blank", "version": "1", "ruleset": "generic"},
            "board": {"sheet": sheets},
            "units": units,
            "rules": begun_tables(rulesets().parts["generic"]),
        }
        none = dict.fromkeys(("hexes.csv", "lines.csv", "units.csv"))
        yield pack_of(values, TomlFile("pack.toml", {}), none, "", "blank")


def clear_words(audited: Audit) -> list[str]:
    """The reports in which an audit says that nothing was found."""
    texts = {
        name: report.render(audited, ReportOptions()) for name, report in reports().parts.items()
    }
    assert set(texts) >= {"text", "markdown", "html", "csv", "json"}
    return [
        f"{name}: {words}"
        for name, text in texts.items()
        for words in CLEAR
        if words in " ".join(text.split()).lower()
    ]


def clears_nobody(evidence: Evidence) -> bool:
    """Whether there were drags; packs that decide nothing are tried, and no report may clear anybody."""
    drags = 0
    for pack in deciding_nothing(evidence):
        audited = audit_game(evidence.with_pack(pack, NO_FACTS, EVERYONE), None)
        assert not audited.coverage.decided
        assert clear_words(audited) == []
        drags += audited.coverage.drags
        if audited.coverage.drags:
            assert exit_code(audited, "finding") == NOTHING_DECIDED
    return bool(drags)


@pytest.mark.parametrize("folder", PLAYED, ids=lambda folder: folder.name)
def test_no_report_of_a_sample_clears_anybody_while_something_is_open(folder: Path) -> None:
    evidence = read_evidence(Named(tuple(sorted(folder.glob("*.vlog")))), DEFAULT_LIMITS)
    assert clears_nobody(evidence)
    facts = folder / "facts.toml"
    told = load_facts(facts) if facts.exists() else NO_FACTS
    pack = amended(load_pack(folder / "pack"), told)
    audited = audit_game(evidence.with_pack(pack, told, EVERYONE), None)
    assert audited.coverage.decided
    asked = any(finding.kind == "unverifiable" for finding in audited.findings)
    assert audited.findings or asked or not audited.coverage.is_whole
    assert clear_words(audited) == []


def test_no_report_of_a_real_game_clears_anybody_by_a_pack_that_decides_nothing() -> None:
    logs = logs_of_others()
    if not logs:
        pytest.skip("the corpus of real VASSAL files is not on this machine (set UMPIRE_CORPUS)")
    seen = []
    for log, module in logs:
        try:
            evidence = read_evidence(Named((log,), module), DEFAULT_LIMITS)
        except UmpireError:
            continue  # a damaged one
        seen.append(clears_nobody(evidence))
    assert any(seen), logs
