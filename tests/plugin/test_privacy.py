"""Secrets of every kind, against every command, form and pair of eyes."""

from __future__ import annotations

import os
import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from tiers import SEED, by_tier, drawn
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import encode_stream
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import saved_game_bytes
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.discovery import module_file

from .everything import Asked, run
from .secrets import PRIVATE_MAP, Secrets, tokens_in, with_private_map

DRILL = Path(__file__).resolve().parents[1] / "importers" / "pack" / "drill"
RED, BLUE = "drill-key-r", "drill-key-u"
EYES = ((), ("--as", "Red"), ("--as", "Blue"), ("--as", "Nobody"), ("--director",))
SIDE_OF = {RED: "Red", BLUE: "Blue", "stranger": None}
KINDS = ("hidden", "masked", "private", "card", "note")


def outputs(
    log: Path, module: Path, pack: Path, viewer: tuple[str, ...], folder: Path
) -> Iterator[tuple[str, bytes]]:
    """All that is told of a game for one pair of eyes."""
    midway = folder / "midway.vsav"
    opening = encode_stream(with_one_more(read_save(log).opening), [])
    midway.write_bytes(saved_game_bytes(opening, moduledata=_moduledata(log)))
    asked = Asked((log,), module, pack, midway=(midway, log))
    eyes = Viewer(viewer[1] if viewer[:1] == ("--as",) else None, viewer == ("--director",))
    yield from asked.commands(viewer, folder)
    yield from asked.batches(eyes)
    yield from asked.in_python(eyes, every=10)


def with_one_more(opening: Sequence[str]) -> list[str]:
    """The commands of a position with a second copy of its first piece: it is not where the log began."""
    place, first = next((n, c) for n, c in enumerate(opening) if c.startswith("+/"))
    _, piece, rest = first.split("/", 2)
    return [*opening[: place + 1], f"+/{piece}0/{rest}", *opening[place + 1 :]]


def may_know(kind: str, owner: str, viewer: tuple[str, ...]) -> bool:
    """Whether a secret is open to these eyes: cards lie face down, and no note is ever told."""
    if kind == "note":
        return False
    if viewer == ("--director",):
        return True
    if kind == "card":
        return False
    side = "Red" if kind == "private" else SIDE_OF[owner]
    return side is not None and viewer == ("--as", side)


def test_what_a_log_hides_is_shown_to_nobody_else(tmp_path: Path) -> None:
    """One game and one command; the tests below try all of them."""
    log, _, tokens = a_game_of_secrets("drill-2-blue", RED, tmp_path)
    for viewer in ((), ("--as", "Blue")):
        secret = [token for token, kind in tokens.items() if not may_know(kind, RED, viewer)]
        told = run("show", log, *viewer, "--format", "jsonl")
        assert told, "nothing was shown"
        assert tokens_in([told], [*secret, RED, BLUE]) == set(), viewer


WHOSE = [
    (name, owner) for name in ("drill-1-red", "drill-2-blue") for owner in (RED, BLUE, "stranger")
]


@pytest.mark.ci
@pytest.mark.usefixtures("audited_once")
@pytest.mark.parametrize(
    ("name", "owner"), by_tier(WHOSE[:1], ci=[WHOSE[SEED % len(WHOSE)]], proof=WHOSE)
)
def test_secrets_stay_secret(name: str, owner: str, drill_pack: Path, tmp_path: Path) -> None:
    log, module, tokens = a_game_of_secrets(name, owner, tmp_path)
    seen: dict[str, set[tuple[str, ...]]] = {kind: set() for kind in KINDS}
    eyes, suspecting = drawn(EYES, 3), set[tuple[str, ...]]()
    for number, viewer in enumerate(eyes):
        folder = tmp_path / str(number)
        folder.mkdir()
        secret = [t for t, kind in tokens.items() if not may_know(kind, owner, viewer)]
        for what, text in outputs(log, module, drill_pack, viewer, folder):
            assert tokens_in([text], secret) == set(), (what, viewer)
            assert tokens_in([text], [RED, BLUE, "stranger"]) == set(), what
            for token in tokens_in([text], tokens):
                seen[tokens[token]].add(viewer)
            if what == "report.json" and re.search(rb'"kind": ?"chart"', text):
                suspecting.add(viewer)
    assert suspecting == {viewer for viewer in eyes if "Nobody" not in viewer}, "of numbers"
    for kind in ("hidden", "masked", "private"):  # those who may know are told
        expected = {viewer for viewer in eyes if may_know(kind, owner, viewer)}
        if owner == BLUE and name == "drill-1-red" and kind != "private":
            # nobody has sat down for Blue yet: whose id it is cannot be told
            expected &= {("--director",)}
        assert seen[kind] == expected, kind


@pytest.mark.ci
@pytest.mark.usefixtures("audited_once")
@pytest.mark.parametrize("viewer", drawn([(), ("--as", "Blue")], 1), ids=str)
def test_others_change_none(viewer: tuple[str, ...], drill_pack: Path, tmp_path: Path) -> None:
    """Other names, pictures, labels, notes, another order of the cards: the same outputs, but for the digests
    of the files."""
    told: list[dict[str, bytes]] = []
    for variant in range(2):
        folder = tmp_path / str(variant)
        folder.mkdir()
        log, module, _ = a_game_of_secrets("drill-2-blue", RED, folder, variant)
        shown = outputs(log, module, drill_pack, viewer, folder)
        told.append({f"{n} {what}": plain(text, folder) for n, (what, text) in enumerate(shown)})
    assert told[0].keys() == told[1].keys()
    assert [what for what in told[0] if told[0][what] != told[1][what]] == []


def plain(text: bytes, folder: Path) -> bytes:
    """An output without digests (whole, or their beginning), the ids of offences, which are made of them, and
    seals, and without the name of its folder, from the root or from here."""
    bare = text.replace(str(folder).encode(), b"").replace(os.path.relpath(folder).encode(), b"")
    return re.sub(rb"\b(?:[0-9a-f]{12}|[0-9a-f]{16}(?:[0-9a-f]{16}){0,3})\b", b"DIGEST", bare)


def a_game_of_secrets(
    name: str, owner: str, folder: Path, variant: int = 0
) -> tuple[Path, Path, dict[str, str]]:
    """A log and its module, and the tokens in it with the kind of secret they are. Two variants differ in
    secrets alone."""
    more = "xy"[variant]
    save = read_save(DRILL / f"{name}.vlog")
    secrets = Secrets(save)
    named = {piece.base.name: one for one, piece in secrets.pieces().items()}  # type: ignore[union-attr]
    hidden = ("Red Inf", "Red Arm", "Blue Inf", "Blue Cav")
    moved = [one for n, one in named.items() if n.startswith(hidden)]
    cards = [card for deck in secrets.decks().values() for card in deck]
    moved.sort(key=lambda piece: not secrets.is_alone(piece))
    assert len(moved) >= 6
    assert cards
    for number, piece in enumerate(moved):
        if number % 3 == 0:
            secrets.hide(piece, owner, f"qhidden{number}{more}")
        elif number % 3 == 1:
            secrets.mask(piece, owner, f"qmasked{number}{more}")
    secrets.put_away(moved[2], PRIVATE_MAP, f"qprivate2{more}")
    touched = {text[2:].split("/", 1)[0] for step in secrets.steps for text in step}
    for number, card in enumerate(cards):
        if card not in touched:
            secrets.name(card, f"qcard{number}{more}")
    secrets.note(owner, f"qnote1{more}")
    for deck in secrets.decks():
        secrets.shuffle(deck, random.Random(variant))
    log, module = folder / "game.vlog", folder / "drill.vmod"
    data = _moduledata(DRILL / f"{name}.vlog")
    log.write_bytes(saved_game_bytes(secrets.text(), moduledata=data))
    text = secrets.text()
    pictures = {found: picture(variant) for found in re.findall(r"q\w+\.png", text)}
    with_private_map(DRILL / "drill.vmod", module, "Red", pictures)
    every = ((f"q{kind}{number}{more}", kind) for kind in KINDS for number in range(20))
    tokens = {name: kind for name, kind in every if name in text}
    assert set(tokens.values()) == set(KINDS)
    return log, module, tokens


REAL = ("engine-written/*/*.vsav", "synthetic/*.vlog", "nevsky/*.vsav", "ftp/*.vsav", "ccn/B001*.vsav",
        "vasl/templates-vsav/hip*.vsav", "vassal-tour/*.log")  # fmt: skip
"""Real saves in which cards lie in decks or on maps of one side's own, and counters are hidden or masked."""


@pytest.mark.each_corpus_file(*REAL, one_in=6)
def test_what_lies_hidden_in_a_real_save_is_told_to_nobody(path: Path, tmp_path: Path) -> None:
    save = read_save(path)
    file = module_file(path, save.moduledata, DEFAULT_LIMITS)
    module = open_module(file) if file is not None else None
    maps = {m.name: m.owners for m in module.maps if not m.visible_to_all} if module else {}
    secrets = Secrets(save)
    touched = {text[2:].split("/", 1)[0] for step in secrets.steps for text in step}
    kinds = {p: kind for p, kind in secrets.concealed(maps).items() if p not in touched}
    on = {p: getattr(piece.base, "map", None) for p, piece in secrets.pieces().items()}
    secrets.name_all({piece: token(piece) for piece in kinds})
    log = tmp_path / path.name
    log.write_bytes(saved_game_bytes(secrets.text(), moduledata=_moduledata(path)))
    if file is not None:
        (tmp_path / file.name).symlink_to(file)
    files = (file, log) if file is not None else (log,)
    for side in (None, *(module.sides if module else ())[:2]):
        viewer = ("--as", side) if side else ()
        secret = [
            token(p)
            for p, kind in kinds.items()
            if side is None
            or kind == "card"
            or (kind == "private" and side not in maps[on[p] or ""])
        ]
        target = tmp_path / f"{side}.json"
        told = [
            run("show", log, *viewer, "--format", "jsonl"),
            run("inspect", log, *viewer, "--format", "json"),
            run("convert", *files, *viewer, "-o", target),
            target.read_bytes(),
        ]
        assert tokens_in(told, secret) == set(), viewer
    if kinds:  # the director is told of them: they are there to be told
        target = tmp_path / "all.json"
        run("convert", *files, "--director", "-o", target)
        assert tokens_in([target.read_bytes()], map(token, kinds))


def token(piece: str) -> str:
    return f"qsecret{piece}q"


def picture(variant: int) -> bytes:
    """A counter of one colour."""
    written = BytesIO()
    Image.new("RGB", (40, 40), ("maroon", "teal")[variant]).save(written, "PNG")
    return written.getvalue()


def _moduledata(log: Path) -> bytes | None:
    with zipfile.ZipFile(log) as archive:
        return archive.read("moduledata") if "moduledata" in archive.namelist() else None
