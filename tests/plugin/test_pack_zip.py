"""A pack in one file: every ``--pack`` takes what ``umpire pack zip`` writes; harmful ones are refused."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import Unreadable

from . import kit


def written(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in entries:
            zipped.writestr(name, data)
    return path


def entries() -> list[tuple[str | zipfile.ZipInfo, bytes | str]]:
    return [(file.name, file.read_bytes()) for file in sorted(Path("pack").iterdir())]


def test_a_zip_is_the_same_pack(game: Path) -> None:
    kit.done("pack", "zip", "pack")
    folder, zipped = load_pack(Path("pack")), load_pack(Path("pack.zip"))
    assert zipped.sha256 == folder.sha256
    for what in ("values", "hexes", "counters"):
        assert getattr(zipped, what) == getattr(folder, what)
    assert zipped.files == (Path("pack.zip").absolute(),)
    with zipfile.ZipFile("pack.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            f"pack/{n}" for n in ("hexes.csv", "lines.csv", "pack.toml", "units.csv")
        ]


@pytest.mark.ci
def test_every_command_that_takes_a_pack_takes_a_zip(game: Path) -> None:
    kit.done("pack", "zip", "pack", "-o", "mine.zip")
    for command in (
        ("audit", "turn-1.vlog"),
        ("annotate", "turn-1.vlog", "-o", "annotated.vlog"),
        ("convert", "turn-1.vlog", "-o", "game.json"),
    ):
        plain, zipped = (kit.umpire(*command, "--force", "--pack", p) for p in ("pack", "mine.zip"))
        assert zipped.exit_code == plain.exit_code, zipped.output
        if command[0] == "audit":
            assert zipped.output.replace("mine.zip", "pack").split() == plain.output.split()
    kit.done("pack", "check", "mine.zip", "turn-1.vlog")


def test_the_same_files_give_the_same_zip_and_others_replace_it(game: Path) -> None:
    kit.done("pack", "zip", "pack")
    before = Path("pack.zip").read_bytes()
    kit.done("pack", "zip", "pack")
    assert Path("pack.zip").read_bytes() == before
    Path("pack.zip").write_bytes(before + b" ")
    kit.refused("pack", "zip", "pack")
    assert Path("pack.zip").read_bytes() == before + b" "


def test_a_zip_is_never_written_to_nor_zipped_nor_a_faulty_pack(game: Path) -> None:
    kit.done("pack", "zip", "pack")
    before = Path("pack.zip").read_bytes()
    kit.refused("audit", "turn-1.vlog", "--pack", "pack.zip", "-o", "pack.zip", "--force")
    assert Path("pack.zip").read_bytes() == before
    kit.done("pack", "zip", "pack")
    kit.refused("pack", "zip", "pack.zip", "-o", "other.zip")
    Path("pack/pack.toml").write_text("[pack]\n", "utf-8")
    kit.refused("pack", "zip", "pack", "-o", "other.zip")
    assert not Path("other.zip").exists()


@pytest.mark.parametrize("prefix", ["", "my pack/"])
def test_a_zip_made_by_hand_will_do(game: Path, prefix: str) -> None:
    named = [(f"{prefix}{name}", data) for name, data in entries()]
    file = written(Path("hand.zip"), *named, (f"{prefix}read me.txt", "hello"))
    assert load_pack(file).sha256 == load_pack(Path("pack")).sha256


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/etc/passwd", "absolute"),
        ("C:/x", "absolute"),
        ("c:x", "absolute"),
        ("\\\\host\\x", "absolute"),
        ("../x", "leads out"),
        ("a/../../x", "leads out"),
        ("a\\..\\x", "leads out"),
        ("a\\x", "not a name on some"),
        ("CON", "reserved"),
        ("a/nul.txt", "reserved"),
        ("LPT1.csv", "reserved"),
        ("com¹.txt", "reserved"),
        ("HEXES.csv", "one name"),
        ("UNITS.CSV", "one name"),
        ("x.", "not a name on some"),
        ("x ", "not a name on some"),
        ("a//b", "not a name on some"),
        ("./b", "not a name on some"),
        ("a\nb", "not a name on some"),
        ("a" * 300, "too long"),
    ],
)
def test_a_name_that_is_not_safe_refuses_the_zip(game: Path, name: str, said: str) -> None:
    file = written(Path("bad.zip"), *entries(), (name, "x"))
    with pytest.raises(Unreadable, match=said) as refused:
        load_pack(file)
    assert "\n" not in str(refused.value)


def refused(said: str, *more: tuple[str | zipfile.ZipInfo, bytes | str]) -> None:
    """The pack is not read with these in its zip."""
    with pytest.raises(Unreadable, match=said):
        load_pack(written(Path("bad.zip"), *entries(), *more))


def test_entries_of_one_name_links_and_too_many_are_refused(game: Path) -> None:
    refused("one name", ("caf\u00e9", "x"), ("cafe\u0301", "y"))
    with pytest.warns(UserWarning, match="Duplicate name"):
        refused("one name", ("hexes.csv", "hex\n"))
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    refused("is a link", (link, "/etc/passwd"))
    refused("entries", *((f"{i}.txt", "") for i in range(1_001)))


def test_no_pack_in_it_or_two_or_one_too_deep(game: Path) -> None:
    toml = Path("pack/pack.toml").read_bytes()
    for names in (["a.txt"], ["a/pack.toml", "b/pack.toml"], ["a/b/pack.toml"]):
        file = written(Path("bad.zip"), *((name, toml) for name in names))
        with pytest.raises(Unreadable, match="is not an audit pack"):
            load_pack(file)


def test_a_bomb_is_refused_before_it_is_unpacked(game: Path) -> None:
    kept = [(name, data) for name, data in entries() if name != "hexes.csv"]
    file = written(Path("bad.zip"), *kept, ("hexes.csv", b"\n" * (9 * 1024 * 1024)))
    with pytest.raises(Unreadable, match="too large"):
        load_pack(file)
    lies = bytearray(file.read_bytes())  # the directory of the zip says that it is small
    at = lies.rfind(b"PK\x01\x02", 0, lies.rfind(b"hexes.csv"))
    lies[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    file.write_bytes(lies)
    with pytest.raises(Unreadable):
        load_pack(file)
    # what is said is worded for packs
    bomb = written(Path("bad.zip"), *kept, ("provenance.csv", b"\n" * (60 * 1024 * 1024)))
    with pytest.raises(Unreadable, match="past the limit; ask its maker for the folder"):
        load_pack(bomb)
    Path("bad.zip").write_bytes(b"PK")
    with pytest.raises(Unreadable, match="is a damaged zip; fetch the file again"):
        load_pack(Path("bad.zip"))


@pytest.mark.parametrize("cut", [3, 40, 400, 2_000])
def test_a_damaged_zip_is_one_line(game: Path, cut: int) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as zipped:
        for name, text in entries():
            zipped.writestr(name, text)
    Path("bad.zip").write_bytes(data.getvalue()[:cut])
    said = kit.refused("audit", "turn-1.vlog", "--pack", "bad.zip")
    assert "bug" not in said
    assert len(said.strip().splitlines()) == 1
