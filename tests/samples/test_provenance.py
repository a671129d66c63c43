"""The sample game with a pack some cells of which nobody looked at: a lost record decides no move."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import audit_files, done, umpire
from sample_pack import CROSSROADS as SAMPLE
from sample_pack import pack_copy, put
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.provenance import FILE, provenance_csv
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.model.schemas import faults
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin import shown
from vassal_umpire.plugin.auditing import Evidence, audit_game, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.reports.csv import REPORT as CSV
from vassal_umpire.plugin.reports.html import REPORT as HTML
from vassal_umpire.plugin.reports.json import REPORT as JSON
from vassal_umpire.plugin.reports.json import count_kinds, summary
from vassal_umpire.plugin.reports.markdown import REPORT as MARKDOWN
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.text import REPORT as TEXT
from vassal_umpire.validators import audit as auditing
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.unseen import held_by_truth

LOGS = tuple(sorted(SAMPLE.glob("turn-*.vlog")))
STATUSES = ("looked-at",) * 22 + ("typed", "suggested", "imported", "filled")
REQUIRED = '[board]\nprovenance = "required"'
DAY = "2026-11-22"


def audited(pack: Path) -> tuple[Audit, Game]:
    named = Named(logs=LOGS, module=SAMPLE / "crossroads.vmod", pack=pack)
    return audit_files(named, EVERYONE)


@cache
def evidence() -> Evidence:
    return read_evidence(Named(LOGS, SAMPLE / "crossroads.vmod"), DEFAULT_LIMITS)


def verdicts_by(pack: Path) -> list[str]:
    """The verdicts alone."""
    opened = evidence().with_pack(load_pack(pack), NO_FACTS, EVERYONE)
    return verdicts(audit_game(opened, None, suspicions=False))


def verdicts(found: Audit) -> list[str]:
    return [move.verdict if move.judged else "not judged" for move in found.moves]


def record(key: Key, value: str, status: str) -> Record:
    by_program = status in ("suggested", "imported", "filled")
    method = Method("program", "colours 0.1") if by_program else Method("person", "map editor")
    return Record(key, value, status, ("Wren",), DAY, method)  # type: ignore[arg-type]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return pack_copy(tmp_path / "pack", ("[board]", REQUIRED))


@pytest.fixture(scope="module")
def plain() -> tuple[Audit, Game]:
    return audited(SAMPLE / "pack")


class Guessed(NamedTuple):
    """The sample with every river suggested and all else looked at."""

    pack: Path
    audit: Audit
    game: Game


@pytest.fixture(scope="module")
def guessed(tmp_path_factory: pytest.TempPathFactory, plain: tuple[Audit, Game]) -> Guessed:
    pack = pack_copy(tmp_path_factory.mktemp("guessed") / "pack", ("[board]", REQUIRED))
    looked = all_records(plain[1], ("looked-at",), 0)
    river = [record(r.key, r.value, "suggested") if r.key.name == "river" else r for r in looked]
    write(pack, river)
    return Guessed(pack, *audited(pack))


def all_records(game: Game, statuses: tuple[str, ...], seed: int) -> list[Record]:
    rng = random.Random(seed)
    values = sorted(values_of(game.board).items())
    return [record(key, value, rng.choice(statuses)) for key, value in values]


def write(pack: Path, records: list[Record]) -> list[str]:
    (pack / FILE).write_text(provenance_csv(records), "utf-8")
    return (pack / FILE).read_text("utf-8").splitlines(keepends=True)


def test_what_a_program_has_looked_at_clears_and_accuses_nobody_and_every_report_says_that_no_person_has(
    pack: Path, plain: tuple[Audit, Game]
) -> None:
    seen = all_records(plain[1], ("looked-at",), 0)
    write(pack, seen)
    by_person, _ = audited(pack)
    program = Method("program", "the studio's contact sheet")
    write(pack, [replace(one, method=program) for one in seen])
    by_program, _ = audited(pack)
    assert verdicts(by_person) == verdicts(plain[0])
    pairs = list(zip(verdicts(by_program), verdicts(by_person), strict=True))
    assert [a for a, b in pairs if b != "illegal"] == [b for _, b in pairs if b != "illegal"]
    assert ("unverifiable", "illegal") in pairs
    assert any("and by no person" in str(problem) for problem in by_program.problems)
    assert not any("no person" in str(problem) for problem in by_person.problems)


@pytest.mark.ci
@pytest.mark.parametrize("seed", range(4))
def test_no_open_move_is_decided_by_a_lost_record(
    pack: Path, plain: tuple[Audit, Game], seed: int
) -> None:
    rng = random.Random(seed)
    rows = write(pack, all_records(plain[1], STATUSES, seed))
    before = verdicts_by(pack)
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
        after = verdicts_by(pack)
        for move, (one, other) in enumerate(zip(before, after, strict=True)):
            if other in ("legal", "illegal"):
                assert one == other, (seed, number, move)


def test_suggested_cells_without_the_word_required_are_an_error(
    tmp_path: Path, plain: tuple[Audit, Game]
) -> None:
    folder = pack_copy(tmp_path / "pack")
    write(folder, all_records(plain[1], ("suggested",), 0)[:1])
    with pytest.raises(Exception, match='provenance = "required"'):
        audited(folder)


def accusations(found: Audit) -> list[str]:
    return [f.code for f in found.findings if f.kind not in ("unverifiable", "note")]


def test_what_would_be_illegal_as_suggested_is_listed_apart(
    plain: tuple[Audit, Game], guessed: Guessed
) -> None:
    _, found, game = guessed
    assert "GEN-ALLOWANCE" in accusations(plain[0])
    assert "GEN-ALLOWANCE" not in accusations(found)
    (one,) = [s for s in found.suspicions if s.finding.code == "GEN-ALLOWANCE"]
    (before,) = [f for f in plain[0].findings if f.code == "GEN-ALLOWANCE"]
    assert one.finding.explanation == before.explanation
    assert one.finding.moves == before.moves
    assert one.cells
    assert {(cell.key.layer, cell.key.name, cell.status) for cell in one.cells} == {
        ("hexsides", "river", "suggested")
    }
    assert len(one.cells) < len(game.suggestions), "not the rivers of the whole map"
    assert summary(found)["findings"] == count_kinds(found.findings)


@pytest.mark.ci
def test_an_audit_without_suspicions_says_all_else(
    guessed: Guessed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, found, game = guessed
    asked = [u.question for move in found.moves for u in move.unknowns]
    assert any("nobody has looked at it" in question for question in asked)
    less = audit(game, rulesets().get(game.rules.name), suspicions=False)
    assert found.suspicions
    assert less == replace(found, suspicions=(), problems=less.problems)

    monkeypatch.setattr(auditing, "suspicions_of", _never)
    monkeypatch.setattr(shown, "suspicions_of", _never)
    folder = tmp_path / "game"
    done("game", "new", folder, "--module", SAMPLE / "crossroads.vmod", "--pack", pack)
    for command in (["add", folder, *LOGS], ["status", folder]):
        result = umpire("game", *command)
        assert result.exit_code == 0, result.output
        assert "failed" not in result.output
    whole = umpire("game", "report", folder)
    assert whole.exit_code == 70, "only who shows suspicions looks for them"


def _never(*_: object) -> None:
    raise AssertionError("nobody reads what is suspected here")


def test_every_report_lists_it_as_no_finding(plain: tuple[Audit, Game], guessed: Guessed) -> None:
    found = guessed.audit
    cell = found.suspicions[0].cells[0].key.cell
    for report in (TEXT, MARKDOWN, HTML):
        written = " ".join(report.render(found, ReportOptions(width=200)).split())
        assert "Not findings: cells to look at" in written
        assert "as suggested: look at" in written
        assert f"{cell} river (suggested)" in written
        assert "Not findings" not in report.render(plain[0], ReportOptions())
    rows = [
        line for line in CSV.render(found, ReportOptions()).splitlines() if "as suggested" in line
    ]
    assert rows
    assert all(row.startswith("as suggested,") for row in rows)
    plain_report = json.loads(JSON.render(found, ReportOptions()))
    assert faults("report", plain_report) == ()
    assert plain_report["as_suggested"][0]["would_be"]["code"] == found.suspicions[0].finding.code
    assert "as_suggested" not in json.loads(JSON.render(plain[0], ReportOptions()))


def test_it_does_not_count_for_the_exit_code(pack: Path, plain: tuple[Audit, Game]) -> None:
    write(pack, all_records(plain[1], ("suggested",), 0))
    ruleset = 'ruleset = "generic"'
    put(pack / "pack.toml", ruleset, f'{ruleset}\noff = ["GEN-STACKING"]')
    result = umpire("audit", *LOGS, "--pack", pack, "--fail-on", "finding")
    assert result.exit_code == 3, result.output  # nothing is decided on cells that nobody looked at
    assert "Not findings" in result.output


def test_what_the_truth_would_not_accuse_of_is_not_suspected(guessed: Guessed) -> None:
    _, found, game = guessed
    assert found.suspicions
    assert held_by_truth(game, found, lambda _: found) == found
    acquitted = replace(found, suspicions=())
    assert held_by_truth(game, found, lambda _: acquitted).suspicions == ()


def test_a_suggested_phase_is_not_known(tmp_path: Path, plain: tuple[Audit, Game]) -> None:
    facts = tmp_path / "facts.toml"
    stanza = '[[phase]]\nlog = 1\nsteps = "0-19"\nturn = "1"\nphase = "Movement"\nactive = "Blue"\n'
    head = '[facts]\nprovenance = "required"\n'

    def found(text: str, status: str | None) -> Audit:
        facts.write_text(text, "utf-8")
        file = tmp_path / "facts.provenance.csv"
        file.unlink(missing_ok=True)
        if status is not None:
            key = Key("1:0-1:19", "phase")
            file.write_text(provenance_csv([record(key, "1/Movement/Blue", status)]), "utf-8")
        named = Named(LOGS[:1], SAMPLE / "crossroads.vmod", SAMPLE / "pack", facts)
        return audit_files(named, EVERYONE)[0]

    typed = found(stanza, None)
    assert accusations(typed)
    assert verdicts(found(head + stanza, "looked-at")) == verdicts(typed)
    for status in ("suggested", None):
        waiting = found(head + stanza, status)
        assert "legal" not in verdicts(waiting)
        assert not accusations(waiting)
        assert {s.finding.code for s in waiting.suspicions} == {*accusations(typed)}
        assert any(cell.key.layer == "phase" for cell in waiting.suspicions[0].cells)
    with pytest.raises(Exception, match=r"provenance = .required. under \[facts\]"):
        found(stanza, "suggested")
    changed = found(head + stanza.replace("Blue", "Red"), "looked-at")
    assert not accusations(changed), "a changed value voids its record"


def test_a_fact_told_goes_before_a_suggestion_and_is_not_asked_again(
    pack: Path, plain: tuple[Audit, Game], tmp_path: Path
) -> None:
    looked = all_records(plain[1], ("looked-at",), 0)
    roads = {name for line in plain[1].board.lines for name in line.hexes}
    legal = [m.move.target.name for m in plain[0].moves if m.verdict == "legal" and m.judged]
    name = next(name for name in legal if name not in roads)
    guessed = Key(name, "terrain")
    write(pack, [record(r.key, r.value, "suggested") if r.key == guessed else r for r in looked])
    asked = {u.key for m in audited(pack)[0].moves for u in m.unknowns}
    assert f"hex {name} terrain" in asked
    facts = tmp_path / "facts.toml"
    terrain = json.dumps(plain[1].board.hexes[name].terrain)
    facts.write_text(f'[[hex]]\nhex = "{name}"\nterrain = {terrain}\n', "utf-8")
    named = Named(LOGS, SAMPLE / "crossroads.vmod", pack, facts)
    found, game = audit_files(named, EVERYONE)
    assert game.suggestions == ()
    assert not [u for m in found.moves for u in m.unknowns if name in u.key]
    assert verdicts(found) == verdicts(plain[0])


def test_hexes_whose_sides_are_told_need_no_whole_layer(
    tmp_path: Path, plain: tuple[Audit, Game]
) -> None:
    folder = pack_copy(tmp_path / "pack", ('"hexsides", "lines", ', ""))
    sheet = folder / "hexes.csv"
    before = verdicts(audited(folder)[0])
    assert before.count("unverifiable") > verdicts(plain[0]).count("unverifiable")
    head, _, rest = sheet.read_text("utf-8").partition("\n")
    empty = "," * head.count(",")
    every = f"*{empty},hexsides+lines\n"
    sheet.write_text(f"{head},told\n{rest.rstrip()}\n{every}", "utf-8")
    assert verdicts(audited(folder)[0]) == verdicts(plain[0])
    sheet.write_text(f"{head},told\n*{empty},rivers\n", "utf-8")
    with pytest.raises(Exception, match=r"hexes.csv line 2: .*hexsides or lines .* found rivers"):
        audited(folder)
