"""The integrity of a game in the JSON report."""

from __future__ import annotations

from typing import Any

from ...model.finding import Audit
from ...model.game import StepRef
from ...model.integrity import DiceTest, Roll, Tally, Trace


def integrity_document(audit: Audit) -> dict[str, Any]:
    """The key ``integrity`` with all there is; nothing where nobody asked for it."""
    found = audit.integrity
    if found is None:
        return {}
    told: dict[str, Any] = {
        "from_logs": found.from_logs,
        "traces": [_trace(trace) for trace in found.traces],
        "rolls": [_roll(roll) for roll in found.rolls],
        "ledger": [_tally(tally) for tally in found.tallies],
        "not_read": [{"player": player, "rolls": number} for player, number in found.unread],
    }
    if found.tests is not None:
        told["tests"] = [_test(test) for test in found.tests]
    return {"integrity": told}


def _step(at: StepRef) -> dict[str, int]:
    return {"log": at.log, "step": at.step}


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "kind": trace.kind,
        "steps": [_step(at) for at in trace.steps],
        "text": trace.text,
        "player": trace.player,
        "side": trace.side,
        "sure": trace.sure,
        "finding": trace.finding,
    }


def _roll(roll: Roll) -> dict[str, Any]:
    return {
        **_step(roll.at),
        "player": roll.player,
        "side": roll.side,
        "dice": roll.dice,
        "results": list(roll.results),
        "kind": roll.kind or None,
        "sides": list(roll.sides),
        "said": roll.said,
        "taken_back": _step(roll.undone) if roll.undone is not None else None,
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "player": tally.player,
        "side": tally.side,
        "kind": tally.kind,
        "rolls": tally.rolls,
        "results": [
            {"result": side, "count": count, "chance": chance, **_named(tally, side)}
            for (side, count), (_, chance) in zip(tally.counts, tally.chances, strict=True)
        ],
    }


def _named(tally: Tally, side: int) -> dict[str, str]:
    return {"name": tally.names[side - 1]} if 0 < side <= len(tally.names) else {}


def _test(test: DiceTest) -> dict[str, Any]:
    return {
        "player": test.player,
        "side": test.side,
        "kinds": list(test.kinds),
        "rolls": test.rolls,
        "chi_square": round(test.chi_square, 6),
        "freedom": test.freedom,
        "p": round(test.p, 9),
        "adjusted": round(test.adjusted, 9),
        "tests": test.tests,
    }
