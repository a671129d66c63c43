"""An appeal: everything an audit of a game depends on except the logs. With it the other player can repeat
the audit on his own machine, with his own logs, and compare the ids of the findings."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import __version__
from ...importers.game_folder.folder import GameFolder
from ...importers.ordinary import is_there
from ...importers.pack.facts_file import records_of
from ...importers.pack.files import is_zip, zip_of
from ...importers.pack.load import FILES, load_pack
from ...importers.pack.toml_text import read_bytes
from ...importers.vassal.archive import open_archive
from ...importers.vassal.limits import DEFAULT_LIMITS, MIB
from ...model.finding import Audit
from ...model.game import Source
from ...model.problem import UmpireError, Unreadable
from ...validators.sealing import offences
from ..reading import Named
from ..reports.shares import verdict_counts
from .opening import digest_of
from .status import what_was_found

ABOUT, PACK, FACTS, RECORDS = "appeal.json", "pack.zip", "facts.toml", "facts.provenance.csv"
FORMAT = "vassal-umpire appeal"
_LARGEST = 64 * MIB
_LIMITS = replace(DEFAULT_LIMITS, entries=20, entry_size=_LARGEST, total_size=2 * _LARGEST)


@dataclass(frozen=True)
class Appeal:
    """The content of an appeal: the SHA-256 of the module, of logs (with names) and of extensions (with file
    names), the program's version, the number of moves by verdict, and what was found by the id of the
    offence. ``same_players``: the players of ids without a seat; ``digests``: of all logs that facts may
    name, also those set aside; both as in :class:`Named`. ``where``: its file."""

    where: str
    title: str
    program: str
    module: str
    extensions: Mapping[str, str]
    logs: tuple[tuple[str, str], ...]
    verdicts: dict[str, int]
    offences: dict[str, str]
    files: dict[str, bytes]
    same_players: dict[str, list[str]]
    digests: dict[str, str]


def appeal_files(folder: GameFolder, named: Named, audited: Audit) -> dict[str, bytes]:
    """The files of an appeal by name. ``audited``: the public part of the audit."""
    assert named.pack is not None
    assert named.module is not None
    about = {
        "format": FORMAT,
        "title": folder.title,
        "program": __version__,
        "module": digest_of(named.module),
        "extensions": extensions(audited.sources),
        "logs": [{"file": log.name, "sha256": log.sha256} for log in folder.line],
        "verdicts": verdict_counts(audited.moves),
        "offences": {one.id: what_was_found(one) for one in offences(audited)},
        "same_players": named.same_players,
        "names": named.digests,
    }
    files = {ABOUT: (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()}
    files[PACK] = _packed(named.pack)
    if named.facts is not None:
        files[FACTS] = read_bytes(named.facts, _LARGEST)
        records = records_of(named.facts)
        if is_there(records):
            files[RECORDS] = read_bytes(records, _LARGEST)
    return files


def _packed(pack: Path) -> bytes:
    if is_zip(pack):
        return read_bytes(pack, _LARGEST)
    found = load_pack(pack)
    files = {f.name: read_bytes(f, _LARGEST) for f in found.files if f.name in FILES}
    return zip_of(files, "pack")


def read_appeal(path: Path) -> Appeal:
    """Read an appeal from its zip. Raises :class:`Unreadable`."""
    with open_archive(path, _LIMITS) as archive:
        homes = [name.removesuffix(ABOUT) for name in archive.names if name.endswith(ABOUT)]
        if len(homes) != 1:
            raise Unreadable(
                "is not an appeal",
                where=path.name,
                expected="a zip that 'umpire game appeal' wrote",
            )
        names = (ABOUT, PACK, FACTS, RECORDS)
        files = {
            name: archive.read(homes[0] + name) for name in names if homes[0] + name in archive
        }
    try:
        plain: Any = json.loads(files[ABOUT])
        if plain["format"] != FORMAT:
            raise ValueError
        return Appeal(
            where=path.name,
            title=str(plain["title"]),
            program=str(plain["program"]),
            module=str(plain["module"]),
            extensions={str(one): str(name) for one, name in plain["extensions"].items()},
            logs=tuple((str(log["file"]), str(log["sha256"])) for log in plain["logs"]),
            verdicts={str(name): int(count) for name, count in plain["verdicts"].items()},
            offences={str(name): str(text) for name, text in plain["offences"].items()},
            files={PACK: files[PACK], **{n: files[n] for n in (FACTS, RECORDS) if n in files}},
            same_players={
                str(log): list(map(str, who)) for log, who in plain.get("same_players", {}).items()
            },
            digests={str(name): str(one) for name, one in plain.get("names", {}).items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Unreadable(
            "is not an appeal, or was changed", where=f"{path.name}: {ABOUT}", expected=FORMAT
        ) from None


def in_order(appeal: Appeal, logs: Sequence[Path], module: Path) -> tuple[Path, ...]:
    """The appeal's logs in its order, found among ``logs`` by their SHA-256. Raises :class:`UmpireError` if a
    log is missing, is not of the appeal, or the module is another."""
    mine = {digest_of(path): path for path in logs}
    wanted = {digest: name for name, digest in appeal.logs}
    amiss = [
        f"{path.name} is not a log of the appeal" for one, path in mine.items() if one not in wanted
    ]
    amiss += [f"its log {name} is not here" for one, name in wanted.items() if one not in mine]
    if digest_of(module) != appeal.module:
        amiss.append(f"{module.name} is not its module")
    if amiss:
        raise UmpireError(
            "; ".join(amiss), where=appeal.where, expected="the files themselves (by their SHA-256)"
        )
    return tuple(mine[digest] for digest in wanted)


def refuse_other_extensions(appeal: Appeal, sources: Sequence[Source]) -> None:
    """Raise :class:`UmpireError` if the extensions beside the module are not those of the appeal."""
    here, there = extensions(sources), dict(appeal.extensions)
    amiss = [f"its extension {there[one]} is not beside the module" for one in there.keys() - here]
    amiss += [f"{here[one]} beside the module is not in it" for one in here.keys() - there]
    if amiss:
        raise UmpireError("; ".join(sorted(amiss)), where=appeal.where)


def extensions(sources: Sequence[Source]) -> dict[str, str]:
    """The extensions that a game was read with: SHA-256 → file."""
    return {one.sha256: one.file for one in sources if one.kind == "extension"}


@contextmanager
def unpacked(appeal: Appeal, logs: Sequence[Path], module: Path) -> Iterator[Named]:
    """The input of an audit, with the appeal's pack and facts in a temporary folder. The facts call ``logs``
    by the names in the appeal."""
    with tempfile.TemporaryDirectory(prefix="umpire-") as place:
        for name, data in appeal.files.items():
            (Path(place) / name).write_bytes(data)
        facts = Path(place) / FACTS
        told = facts if facts.is_file() else None
        pack, names = Path(place) / PACK, {**appeal.digests, **dict(appeal.logs)}
        yield Named(tuple(logs), module, pack, told, names, appeal.same_players)
