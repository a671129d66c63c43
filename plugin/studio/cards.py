"""The one card of the studio: what to do next, as a function of where the work stands."""

from __future__ import annotations

from dataclasses import dataclass

from ..reports.phrases import counted


@dataclass(frozen=True, slots=True)
class PackProgress:
    """Where the work stands. ``logs``: how many are open; ``hexes`` the board has, ``terrain`` is known of;
    ``moved``: pieces that were moved, of which ``unsaid`` are neither units nor not; ``units`` that moved,
    ``sideless`` of them without a side, ``lacking`` without an attribute the ruleset asks for; ``mapless``:
    the pack says nothing yet of the charts that need no map. ``moves``: how many there are, and how they
    were judged; ``in_phase``: those whose phase is known. ``judging``: verdicts are on the way. ``fault``:
    why the
    pack cannot be read, '': it can. ``asked``: the question that most moves wait for, and how many do."""

    logs: int = 0
    hexes: int = 0
    terrain: int = 0
    moved: int = 0
    unsaid: int = 0
    units: int = 0
    sideless: int = 0
    mapless: bool = False
    lacking: int = 0
    moves: int = 0
    in_phase: int = 0
    legal: int = 0
    illegal: int = 0
    unverifiable: int = 0
    findings: int = 0
    judging: bool = False
    fault: str = ""
    asked: str = ""
    asked_by: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do: a sentence or two, and the view (with a target in it, '' for none) to do it in."""

    text: str
    view: str
    target: str = ""

    def plain(self) -> dict[str, str]:
        """As JSON."""
        return {"text": self.text, "view": self.view, "target": self.target}


def card_for(now: PackProgress) -> Card:
    """What to do next."""
    if now.fault:
        return Card(
            f"The pack cannot be read: {now.fault}. Mend this first.", "findings", "problems"
        )
    if not now.logs:
        if now.terrain < now.hexes:
            left = now.hexes - now.terrain
            return Card(
                "No log is open yet, so nothing can be judged. You can begin with the board: "
                f"{counted(left, 'hex', 'hexes')} {'has' if left == 1 else 'have'} no terrain.",
                "board",
                "unknown",
            )
        return Card(
            "The board is told. To judge moves, close the studio and open it again with the logs of a game.",
            "board",
        )
    if now.moved and not now.units:
        return Card(
            f"Say which counters are units: {counted(now.moved, 'piece')} moved, and none of them is known "
            "to be one.",
            "units",
        )
    if now.units and now.sideless == now.units:
        return Card(
            f"Say which side the {counted(now.units, 'unit')} that moved belong to: those who moved them "
            "tell it for most.",
            "units",
        )
    if now.moves and not now.in_phase and now.mapless:
        return Card(
            "Say how much of one side may be in a hex. No map is needed for that: the first overstacks show "
            "as soon as one phase is confirmed.",
            "rules",
            "question stacking",
        )
    if now.moves and not now.in_phase:
        return Card(
            "Say which steps belong to which phase: a move is judged only where its phase is known.",
            "phases",
        )
    if now.hexes and not now.terrain:
        found = counted(now.findings, "finding")
        return Card(
            (f"{found} so far, in Questions & findings. " if now.findings else "")
            + "Tell the terrain of the board: begin with the few hexes that decide a move soonest, or show "
            "in Suggest a few hexes of each kind, and the rest is suggested.",
            "suggest",
            "soonest",
        )
    if now.judging:
        return Card("The moves are being judged. You can go on working meanwhile.", "board")
    if now.unsaid == 1:
        return Card(
            "1 piece moved that may or may not be a unit. Say which it is.", "units", "perhaps"
        )
    if now.unsaid:
        text = f"{counted(now.unsaid, 'piece')} moved that may or may not be units. Say which."
        return Card(text, "units", "perhaps")
    if now.lacking:
        return Card(
            f"{counted(now.lacking, 'unit')} moved of which the rules need to know more.", "units"
        )
    if now.asked:
        wait = "waits" if now.asked_by == 1 else "wait"
        return Card(
            f"{counted(now.asked_by, 'move')} {wait} for one answer: {now.asked}",
            "findings",
            "questions",
        )
    if now.findings:
        return Card(
            f"{counted(now.findings, 'finding')} to look at: is it the player, or the pack?",
            "findings",
            "findings",
        )
    if now.moves and now.in_phase < now.moves:
        waiting = counted(now.moves - now.in_phase, "move")
        return Card(
            f"Everything asked is answered; the phase of {waiting} is not known yet.", "phases"
        )
    if not now.moves:
        return Card("No move is found in these logs that could be judged.", "phases")
    if now.unverifiable:
        verb, them = ("is", "it") if now.unverifiable == 1 else ("are", "them")
        waiting = f"{counted(now.unverifiable, 'move')} {verb} unverifiable"
        return Card(f"{waiting}, and nothing is asked that would decide {them}.", "findings")
    return Card("Every move is decided. The report can be written: umpire audit.", "findings")
