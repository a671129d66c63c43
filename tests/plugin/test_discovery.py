"""Which module beside a log is the log's, what is said of the others, and one with its own numbering."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
import vassal_umpire as vu
from vassal_umpire.importers.vassal.commands import Check, encode_stream
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.metadata import Metadata, write_metadata
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.model.finding import Audit
from vassal_umpire.plugin.discovery import modules_beside

from . import kit
from .kit import CROSSROADS, LOGS, MODULE, entry_of, plain, printed, put, zip_with


def module(folder: Path, file: str, name: str, version: str = "1.0", *, old: bool = False) -> Path:
    path = folder / file
    with zipfile.ZipFile(path, "w") as archive:
        root = f'<VASSAL.build.GameModule name="{name}" version="{version}"/>'
        archive.writestr("buildFile.xml", f'<?xml version="1.0"?><!-- > -->{root}')
        if not old:
            archive.writestr("moduledata", write_metadata(Metadata(name, version)))
    return path


OTHER_BUILD = '<VASSAL.build.GameModule name="Ardennes" version="1.0" description="mine"/>'


def save(folder: Path, *opening: object) -> Path:
    """A save without metadata."""
    write_save(folder / "game.vsav", encode_stream(list(opening), []))
    return folder / "game.vsav"


def checks(name: str, version: str) -> Check:
    told = f"Version mismatch.|Game saved using {name} version {version}."
    return Check(f"version<{version}", (f"ALERT\\\t{told}",))


def found(log: Path) -> str | None:
    beside = modules_beside(log, read_save(log).module, DEFAULT_LIMITS).found
    return None if beside is None else beside.name


def test_of_several_modules_none_is_taken_for_a_save_that_says_nothing(tmp_path: Path) -> None:
    """Nor the only one a folder above."""
    below = tmp_path / "saves"
    below.mkdir()
    module(tmp_path, "above.vmod", "Above")
    log = save(below)
    assert found(log) == "above.vmod"
    shutil.copy(module(below, "a.vmod", "A"), below / "copy.zip")
    assert found(log) == "a.vmod"
    module(below, "b.vmod", "B")
    assert found(log) is None
    beside = modules_beside(log, None, DEFAULT_LIMITS)
    assert [path.name for path, _ in beside.refused] == ["a.vmod", "b.vmod", "copy.zip"]
    assert "the log does not say which" in beside.refused[0][1]


def test_an_old_save_names_its_module_in_the_check_of_its_version(tmp_path: Path) -> None:
    module(tmp_path, "a.vmod", "Ardennes")
    module(tmp_path, "b.vmod", "Bulge version 2", "0.0", old=True)
    assert found(save(tmp_path, checks("Bulge version 2", "0.0"))) == "b.vmod"
    assert found(save(tmp_path, checks("Ardennes", "1.0"))) == "a.vmod"
    assert found(save(tmp_path, checks("Cobra", "1.0"))) is None


def test_a_module_without_metadata_is_known_by_its_build_file(tmp_path: Path) -> None:
    module(tmp_path, "other.mod", "Other", old=True)
    log = save(tmp_path, checks("Ardennes", "1.0"))
    assert found(log) is None  # it was taken, as it did not seem to say its name
    module(tmp_path, "ardennes.mod", "Ardennes", old=True)
    assert found(log) == "ardennes.mod"


def test_of_two_other_versions_none_is_taken(tmp_path: Path) -> None:
    log = save(tmp_path, checks("Ardennes", "1.0"))
    module(tmp_path, "a2.vmod", "Ardennes", "2.0")
    assert found(log) == "a2.vmod"
    module(tmp_path, "a3.vmod", "Ardennes", "3.0")
    assert found(log) is None
    module(tmp_path, "a1.vmod", "Ardennes", "1.0")
    assert found(log) == "a1.vmod"


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("audit",), "umpire audit turn-1.vlog --module 'my crossroads.vmod'; put"),
        (("check",), "umpire check turn-1.vlog --module 'my crossroads.vmod'; put"),
        (
            ("pack", "new", "-o", "mine"),
            "umpire pack new -o mine turn-1.vlog 'my crossroads.vmod'; put",
        ),
    ],
    ids=["audit", "check", "pack new"],
)
def test_a_module_of_another_name_is_named_with_the_line_that_takes_it(
    command: tuple[str, ...], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(kit.TURN_1, tmp_path)
    shutil.copytree(kit.PACK, tmp_path / "pack")
    kit.another_module(tmp_path).rename(tmp_path / "my crossroads.vmod")
    monkeypatch.chdir(tmp_path)
    refused = kit.umpire(*command, "turn-1.vlog")
    assert refused.exit_code == 3
    (told,) = refused.stderr.splitlines()
    assert "the module 'Crossroads' 1.0 of this game was not found" in told
    assert "my crossroads.vmod is the module 'Byways'" in told
    assert f"right one: {line}" in told


def test_the_module_that_a_pack_was_made_for_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the log names another; not where two may be it, nor by a pack that is not for such logs."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(kit.TURN_1, tmp_path)
    shutil.copytree(kit.PACK, tmp_path / "pack")
    put(Path("pack/pack.toml"), 'modules = ["Crossroads"]', 'modules = ["Byways"]')
    byways = kit.another_module(tmp_path)
    assert "was not found" in kit.umpire("audit", "turn-1.vlog").stderr
    shutil.rmtree("pack")
    kit.done("pack", "new", "byways.vmod", "turn-1.vlog", "-o", "mine")
    assert "'Byways' was given" in plain(printed("audit", "turn-1.vlog", codes=(3,)))
    own = shutil.copy(MODULE, tmp_path)  # of which the pack knows nothing
    assert "does not fit" in kit.umpire("audit", "turn-1.vlog", "--pack", "mine").stderr
    Path(own).unlink()
    shutil.move("mine", tmp_path / "apart" / "mine")  # with the module: far from the log
    shutil.move(byways, tmp_path / "apart")
    assert "was not found" in kit.umpire("audit", "turn-1.vlog").stderr
    told = printed("audit", "turn-1.vlog", "--pack", "apart/mine", codes=(3,))
    assert "'Byways' was given" in plain(told)
    module(tmp_path / "apart", "another.vmod", "Byways")
    assert "was not found" in kit.umpire("audit", "turn-1.vlog", "--pack", "apart/mine").stderr


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "--pack", kit.PACK),
        ("show",),
        ("check", "--pack", kit.PACK),
        ("pack", "check", kit.PACK),
        ("pack", "suggest-chart", kit.PACK),
    ],
    ids=lambda words: " ".join(map(str, words[:2])),
)
def test_a_module_among_the_logs_is_taken_for_the_module(
    words: tuple[object, ...], tmp_path: Path
) -> None:
    log = shutil.copy(kit.TURN_1, tmp_path)
    (tmp_path / "apart").mkdir()
    module = shutil.copy(kit.MODULE, tmp_path / "apart")
    named = kit.umpire(*words, log, "--module", module)
    among = kit.umpire(*words, module, log)
    assert (among.exit_code, among.output) == (named.exit_code, named.output)
    assert named.exit_code in (0, 1)
    refused = kit.refused(*words, module, log, "--module", kit.MODULE)
    assert "there is more than one module; expected files of one game" in refused


def test_a_module_is_found_under_the_name_that_a_browser_gives_it(tmp_path: Path) -> None:
    log = save(tmp_path, checks("Ardennes", "1.0"))
    shutil.copy(kit.TURN_1, tmp_path / "game.zip")
    assert modules_beside(log, None, DEFAULT_LIMITS).found is None
    module(tmp_path, "ardennes.vmod.zip", "Ardennes")
    assert found(log) == "ardennes.vmod.zip"


def test_of_two_modules_of_one_name_and_version_none_is_taken_unless_they_are_the_same(
    tmp_path: Path,
) -> None:
    log = save(tmp_path, checks("Ardennes", "1.0"))
    shutil.copy(module(tmp_path, "a.vmod", "Ardennes"), tmp_path / "b.vmod")
    assert found(log) == "a.vmod"
    with zipfile.ZipFile(tmp_path / "b.vmod", "a") as archive:
        archive.writestr("a picture", "of another size")
    assert found(log) == "a.vmod"
    kit.zip_with(tmp_path / "a.vmod", tmp_path / "b.vmod", {"buildFile.xml": OTHER_BUILD})
    assert found(log) is None


def test_a_log_read_without_its_module_says_so_as_well(tmp_path: Path) -> None:
    shutil.copy(kit.TURN_1, tmp_path)
    module(tmp_path, "other.vmod", "Crossroads 2e")
    told = kit.done("inspect", tmp_path / "turn-1.vlog")
    assert "other.vmod is the module 'Crossroads 2e'" in " ".join(told.split())


# -- a numbering of a module's own: audited by the names that its pieces remember -------------------


ENGINES = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Crossroads, its hexes numbered by a class that nobody has."""
    build = entry_of(kit.MODULE, "buildFile.xml").replace(ENGINES, "own.HexGridNumbering")
    kit.zip_with(kit.MODULE, tmp_path / kit.MODULE.name, {"buildFile.xml": build})
    shutil.copytree(CROSSROADS / "pack", tmp_path / "pack")
    shutil.copy(CROSSROADS / "turn-2.vlog", tmp_path)
    return tmp_path


def said(audit: Audit) -> list[tuple[str, str]]:
    return [(finding.clause, finding.explanation) for finding in audit.findings]


def test_the_audit_says_the_same_as_of_the_engines_own_numbering(game: Path) -> None:
    plain = vu.audit(CROSSROADS / "turn-2.vlog")
    audit = vu.audit(game / "turn-2.vlog")
    assert said(plain)
    assert said(audit) == said(plain)
    (note,) = (p for p in audit.problems if p.code == "names-by-pieces")
    assert re.search(r"own\.HexGridNumbering.* (\d+) of \1 agree", note.message)


def test_a_pack_written_before_any_piece_had_moved_still_fits(game: Path) -> None:
    """Its hexes go by raw column and row: the first of 0101 is 00.00."""

    def raw(found: re.Match[str]) -> str:
        return f"{int(found[1]) - 1:02d}.{int(found[2]) - 1:02d}"

    for name in ("hexes.csv", "lines.csv"):
        file = game / "pack" / name
        file.write_text(re.sub(r"\b(\d\d)(\d\d)\b", raw, file.read_text()))
    audit = vu.audit(game / "turn-2.vlog")
    plain = vu.audit(CROSSROADS / "turn-2.vlog")
    assert [(f.clause, f.kind) for f in audit.findings] == [
        (f.clause, f.kind) for f in plain.findings
    ]


def test_a_module_of_another_version_is_named_once_where_logs_were_played_with_one(
    tmp_path: Path,
) -> None:
    about = entry_of(MODULE, "moduledata").replace("<version>1.0", "<version>2.0")
    build = re.sub(
        '(?<=<VASSAL)(.*?) version="1.0"',
        r'\1 version="2.0"',
        entry_of(MODULE, "buildFile.xml"),
        count=1,
    )
    newer = {"buildFile.xml": build, "moduledata": about}
    home = tmp_path / "apart" / "game"  # packs are looked for one folder above it as well
    home.mkdir(parents=True)
    module = zip_with(MODULE, home / MODULE.name, newer)
    told = plain(printed("audit", *LOGS, "--module", module, codes=(3,)))
    says = (
        "turn-1.vlog: it was played with version 1.0 of the module; the module that was read is 2.0"
    )
    assert told.count(says) == 2  # above all, and among the problems
    assert "turn-2.vlog: it was played" not in told
    assert "played with version" not in printed("show", LOGS[0])


def test_without_its_module_a_turn_tracker_shows_nothing_that_nobody_can_read(
    tmp_path: Path,
) -> None:
    log = shutil.copy(CROSSROADS / "turn-1.vlog", tmp_path)
    for form in ("text", "markdown"):
        told = printed("show", log, "--format", form)
        assert "0|1;" not in told
        assert "TurnTracker0" not in told
        assert " ".join(told.split()).count("the turn tracker moves on") == 2
    assert '"after":"0|1;' in printed("show", log, "--format", "jsonl")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("gone.vlog", "gone.vlog: cannot be opened: No such file"),
        (str(MODULE), "it is a module or an extension: umpire inspect tells what is in it"),
    ],
)
def test_what_stands_in_place_of_a_log_is_named(named: str, said: str) -> None:
    assert said in kit.refused(named)
