"""Audits, and other functions on a whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from html import escape
from typing import TYPE_CHECKING

from ...importers.pack.facts import NO_FACTS
from ...importers.pack.facts_file import load_facts
from ...importers.pack.load import amended, load_pack
from ...importers.pack.pack import Pack
from ...importers.vassal import buildfile
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...importers.vassal.module import Module
from ...model import finding
from ...model.problem import Problem, UmpireError
from ...model.viewer import EVERYONE, Viewer
from ..auditing import Opened, open_game, read_evidence
from ..commands import convert as converting
from ..commands.convert import FORMS, Form
from ..game_columns import TABLES
from ..game_tables import audit_rows
from ..known_packs import pack_path
from ..output import STDOUT
from ..reading import Named, Told, named_files, silent
from ..reports.phrases import headline
from ..shown import audit_shown
from ..table_files import frame
from .asked import FilePath, one_line, path_if, path_of, paths_of, problems_in_python, viewer_of

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, repr=False)
class Audit(finding.Audit):
    """What an audit says of a game, as far as its ``viewer`` may see it: :func:`audit` gives it.

    ``moves``: a :class:`JudgedMove` for each move, with its verdict and bill. ``findings``: the results to
    look at, in the order of the reports. ``clauses``: the clauses of the rules, by id. ``names``: the name
    of each unit that every player may know, by the unit's id. ``problems``: faults of the files.
    ``sources``: the files that were read, with their SHA-256. ``readings``: how the open readings of the
    rules are settled. ``off``: the clauses that the pack switches off. ``suspicions``: what would be found
    if every suggested value were right. ``suspects``: facts of the pack on which many findings depend.
    ``changed``: facts that differ from their record, and nobody has looked at them since. ``integrity``: the
    dice, and traces of how the game was played.
    """

    viewer: Viewer = EVERYONE

    def __repr__(self) -> str:
        return f"<Audit of {self.title or 'a game'}, as {self.viewer} may see it: {headline(self)}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(f'Audit of {self.title}')}</b>: {escape(headline(self))}</p>"

    def to_frames(self) -> dict[str, pyarrow.Table]:
        """The tables ``games`` (one row), ``moves``, ``findings``, ``charges``, ``rolls`` and ``problems``.
        Needs pyarrow (the extra ``[frames]``)."""
        rows = audit_rows(self, self.viewer)
        return {name: frame(TABLES[name], found) for name, found in rows.items()}


@one_line()
def open_module(
    file: FilePath, extensions: Iterable[FilePath] = (), *, limits: Limits = DEFAULT_LIMITS
) -> Module:
    """A module as values: maps, boards, grids, slots, prototypes, sides. ``extensions`` are merged in this
    order; without any, those in the folder ``NAME_ext`` beside the module are. Faults are listed in
    ``problems``. Raises :class:`Unreadable` if the file is not a module, is damaged, or exceeds one of the
    ``limits``."""
    more = tuple(map(path_of, extensions))
    return buildfile.open_module(path_of(file), more, limits, find_extensions=not more)


@one_line()
def open_pack(path: FilePath) -> Pack:
    """An audit pack. ``path`` is its folder, its ``pack.toml``, a zip, or a name that ``umpire packs`` lists.
    Raises :class:`Unreadable` if there is no such pack, :class:`WrongPack` with one problem for each error
    in it."""
    return load_pack(pack_path(str(path)))


@one_line()
def audit(
    logs: FilePath | Iterable[FilePath],
    *,
    module: FilePath | None = None,
    pack: FilePath | Pack | None = None,
    facts: FilePath | None = None,
    ruleset: str | None = None,
    viewer: str | Viewer | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[str, int, int], None] | None = None,
) -> Audit:
    """Audits the logs of a game, in order, or one analysis document, as ``umpire audit`` does.

    ``module``: None means the one among ``logs``, else the one beside the log. ``pack``: a pack, its path,
    or a name that ``umpire packs`` lists; None means the pack beside the log, else the listed one for
    exactly this module. ``facts``: the facts of this game. ``ruleset``: None means that of the pack.
    ``viewer``: the side that reads the audit, or :data:`DIRECTOR`; None means what every player may see.
    ``progress`` is called with the current task, how much of it is done, and how much there is (0: not
    known). Raises :class:`CannotAudit` if no module, pack or ruleset is found, :class:`WrongPack` if the
    pack has faults, :class:`Unreadable` if a file cannot be read.
    """
    told = progress or silent
    looks = viewer_of(viewer)
    by_name = None if pack is None or isinstance(pack, Pack) else pack_path(str(pack))
    named = named_files(paths_of(logs), path_if(module), by_name, path_if(facts), limits)
    if isinstance(pack, Pack):
        opened = _by_pack(named, pack, looks, limits, told)
    else:
        opened = open_game(named, looks, limits, told)
    shown = audit_shown(opened, ruleset, looks, told)
    parts = {part.name: getattr(shown, part.name) for part in fields(shown)}
    parts["problems"] = problems_in_python(shown.problems)
    if not looks.director:  # some of the units that were dragged along may be hidden
        alone = ((m, replace(m.move, company=frozenset())) for m in shown.moves)
        parts["moves"] = tuple(replace(judged, move=move) for judged, move in alone)
    return Audit(**parts, viewer=looks)


def _by_pack(named: Named, pack: Pack, viewer: Viewer, limits: Limits, told: Told) -> Opened:
    facts = load_facts(named.facts) if named.facts is not None else NO_FACTS
    evidence = read_evidence(named, limits, told)
    return evidence.with_pack(amended(pack, facts), facts, viewer, told)


@one_line()
def convert(
    files: FilePath | Iterable[FilePath],
    output: FilePath,
    *,
    to: Form = "json",
    pack: FilePath | None = None,
    facts: FilePath | None = None,
    viewer: str | Viewer | None = None,
    force: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Problem, ...]:
    """Writes a module, its extensions, saves and logs of one game as plain tables, as ``umpire convert``
    does. Returns the problems found in them.

    ``to``: ``json`` (one analysis document), ``sqlite`` (one file), or ``parquet``, ``csv`` or ``jsonl``
    (then ``output`` is a folder). With ``pack``, the document also contains the game as the rules see it;
    ``facts`` are the facts of this game. ``viewer``: as for :func:`open_log`. ``force``: replace even a file
    that this program did not write. Raises :class:`UmpireError` if the output cannot be written; nothing is
    changed then.
    """
    if to not in FORMS:
        raise UmpireError(f"there is no form to={to!r}", expected=f"one of {', '.join(FORMS)}")
    if facts is not None and pack is None:
        raise UmpireError("facts= needs pack=")
    if to != "json" and pack is not None:
        raise UmpireError(f"pack= does not go with to={to!r}", expected="to='json'")
    written = path_of(output)
    if written == STDOUT:
        raise UmpireError(
            "is not a file", where=str(output), expected="the name of a file or folder"
        )
    met = converting.convert(
        paths_of(files),
        written,
        to,
        None if pack is None else pack_path(str(pack)),
        path_if(facts),
        viewer_of(viewer),
        limits,
        force=force,
        told=silent,
    )
    return problems_in_python(met)
