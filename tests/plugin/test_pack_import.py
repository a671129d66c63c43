"""``umpire pack import``: what is filled in, what stays, and that a dry run writes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.plugin.cli import main

SAMPLE = Path(__file__).parents[2] / "samples/crossroads"
WHOLE = ("--whole", "hexsides", "--whole", "lines")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The sample's pack without its map; the map's spreadsheets lie beside it."""
    folder = tmp_path / "pack"
    shutil.copytree(SAMPLE / "pack", folder)
    for name in ("hexes.csv", "lines.csv"):
        (folder / name).rename(tmp_path / name)
    toml = (folder / "pack.toml").read_text("utf-8")
    old = 'complete = ["hexsides", "lines", "levels"]'
    assert old in toml
    (folder / "pack.toml").write_text(toml.replace(old, "complete = []"), "utf-8")
    return folder


def run(pack: Path, *words: object) -> Result:
    files = [str(word) for word in words]
    module = str(SAMPLE / "crossroads.vmod")
    return CliRunner().invoke(
        main, ["pack", "import", *files, "--into", str(pack), "--module", module]
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def vouch(pack: Path) -> None:
    """Somebody looks at everything."""
    file = pack / "provenance.csv"
    text = file.read_text("utf-8")
    for program in ("imported,umpire", "program: umpire"):
        assert program in text
    text = text.replace("imported,umpire", "looked-at,Wren").replace(
        "program: umpire", "person: by eye"
    )
    file.write_text(text, "utf-8")


def audit(pack: Path) -> str:
    report = CliRunner().invoke(main, ["audit", str(SAMPLE / "turn-1.vlog"), "--pack", str(pack)])
    return report.stdout.partition("Summary")[2].partition("findings")[0]


@pytest.mark.ci
def test_what_is_imported_counts_once_somebody_has_looked(pack: Path, tmp_path: Path) -> None:
    result = run(pack, tmp_path / "hexes.csv", tmp_path / "lines.csv", *WHOLE)
    assert result.exit_code == 0, result.output
    assert "filled in  lines 341, features 121, hexsides 337, terrain 119" in result.stdout
    assert load_pack(pack).provenance_required
    assert {record.status for record in load_pack(pack).records} == {"imported"}
    assert "0 legal, 0 illegal, 9 unverifiable" in audit(pack)
    vouch(pack)
    assert "6 legal, 2 illegal, 1 unverifiable" in audit(pack)


def test_a_dry_run_says_the_same_and_writes_nothing(pack: Path, tmp_path: Path) -> None:
    before = contents(pack)
    files = (tmp_path / "hexes.csv", tmp_path / "lines.csv", *WHOLE)
    dry = run(pack, *files, "--dry-run").stdout
    assert contents(pack) == before
    assert "would fill in lines 341, features 121, hexsides 337, terrain 119" in dry
    run(pack, *files)
    after = contents(pack)
    again = run(pack, *files)
    assert "filled in  nothing" in again.stdout
    assert contents(pack) == after


def test_nothing_goes_over_what_was_typed_or_looked_at(pack: Path, tmp_path: Path) -> None:
    (pack / "hexes.csv").write_text("hex,terrain\n0102,hills\n0103,?\n")
    (pack / "lines.csv").write_text("kind,path\nriver,0101/0102\n")
    run(pack, tmp_path / "hexes.csv")
    vouch(pack)
    other = tmp_path / "other.csv"
    other.write_text("hex,terrain\n0101,clear\n0102,clear\n0103,clear\n")
    sides = tmp_path / "sides.csv"
    sides.write_text("side,hexsides\n0101/0102,none\n0102/0103,river\n")
    result = run(pack, other, sides)
    assert "0101 terrain: stays woods; other.csv line 2 has clear" in result.stdout
    assert "0102 terrain: stays hills; other.csv line 3 has clear" in result.stdout
    records = {record.key[:3]: record for record in load_pack(pack).records}
    assert records["0102", "terrain", ""].status == "typed"
    assert records["0103", "terrain", ""].status == "looked-at"
    assert records["0102/0103", "hexsides", "river"].status == "imported"
    assert "0102,hills" in (pack / "hexes.csv").read_text()


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("hex,terrain\n0101,bog\n", (), "found bog"),
        ("hex,terrain\n0101,bog\n", ("--name", "bog"), "expected two words joined by ="),
        ("hex,terrain\n0101,bog\n", ("--column", "kind=x"), "expected one of hex, terrain"),
        ("hex,terrain\n0999,clear\n", (), "expected a hex of the board; found 0999"),
        ("", (), "has no column that names hexes"),
    ],
)
def test_what_cannot_be_imported_is_told_and_nothing_written(
    pack: Path, tmp_path: Path, text: str, words: tuple[str, ...], said: str
) -> None:
    before = contents(pack)
    file = tmp_path / "t.csv"
    file.write_text(text)
    result = run(pack, file, *words)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
    assert contents(pack) == before


def test_a_name_that_means_another_is_translated(pack: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("hex,terrain\n0101,bog\n")
    assert run(pack, file, "--name", "bog=marsh").exit_code == 0
    assert (pack / "hexes.csv").read_text().splitlines()[1].startswith("0101,marsh")


@pytest.mark.ci
def test_all_that_differs_can_be_seen(pack: Path, tmp_path: Path) -> None:
    """Of much only the first is listed, and where the rest can be seen."""
    names = [f"{column:02d}{row:02d}" for column in (1, 2, 3) for row in range(1, 10)]
    files = []
    for number, kind in enumerate(("woods", "clear")):
        files.append(tmp_path / f"{number}.csv")
        rows = "".join(f"{name},{kind}\n" for name in [*names, "0401"][: 28 - number])
        files[-1].write_text("hex,terrain\n" + rows)
    few = run(pack, *files, "--dry-run").stdout
    assert "Left out, since the files differ (27)" in few
    assert "and 7 more: see --verbose" in few
    every = run(pack, *files, "--dry-run", "--verbose").stdout
    assert "more" not in every
    assert all(f"{name} terrain: woods" in every for name in names)


def test_a_corrected_table_takes_the_place_of_what_was_imported(pack: Path, tmp_path: Path) -> None:
    """Nobody has looked, so nothing is in its way; and no program's record says that somebody typed it."""
    file = tmp_path / "t.csv"
    file.write_text("hex,terrain\n0101,clear\n0102,woods\n")
    assert run(pack, file).exit_code == 0
    file.write_text("hex,terrain\n0101,clear\n0102,hills\n")
    result = run(pack, file)
    assert result.exit_code == 0, result.output
    assert "filled in  terrain 1" in result.stdout
    records = {record.key[:3]: record for record in load_pack(pack).records}
    assert records["0102", "terrain", ""].value == "hills"
    assert {record.status for record in records.values()} == {"imported"}


def test_a_zip_is_not_imported_into(pack: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "p.zip"
    zipped.write_bytes(b"PK")
    assert "is no folder of a pack" in run(zipped, tmp_path / "hexes.csv").output
