"""The mail of a game as one zip: a page for all and one for each side, each also as forum text (Markdown or
BBCode), and the last log with the umpire's remarks; on request also the whole reports. Pages print on A4 and
letter paper."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import resources

from markupsafe import Markup

from ...importers.game_folder.folder import GameFolder
from ...model.viewer import EVERYONE, Viewer
from ..auditing import scene_of
from ..lookers import Lookers, lookers_of
from ..pages import environment
from ..printable import markdown, printable
from ..registry import reports
from ..reports.report import ReportOptions
from ..reports.sections import Section, in_one
from ..seal import in_markup
from ..vassal.annotation import annotated
from .audits import Audited, GameAudits
from .cutout import Cutout, Ground
from .letter import (
    ANSWER,
    HOW_TO_LOOK,
    HOW_TO_READ,
    ON_PAGE,
    WHAT_TO_DO,
    Desk,
    Letter,
    OffenceTold,
    letter,
)
from .opening import log_path
from .player_questions import Asked
from .status import sentences, standings, status_of, with_rulings

Rows = Iterable[tuple[str, ...]]


@dataclass(frozen=True)
class Forum:
    """How a forum formats text. ``suffix``: of the file's name. ``plain``: escapes other people's text.
    ``heading``: of level 1 to 3. ``items``, ``numbered``: a list of lines. ``table``: a head and rows; the
    second column holds numbers."""

    suffix: str
    plain: Callable[[str], str]
    heading: Callable[[int, str], str]
    items: Callable[[Iterable[str]], str]
    numbered: Callable[[Iterable[str]], str]
    table: Callable[[tuple[str, ...], Rows], str]
    code: Callable[[str], str]
    inner: str = "  - "


def _markdown_table(head: tuple[str, ...], rows: Rows) -> str:
    lines = [f"| {' | '.join(head)} |\n|---|---:{'|---' * (len(head) - 2)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _bbcode_table(head: tuple[str, ...], rows: Rows) -> str:
    every = [head, *rows]
    widths = [max(len(row[n]) for row in every) for n in range(len(head))]
    lines = ("  ".join(cell.ljust(w) for cell, w in zip(r, widths, strict=True)) for r in every)
    return "\n".join(("[code]", *(line.rstrip() for line in lines), "[/code]"))


MARKDOWN = Forum(
    "md",
    lambda text: markdown(printable(text)),
    lambda level, text: f"{'#' * level} {text}",
    lambda lines: "\n".join(f"- {line}" for line in lines),
    lambda lines: "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)),
    _markdown_table,
    lambda text: f"`{text}`",
)
BBCODE = Forum(
    "bbcode.txt",
    lambda text: printable(text).replace("[", "(").replace("]", ")"),
    lambda level, text: f"[size={160 - 20 * level}][b]{text}[/b][/size]",
    lambda lines: "\n".join(("[list]", *(f"[*]{line}" for line in lines), "[/list]")),
    lambda lines: "\n".join(("[list=1]", *(f"[*]{line}" for line in lines), "[/list]")),
    _bbcode_table,
    lambda text: f"[i]{text}[/i]",
    "– ",
)
FORUMS = {"markdown": MARKDOWN, "bbcode": BBCODE}


def as_forum_text(letter: Letter, forum: Forum) -> str:
    """The mail as text that is also readable outside the forum. It has no seal, because forums show
    comments."""
    return "\n\n".join(_parts(letter, forum)) + "\n"


def _parts(letter: Letter, forum: Forum) -> Iterator[str]:
    plain, heading, items = forum.plain, forum.heading, forum.items
    yield heading(1, plain(letter.title))
    yield "\n".join(plain(line) for line in (letter.to, letter.players) if line)
    yield heading(2, WHAT_TO_DO)
    yield items(map(plain, letter.todo))
    yield "\n".join(plain(line) for line in letter.summary)
    for section in letter.first:
        yield from _section(section, forum)
    if letter.offences:
        yield heading(2, "Offences")
    for one in letter.offences:
        yield from _offence(one, forum)
    if letter.more:
        yield "The others, in a line each:"
        yield items(map(plain, letter.more))
    for section in letter.further:
        yield from _section(section, forum)
    if letter.questions:
        yield heading(2, "Open questions")
        yield ANSWER
    for part in letter.questions:
        yield f"To {plain(part.to)}:"
        yield forum.numbered(_question(one, forum) for one in part.questions)
    if letter.folded:
        yield f"{len(letter.folded)} more, which decide fewer moves."
    yield heading(2, "How to read this")
    yield HOW_TO_READ
    for section in letter.played:
        yield from _section(section, forum)
    yield heading(2, "The rest")
    yield items(f"{plain(label)}: {plain(text)}" for label, text in letter.rest)


def _section(section: Section, forum: Forum) -> Iterator[str]:
    """A section as one list; group titles stand above their lines."""
    yield forum.heading(2, section.heading)
    if section.meaning:
        yield section.meaning
    items: list[str] = []
    for group in section.groups:
        lines = [forum.plain(in_one(line)) for line in group.lines]
        below = "\n".join((forum.plain(group.title), *(forum.inner + line for line in lines)))
        items += [below] if group.title else lines
    yield forum.items(items)


def _offence(one: OffenceTold, forum: Forum) -> Iterator[str]:
    yield forum.heading(3, f"{forum.plain(one.heading)} ({forum.code(one.id)})")
    rows = [("when", one.when), *(("moved", line) for line in one.moved)]
    rows += [("found", line) for line in one.found]
    rows += [
        ("rule", one.rule),
        ("remedy", one.remedy),
        ("standing", one.standing),
        ("ruling", one.ruling),
        *(("map", line) for line in one.looked),
    ]
    yield forum.items(f"{label}: {forum.plain(text)}" for label, text in rows if text)
    if one.bill:
        head = ("hex", forum.plain(one.unit), "for", "rule")
        yield forum.table(head, [tuple(map(forum.plain, row)) for row in one.bill])


def _question(one: Asked, forum: Forum) -> str:
    return forum.plain(
        f"{one.text} {ON_PAGE}" if one.cutout or one.place or one.counters else one.text
    )


PAGE = "page/letter.html"


def as_html(letter: Letter) -> str:
    """The mail as one self-contained HTML file. It is sealed when it is written."""
    text = resources.files(__package__).joinpath(PAGE).read_text("utf-8")
    template = environment().from_string(text)
    cutouts = [one.cutout for one in letter.offences]
    cutouts += [
        one for part in letter.questions for q in part.questions for one in (q.cutout, q.place)
    ]
    drawn = {one: Markup(one) for one in cutouts}  # noqa: S704  # escaped where it is made
    return in_markup(
        template.render(
            letter=letter,
            drawn=drawn,
            answer=ANSWER,
            how_to_look=HOW_TO_LOOK,
            how_to_read=HOW_TO_READ,
            in_one=in_one,
            todo=WHAT_TO_DO,
        )
    )


FOR_ALL = "all"


@dataclass(frozen=True)
class Mailing:
    """The input of a mail: the game in ``folder`` and its audits. ``full``: include the whole reports.
    ``overdrawn``: as in :class:`.letter.Desk`."""

    folder: GameFolder
    audits: GameAudits
    full: bool = False
    overdrawn: bool = False
    forum: Forum = MARKDOWN


def mail(mailing: Mailing) -> dict[str, bytes]:
    """The files of the mail by name. Each page holds only what its readers may see."""
    folder, audits = mailing.folder, mailing.audits
    files: dict[str, bytes] = {}
    opened, _ = audits.whole()
    viewers = [(FOR_ALL, EVERYONE), *((side, Viewer(side)) for side in opened.game.sides)]
    stems = file_names([name for name, _ in viewers])
    views = {one: audits.shown_to(one, suspicions=mailing.full) for _, one in viewers}
    shared = lookers_of(opened), Ground(opened, audits.limits)
    for number, ((name, viewer), stem) in enumerate(zip(viewers, stems, strict=True)):
        audits.told("writing pages", number, len(viewers))
        to = "For everybody: what all may see" if viewer is EVERYONE else f"For {name} alone"
        for file, text in _pages(mailing, views[viewer], viewer, to, *shared):
            files[file.format(stem)] = text.encode("utf-8", "replace")
    if folder.line:
        last = folder.line[-1]
        audits.told("writing pages", len(viewers), len(viewers))
        seen, shown = views[EVERYONE]
        path, at = log_path(folder, last), len(folder.line)
        data = annotated(path, at, shown, seen, audits.limits, str(EVERYONE))
        files[f"annotated-{_file_name(last.name)}"] = data
    return files


def _pages(
    mailing: Mailing, view: Audited, viewer: Viewer, to: str, lookers: Lookers, ground: Ground
) -> Iterator[tuple[str, str]]:
    """The pages for one reader: file name (with {} in place of the reader's name) and text."""
    folder, audits, (opened, shown) = mailing.folder, mailing.audits, view
    audited = audits.whole()[1]
    status = status_of(folder, opened.game, shown, audited, datetime.date.today(), viewer)
    until = sentences(standings(folder, opened.game, shown, viewer))
    scene = scene_of(opened, viewer, audits.limits, map_images=mailing.full)
    back = opened.backdrop
    faces = {} if back is None else back.faces(opened.game, viewer)
    cutouts = Cutout(scene, ground, faces)
    desk = Desk(folder, status, until, lookers, cutouts, mailing.overdrawn)
    page = letter(desk, shown, to, viewer.side)
    yield "{}.html", as_html(page)
    yield f"{{}}.{mailing.forum.suffix}", as_forum_text(page, mailing.forum)
    if mailing.full:
        whole = with_rulings(folder, opened, shown, audited, viewer)
        whole = replace(whole, problems=(*whole.problems, *scene.problems))
        report = reports().get("html")
        text = report.render(
            whole, ReportOptions(viewer=str(viewer), scene=scene, overdrawn=mailing.overdrawn)
        )
        yield "report-{}.html", report.with_blank(text) if report.with_blank else text


def file_names(names: list[str]) -> list[str]:
    """File names that are safe, and distinct, on every system."""
    found: list[str] = []
    for name in names:
        stem, number = _file_name(name), 2
        while stem.casefold() in (other.casefold() for other in found):
            stem, number = f"{_file_name(name)}-{number}", number + 1
        found.append(stem)
    return found


def _file_name(name: str) -> str:
    """A file name that is safe on every system."""
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.")
    return kept or "side"
