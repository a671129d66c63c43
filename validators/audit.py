"""The audit of a game: runs every check, one after the other.

A check is a function from the game to its findings. Checks should not raise. One that does becomes a problem
of the audit, and the findings of the others are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ..model.finding import Audit, Clause, Finding
from ..model.game import Game, StepRef
from ..model.logs import logs_among, with_log_names
from ..model.problem import CannotAudit, Problem, UmpireError
from .checks import CLAUSES
from .continuity import check_continuity
from .judge import judge_move
from .judgement_cache import JudgementCache
from .looks import accused_by_what_was_seen
from .moves import Track
from .on_boards import RulesOnBoards, SameGround, differing_cells
from .order import check_order
from .ownership import check_ownership
from .phase import Judge, Judged, MoveJudging, Progress
from .prepared_game import PreparedGame, PreparedGames
from .quotas import check_quotas
from .ranks import check_ranks
from .readings import NOT_KNOWN, Reading, held_either_way, held_with_slips
from .rereading import Focus, focused
from .rulebook import readings_in_force
from .ruleset import PhaseCheck, Ruleset, RulesInForce
from .stacking import check_stacking
from .suspicions import suspicions as suspicions_of
from .suspicions import with_hints
from .tracker import phases_in_order
from .unseen import accusing_nobody
from .unseen_stops import as_told, held_with_all_stops, tried_out, without
from .wording import Wording

Check = Callable[[], Iterable[Finding]]


def audit(
    game: Game,
    ruleset: Ruleset,
    *,
    progress: Progress | None = None,
    judge: Judge = judge_move,
    suspicions: bool = True,
    is_part: bool = False,
) -> Audit:
    """The result of :func:`audit_known`, with suspicions: additional findings that would exist if all
    suggested cells and phases were right. ``suspicions`` False: without them, and otherwise equal; this takes
    half the time if much is only suggested. The other arguments, and the errors, are those of
    :func:`audit_known`."""
    if not suspicions:
        found = audit_known(game, ruleset, progress=progress, judge=judge, is_part=is_part)
        return with_hints(found, game.suggestions) if game.has_suggestions else found
    kept = judge if isinstance(judge, JudgementCache) else JudgementCache(judge)
    found = audit_known(
        game,
        ruleset,
        progress=progress,
        judge=kept if game.has_suggestions else judge,
        is_part=is_part,
    )
    return suspected(
        game, found, lambda one: audit_after(game, one, ruleset, kept, is_part=is_part)
    )


def audit_after(
    game: Game, changed: Game, ruleset: Ruleset, kept: JudgementCache, *, is_part: bool = False
) -> Audit:
    """The audit of ``changed``, which differs from ``game``, judged by ``kept``, in cells or phases."""
    cells = differing_cells(game.board, changed.board)
    again = kept.uncached if cells is None else kept.after(changed.board, cells)
    return audit_known(changed, ruleset, judge=again, is_part=is_part)


def suspected(game: Game, found: Audit, judge: Callable[[Game], Audit]) -> Audit:
    """``found``, the audit of ``game``, with suspicions and with the suggested answers to its questions;
    ``found`` itself if nothing in the game is only suggested. ``judge``: audits the game with suggestions
    taken as known."""
    if not game.has_suggestions:
        return found
    return replace(
        with_hints(found, game.suggestions), suspicions=suspicions_of(game, found, judge)
    )


def audit_known(
    game: Game,
    ruleset: Ruleset,
    *,
    progress: Progress | None = None,
    judge: Judge = judge_move,
    is_part: bool = False,
) -> Audit:
    """Judge every move of ``game`` by ``ruleset`` and run every check.

    Time is proportional to the number of events. ``progress`` is called with the numbers of judged and of all
    moves. The result has all findings; for a viewer, audit his own game (:mod:`.unseen`). ``is_part``: the
    game is what a viewer sees of another; a fact that the ruleset does not know may be about hidden units and
    is not a fault. If the game itself has ``is_part``, the result has no accusations. Raises WrongPack if the
    game's tables do not fit the ruleset, CannotAudit if the game was bound for another ruleset.
    """
    if game.rules.name not in ("", ruleset.name):
        raise CannotAudit(
            f'the game is set up for the ruleset "{game.rules.name}"',
            expected=f'"{ruleset.name}"',
            hint="name the ruleset of the pack",
        )
    auditing = _Auditing(SameGround(ruleset), judge, is_part or game.is_part, progress)
    game = phases_in_order(game)

    def again(other: Game, focus: Focus, made: Callable[[Judge], Judge]) -> Audit:
        return replace(auditing.within(focus, made), is_part=True).held(other)

    found = _naming_logs(accused_by_what_was_seen(game, auditing.held(game), again))
    return accusing_nobody(found) if game.is_part else found


def _naming_logs(found: Audit) -> Audit:
    """``found`` with stanzas that name logs as facts do."""
    logs = logs_among(found.sources)
    if not logs:
        return found
    return found.asking(lambda one: replace(one, stanza=with_log_names(one.stanza, logs)))


@dataclass(frozen=True, slots=True)
class _Auditing:
    """Audits games by one ruleset. The fields are parameters of :func:`audit_known`."""

    ruleset: Ruleset
    judge: Judge
    is_part: bool
    progress: Progress | None

    def within(self, focus: Focus, made: Callable[[Judge], Judge] = lambda one: one) -> _Auditing:
        """The same for other games, in which only moves within the focus are judged. ``made``: makes their
        judge from the one in use."""
        judge = self.judge.uncached if isinstance(self.judge, JudgementCache) else self.judge
        return replace(self, judge=focused(made(judge), focus), progress=None)

    def held(self, game: Game) -> Audit:
        """The audit of ``game``, with verdicts that hold whether or not units were in their unwitnessed
        stops, and in every reading of the game."""
        tried = tuple(tried_out(game))
        found, prepared = self._however_read(as_told(without(game, tried)))
        found = prepared.unseen_stops.held(
            found, lambda other, focus: self.within(focus)._however_read(other)[0]
        )
        return held_with_all_stops(
            game, tried, found, lambda other, focus: self.within(focus).held(other)
        )

    def _however_read(self, game: Game) -> tuple[Audit, PreparedGame]:
        """The audit of ``game``, with verdicts that hold in every reading of its phases (:mod:`.readings`);
        and the prepared game."""
        judge = self.judge
        kept = judge.prepared_games if isinstance(judge, JudgementCache) else PreparedGames()

        def read(reading: Reading, focus: Focus | None = None) -> tuple[Audit, PreparedGame]:
            near = judge if focus is None else focused(judge, focus)
            progress = self.progress if reading is NOT_KNOWN else None
            return replace(self, judge=near, progress=progress)._read(game, reading, kept)

        def whatever_was_combat(ended: Reading) -> tuple[Audit, PreparedGame]:
            found, prepared = read(ended)

            def either(reading: Reading, focus: Focus | None) -> Audit:
                return read({**ended, **reading}, focus)[0]

            return held_either_way(game, found, either, prepared.timeline), prepared

        found, prepared = whatever_was_combat(NOT_KNOWN)
        slips, timeline = prepared.slips, prepared.timeline
        every = held_with_slips(
            game, found, slips, timeline, lambda ended: whatever_was_combat(ended)[0]
        )
        return every, prepared

    def _read(
        self, game: Game, reading: Reading, kept: PreparedGames
    ) -> tuple[Audit, PreparedGame]:
        """The audit by one reading, and what it was worked out from."""
        on_boards = RulesOnBoards(game, self.ruleset)
        prepared = kept.of(game, on_boards.opening, reading, is_part=self.is_part)
        allowed, timeline, witnesses = prepared.allowed, prepared.timeline, prepared.witnesses
        problems: list[Problem] = [*prepared.strange]
        if prepared.game is not game:
            game, on_boards = prepared.game, RulesOnBoards(prepared.game, self.ruleset)
        rules = on_boards.opening
        tracks: tuple[Track, ...] = ()
        judged = Judged((), ())
        try:
            tracks = prepared.tracks
            judging = MoveJudging(game, tracks, timeline, witnesses, self.judge, on_boards.on)
            judged = judging.judged(self.progress)
        except Exception as error:  # noqa: BLE001 - the other checks must not be lost with this one
            problems.append(_failed("moves", error))
        findings = list(judged.findings)
        problems.extend(judged.problems)
        checks: dict[str, Check] = {
            "order": lambda: check_order(game, tracks, rules.order, witnesses, rules),
            "ranks": lambda: check_ranks(game, judged.phase_legal_forms, rules.order, witnesses),
            "quotas": lambda: check_quotas(game, judged.phase_legal_forms),
            "stacking": lambda: check_stacking(game, tracks, rules.stacking, timeline),
            "further rules": lambda: (
                rules.phase_checks(tracks) if isinstance(rules, PhaseCheck) else ()
            ),
            "ownership": lambda: check_ownership(game, tracks),
            "continuity": lambda: check_continuity(game),
            "integrity": lambda: prepared.integrity,
        }
        for name, check in checks.items():
            try:
                findings.extend(check())
            except Exception as error:  # noqa: BLE001 - see above
                problems.append(_failed(name, error))
        wording = Wording(game, allowed)
        moves = tuple(wording.of_move(move) for move in judged.moves)
        in_order = sorted((wording.of_finding(found) for found in findings), key=_first_step)
        units = dict.fromkeys(unit for move in moves for unit in move.move.units)
        clauses: dict[str, Clause] = {**CLAUSES, **rules.clauses}
        found = Audit(
            title=game.title,
            ruleset=self.ruleset.name,
            ruleset_version=self.ruleset.version,
            sources=game.sources,
            moves=moves,
            findings=tuple(in_order),
            clauses=clauses,
            readings=readings_in_force(rules.clauses, game.rules, rules.readings),
            problems=tuple(problems),
            names={unit: game.units[unit].name for unit in units if unit in game.units},
            off=game.rules.off,
            unjudged=game.unjudged,
            unlooked=unlooked(game, rules),
            unseen=game.seen is not None and not game.seen,
        )
        return found, prepared


def unlooked(game: Game, rules: RulesInForce) -> tuple[str, ...]:
    """What an audit of ``game`` cannot check because its limits are not known; see :class:`.Coverage`."""
    whole = game.rules.complete is None or "stacking" in game.rules.complete
    return ("stacking",) if rules.stacking is None and not whole else ()


def _first_step(finding: Finding) -> StepRef:
    return finding.steps[0] if finding.steps else StepRef(0, 0)


def _failed(name: str, error: Exception) -> Problem:
    """The problem for a check that failed. The text of the error is shown only for errors meant for
    users."""
    text = str(error) if isinstance(error, UmpireError) else type(error).__name__
    message = f"the check of {name} failed and found nothing: {text}"
    return Problem("check-failed", message, severity="error")
