"""Short phrases that reports share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import groupby
from typing import Any

from ...model.bill import Amount, Bill, Charge, written
from ...model.coverage import NO_PHASE, NO_PLACE, NO_SIDE, NOT_UNITS, WAITS, Coverage
from ...model.finding import ACCUSING, Audit
from ...model.game import Source, StepRef
from ...model.problem import Problem

KIND_NAMES = {
    "illegal-move": "illegal move",
    "overstack": "overstack",
    "missed-mp-cost": "missed MP cost",
    "unverifiable": "unverifiable",
    "note": "note",
}
SEVERAL = {
    "illegal-move": "illegal moves",
    "overstack": "overstacks",
    "missed-mp-cost": "missed MP costs",
    "unverifiable": "unverifiable",
    "note": "notes",
}


WRONG_MODULE = "wrong-module"
"""Code of the problem that a log was made with a module of another name."""
OTHER_VERSION = "other-version"
"""Code of the problem that a log was played with another version of the module."""
PACK_FOUND = "pack-found"
"""Code of the problem that says how an unnamed pack was found."""
OUT_OF_ORDER = "out-of-order"
"""Code of the problem that a log does not go on from the one before it."""


def capital(text: str) -> str:
    """``text`` with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str, nouns: str = "") -> str:
    """``1 move``, ``2 moves``, ``1,000 moves``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def steps_text(steps: Sequence[StepRef], *, many_logs: bool) -> str:
    """``step 4``, ``steps 4-6, 9``; with ``many_logs`` ``log 2 step 4``."""
    parts = []
    for log, group in groupby(sorted(set(steps)), key=lambda s: s.log):
        runs = list(_runs(s.step for s in group))
        numbers = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
        word = "step" if len(runs) == 1 and runs[0][0] == runs[0][1] else "steps"
        parts.append(f"log {log} {word} {numbers}" if many_logs else f"{word} {numbers}")
    return "; ".join(parts)


def of_many_logs(audit: Audit) -> bool:
    """Whether steps need the number of their log."""
    return sum(source.kind == "log" for source in audit.sources) > 1


def when(audit: Audit, steps: Sequence[StepRef]) -> str:
    """:func:`steps_text` in a report on ``audit``."""
    return steps_text(steps, many_logs=of_many_logs(audit))


def _runs(numbers: Iterable[int]) -> Iterable[tuple[int, int]]:
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = last = number
        elif number == last + 1:
            last = number
        else:
            yield first, last
            first = last = number
    if first is not None and last is not None:
        yield first, last


def short_amount(amount: Amount) -> str:
    """The shortest form of an amount, for a map: ``2½``, ``1–3``, ``2+``."""
    return amount.written.replace(" or more", "+").replace(" to ", "–")


def measured(amount: Amount | Fraction, unit: str) -> str:
    """An amount with its unit: ``2½ MP``, ``1 hex``, ``2 hexes``."""
    said = amount.written if isinstance(amount, Amount) else written(amount)
    return f"{said} {'hex' if unit == 'hexes' and said == '1' else unit}"


def charge_amount(charge: Charge) -> str:
    """The amount on a line of a bill; a prohibition has none."""
    return "–" if charge.forbidden else charge.amount.written


def compact_bill(bill: Bill) -> str:
    """A bill on one line: ``clear 1 × 2, woods 2 = 4 of 6 MP``."""
    parts = []
    for (reason, amount), group in groupby(bill.charges, key=_line_of_bill):
        times = len(list(group))
        parts.append(f"{reason}{amount}" + (f" × {times}" if times > 1 else ""))
    due = measured(bill.total, bill.unit)
    if bill.allowance is not None:
        due = f"{bill.total.written} of {measured(bill.allowance, bill.unit)}"
    declared = f", declared {bill.declared.written}" if bill.declared is not None else ""
    credit = f", {bill.credit.amount.written} on credit" if bill.credit is not None else ""
    return f"{', '.join(parts) or 'no charge'} = {due}{credit}{declared}"


def _line_of_bill(charge: Charge) -> tuple[str, str]:
    amount = "" if charge.forbidden else f" {charge.amount.written}"
    return charge.reason, f":{amount}" if amount and charge.reason[-1:].isdigit() else amount


def bill_rows(bill: Bill) -> list[tuple[str, str, str, str]]:
    """The charges one by one (hex, amount, for, rule), then the sum and the allowance."""
    rows = [(c.hex, charge_amount(c), c.reason, c.clause) for c in bill.charges]
    return [*rows, ("due", bill.total.written, due_text(bill), "")]


def due_text(bill: Bill) -> str:
    """The allowance behind a sum: ``of 6; short by 2 MP; declared 4``."""
    parts = []
    if bill.allowance is not None:
        parts.append(f"of {bill.allowance.written}")
    if bill.credit is not None:
        parts.append(f"{bill.credit.amount.written} on credit ({bill.credit.clause})")
    if bill.shortfall:
        parts.append(f"short by {measured(bill.shortfall, bill.unit)}")
    if bill.declared is not None:
        parts.append(f"declared {bill.declared.written}")
    return "; ".join(parts)


NEXT = {
    NOT_UNITS: "Next: say in the pack which counters are units (units.csv, or the studio).",
    NO_PLACE: "Next: say in the pack where those places are: [[board.sheet]] and hexes.csv, or [[box]].",
    NO_PHASE: "Next: tell the phases (facts.toml, [phases] in pack.toml, or the studio).",
    NO_SIDE: "Next: tell whose units they are ([units] in pack.toml, or facts.toml).",
    WAITS: "Next: answer the open questions, the first one first.",
}
"""What to do next, by the reason why nothing could be judged."""


def moves_counted(numbers: Mapping[str, Any]) -> tuple[str, str]:
    """The number of moves, and of each verdict. ``numbers``: from :func:`.json.summary`."""
    verdicts, others = numbers["verdicts"], numbers["not_judged"]
    return (
        counted(numbers["moves"], "move"),
        f"{verdicts['legal']:,} legal, {verdicts['illegal']:,} illegal, {verdicts['unverifiable']:,}"
        f" unverifiable{f'; {others:,} more not judged as movement' if others else ''}.",
    )


def findings_by_player(numbers: Mapping[str, Any]) -> tuple[list[str], list[list[str]], list[str]]:
    """Findings by player and kind: the head of the table, its rows, and the total."""
    found = numbers["findings"]
    kinds = [kind for kind in found if found[kind]]
    rows = [
        [who(one["player"], one["side"]), *(str(one["findings"][kind]) for kind in kinds)]
        for one in numbers["players"]
    ]
    head = ["player", *(SEVERAL[kind] for kind in kinds)]
    return head, rows, ["all", *(str(found[kind]) for kind in kinds)]


NO_RULES = "No rules were applied: nothing here says that a move is right or wrong."


def headline(audit: Audit) -> str:
    """What was found, and among how many drags: ``2 illegal moves found; 9 of 12 drags are judged, 3 could
    not be judged: 3 waiting for an answer.`` If no rules were applied, what was done."""
    if not audit.is_ruled:
        return _done(audit)
    kinds = [finding.kind for finding in audit.findings]
    parts = [
        counted(kinds.count(kind), KIND_NAMES[kind], SEVERAL[kind])
        for kind in ACCUSING
        if kind in kinds
    ]
    asked = asked_besides(audit)
    if not parts:
        return all_clear(audit.coverage, asked=asked)
    listed = " and ".join((", ".join(parts[:-1]), parts[-1])) if parts[1:] else parts[0]
    share = judged_share(audit.coverage)
    return " ".join((f"{listed} found; {share}", *_besides(audit.coverage, asked=asked)))


def _done(audit: Audit) -> str:
    """The headline of a game to which no rules were applied."""
    sides: dict[str, dict[str, None]] = {}
    for one in audit.moves:
        sides.setdefault(one.move.player, {}).update(
            {one.move.actor: None} if one.move.actor else {}
        )
    by = [who(player, " and ".join(of)) for player, of in sides.items()]
    pieces = len({unit for one in audit.moves for unit in one.move.units})
    moved = f"{counted(len(audit.moves), 'move')} of {counted(pieces, 'piece')}"
    return f"{NO_RULES} {moved}, by {' and '.join(by)}." if by else f"{NO_RULES} Nothing was moved."


def _besides(coverage: Coverage, *, asked: bool) -> Iterator[str]:
    """Sentences about anything open besides drags."""
    yield from not_looked_at(coverage.unlooked)
    if asked:
        yield "Other questions are open."


def not_looked_at(unlooked: Iterable[str]) -> Iterator[str]:
    """A sentence for each thing besides drags that was not checked. ``unlooked``: as in
    :class:`.Coverage`."""
    for what in unlooked:
        yield (
            f"{what.capitalize()} was not checked: the pack gives no limits, and does not say that there are"
            " none."
        )


def asked_besides(audit: Audit) -> bool:
    """Whether anything besides moves is open: a stack, the order of a phase."""
    open_moves = {one.move.id for one in audit.moves if one.verdict == "unverifiable"}
    return any(
        found.kind == "unverifiable" and open_moves.isdisjoint(found.moves)
        for found in audit.findings
    )


def all_clear(coverage: Coverage, *, asked: bool = False) -> str:
    """The headline if nobody is accused. It says that nothing was found only if every drag on a map is legal
    and nothing is ``asked``; else it says how many drags are judged and why the others are not."""
    share = judged_share(coverage, clear=not coverage.illegal)
    if not coverage.drags:
        share = f"{share[:-1]}, so there was no move to judge."
    besides = tuple(_besides(coverage, asked=asked))
    if coverage.legal and coverage.legal == coverage.drags and not besides:
        return f"Nothing was found: every drag on the map is legal ({coverage.drags:,} in all)."
    return " ".join((capital(share), *besides))


def none_found(coverage: Coverage, *, asked: bool) -> str:
    """What it means that no offence was found, in a few words. ``asked``: as in :func:`all_clear`."""
    if coverage.is_undecided:
        return "nothing could be judged"
    whole = coverage.is_whole and not coverage.unlooked and not asked
    return "none found" if whole else "none among what is judged"


def judged_share(coverage: Coverage, *, clear: bool = False) -> str:
    """How many drags are judged, and why the others are not; begins with a small letter. ``clear``: add that
    nothing illegal is among them."""
    drags, decided = counted(coverage.drags, "drag"), coverage.decided
    if not coverage.drags:
        done = "moved on a map other than in combat or the like"
        return f"no piece was {done if coverage.passed else 'dragged on a map'}."
    if coverage.is_whole:
        return f"all {drags} are judged." if decided > 1 else "the one drag is judged."
    why = ", ".join(f"{number:,} {reason}" for reason, number in coverage.reasons.items())
    if not decided:
        known = [reason for reason in coverage.reasons if reason in NEXT]
        most = max(known, key=lambda reason: coverage.reasons[reason], default="")
        return f"0 of {drags} could be judged: {why}.{f' {NEXT[most]}' if most else ''}"
    left = coverage.drags - decided
    are = "is" if decided == 1 else "are"
    among = ", nothing illegal among them" if clear else ""
    return f"{decided:,} of {drags} {are} judged{among}; {left:,} could not be judged: {why}."


def viewer_text(viewer: str) -> str:
    """For whom a report was made. ``viewer``: as in :class:`.report.ReportOptions`."""
    if viewer == "everyone":
        return "what every player may see"
    return "everything, for the director" if viewer == "director" else f"what {viewer} may see"


def pack_of(audit: Audit) -> Source | None:
    """The pack that the game was read with; None if there was none."""
    return next((source for source in audit.sources if source.kind == "pack"), None)


def vouched_for(by: str) -> str:
    """Who vouches for a pack: marked as the pack's own claim, since anybody can write any name into a
    pack."""
    claim = f"vouched for by {by} (the pack's own claim)"
    return claim if by else "which does not say who vouches for it"


NO_POWER = (
    "the pack does not say how many errors an audit with it would find, so finding none says little (umpire"
    " pack check PACK LOG --power measures it)"
)
UNSEEN = "no person is recorded as having looked at it, so nothing that rests on it accuses anybody"


def unproven(audit: Audit) -> Iterator[tuple[str, str]]:
    """What it is worth that nobody is accused: how many errors the pack would find (left out for an analysis
    document, which may not say it, and if nothing is decided), and that no person looked at the map."""
    pack = pack_of(audit)
    if any(finding.verdict == "illegal" for finding in audit.findings) or not audit.is_ruled:
        return
    from_document = any(source.kind == "analysis" for source in audit.sources)
    nothing = audit.coverage.is_undecided  # which the report says itself
    if pack is not None and not from_document and not nothing:
        yield "power", _power(pack) or NO_POWER
    if audit.unseen:
        yield "map", UNSEEN


def _power(pack: Source) -> str:
    """How many errors an audit with ``pack`` finds; "" if it does not say so."""
    return pack.power and f"{pack.power}, as whoever made the pack worked out"


def vouching(audit: Audit) -> list[tuple[str, str]]:
    """The first rows of a report, on the pack: who vouches for it, what it assumes, and which clauses it
    switches off."""
    pack, told = pack_of(audit), []
    of_module = (WRONG_MODULE, OTHER_VERSION)
    told += [("module", str(p)) for p in audit.problems if p.code in of_module]
    told += [("order", str(p)) for p in audit.problems if p.code == OUT_OF_ORDER]
    if audit.next_step:
        told.append(("next", audit.next_step))
    if pack is not None:
        how = "".join(f"; it {p.message}" for p in audit.problems if p.code == PACK_FOUND)
        told.append(("pack", f"{pack.version or pack.file}, {vouched_for(pack.vouched_by)}{how}"))
        if pack.assumes:
            told.append(("assumed", f"{'; '.join(pack.assumes)}: the pack takes this for granted"))
        if pack.power:
            told.append(("power", _power(pack)))
    told += (row for row in unproven(audit) if row not in told)
    if audit.off:
        titles = {name: clause.title for name, clause in audit.clauses.items() if clause.title}
        clauses = [f"{name} ({titles[name]})" if name in titles else name for name in audit.off]
        told.append(("off", f"{', '.join(clauses)}: switched off by the pack, nothing rests on it"))
    return told


def readings_told(audit: Audit) -> list[tuple[str, str]]:
    """Options and open readings in force: the question and its answer, with the key of pack.toml in brackets;
    the key comes first if there is no question."""
    asked = [r for clause in audit.clauses.values() for r in clause.readings]
    told = []
    for option, value in sorted(audit.readings.items()):
        question = next((r.question for r in asked if fnmatchcase(option, r.option)), "")
        label = capital(question) if question else f"{option}:"
        told.append((label, f"{value} ({option})" if question else value))
    return told


def title_of(audit: Audit) -> str:
    """The title of a report: that of the game's folder with the pack's behind it, or the only one; "" if
    there is none."""
    kept = audit.rulings.title if audit.rulings is not None else ""
    if kept and audit.title and kept != audit.title:
        return f"{kept} ({audit.title})"
    return kept or audit.title


FEW_ALIKE = 3
"""Up to this many problems that differ only in place have a line each."""


def problems_told(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems met while reading, one line each; many that differ only in place share a line."""
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.severity, problem.message), []).append(problem)
    for (severity, message), those in alike.items():
        if len(those) <= FEW_ALIKE:
            yield from (f"{severity}: {problem}" for problem in those)
        else:
            places = ", ".join(problem.where for problem in those[:FEW_ALIKE])
            yield f"{severity}: {message} ({places} and {len(those) - FEW_ALIKE:,} more)"


def player_text(player: str, side: str | None) -> str:
    """The side, with the player's name if that differs; "" if neither is known."""
    return f"{side} ({player})" if player and side and player != side else side or player


def who(player: str, side: str | None) -> str:
    """As :func:`player_text`, or that there is no player."""
    return player_text(player, side) or "no player"
