"""An audit from the files a user names: logs with module and pack, or one analysis document."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from ..importers.analysis.document import read_game
from ..importers.pack.bind import bind, check_fit
from ..importers.pack.facts import NO_FACTS, load_facts
from ..importers.vassal.limits import Limits
from ..importers.vassal.savefile import read_save
from ..model.eyes import Eyes
from ..model.finding import Audit
from ..model.game import Game, Source
from ..model.problem import CannotAudit, Problem, UmpireError
from ..validators.audit import audit
from ..validators.fog import DIRECTOR, visible
from ..validators.ruleset import Ruleset
from .narrative import log_problems
from .reading import Named, Told, layouts_for, module_for, pack_for, read_history, silent
from .registry import rulesets


def audit_files(
    named: Named, ruleset: str | None, eyes: Eyes, limits: Limits, told: Told = silent
) -> tuple[Audit, Game]:
    """Everything there is to say, whoever may see it (see :func:`seen_by`); of the problems of
    reading only what ``eyes`` may know.

    Raises :class:`UmpireError` with exit code 2 for what cannot be read, :class:`CannotAudit` where
    no module, pack or ruleset is found.
    """
    if len(named.logs) == 1 and is_document(named.logs[0]):
        game, problems = read_analysis(named)
    else:
        game, problems = read_logs(named, eyes, limits, told)
    rules, more = ruleset_for(game, ruleset)
    result = audit(game, rules, progress=lambda done, of: told("judging moves", done, of))
    return replace(result, problems=(*problems, *more, *result.problems)), game


def seen_by(audited: Audit, eyes: Eyes) -> Audit:
    """What of an audit may be shown."""
    return visible(audited, DIRECTOR if eyes.director else eyes.side)


def is_document(path: Path) -> bool:
    """Whether a file is JSON, by its first character."""
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError:
        return False
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def read_analysis(named: Named) -> tuple[Game, tuple[Problem, ...]]:
    """The game of an analysis document; the document itself becomes its first source."""
    if named.module or named.pack or named.facts:
        raise UmpireError(
            "--module, --pack and --facts do not go with an analysis document",
            hint="it holds the game as its pack made it",
        )
    path = named.logs[0]
    game = read_game(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(game, sources=(Source(path.name, "analysis", digest), *game.sources)), ()


def read_logs(
    named: Named, eyes: Eyes, limits: Limits, told: Told
) -> tuple[Game, tuple[Problem, ...]]:
    """The game of one or several logs."""
    first = read_save(named.logs[0], limits)
    module = module_for(named, first, limits)
    pack = pack_for(named, module)
    check_fit(pack, module)
    facts = load_facts(named.facts) if named.facts is not None else NO_FACTS
    history = read_history(named, module, limits, told)
    told("binding pieces to units", 0, 0)
    game, problems = bind(module, history, pack, layouts_for(module, first), facts)
    found = (p for log in history.logs for p in log_problems(log, eyes))
    return game, (*history.problems, *module.problems, *found, *problems)


def ruleset_for(game: Game, name: str | None) -> tuple[Ruleset, tuple[Problem, ...]]:
    """The ruleset named, else the game's own."""
    known = rulesets()
    if name is not None:
        return known.get(name), known.problems
    if game.rules.name not in known.parts:
        there = ", ".join(sorted(known.parts))
        raise CannotAudit(
            f"the game is set up for the ruleset {game.rules.name!r}, which is not here",
            expected=f"one of {there}",
            hint="; ".join(str(p) for p in known.problems),
        )
    return known.get(game.rules.name), known.problems
