"""Chat lines in which players announce phases, in several languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..importers.pack.signs import PHASE_WORDS

LONGEST_HEADING = 48
LONGEST_REMARK = 120
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")
_KIND = re.compile(rf"(?:{PHASE_WORDS}|reset|airdrop|mechani[sz]ed|mech)s?", re.IGNORECASE)
_STRONG = re.compile(
    r"(?:airdrop|bombardment|combat|exploitation|logistics|movement|operations|reinforcement|replacement|reset)s?",
    re.IGNORECASE,
)
"""Phase words that are seldom used for anything else."""
_PHASE = re.compile(r"\b(?:phase|segment|step)s?\b", re.IGNORECASE)
_CALLED = re.compile(r"((?:[A-Za-z-]+ (?:& |and )?){1,4})(?:phase|segment)\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"^\W*(?:(?:ok|okay|so|now|then|alright|well|and)\W+)*"
    r"(?:begin(?:ning|s)?|start(?:ing|s)?|now (?:for|in|the)|doing|proceeding to|on to|time for|next)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:end(?:s|ed)?(?: of)?|that(?:'s| is| does) it(?: for)?|finish(?:ed|es)?|complet(?:e|es|ed|ing)"
    r"|conclud(?:e|es|ed|ing)|done(?: with| moving|(?=\W*$))|is over)\b",
    re.IGNORECASE,
)
_HANDS_OVER = re.compile(
    r"\b(?:your [a-z ]{0,40}\b(?:up|next|now)\b|ready for your|time for you|you're up|over to you"
    r"|your turn to|begin a log ?file)",
    re.IGNORECASE,
)
_TURN = re.compile(r"\bturn\s*#?\s*([0-9]{1,3})\b", re.IGNORECASE)
_FILLERS = frozenset(
    _WORD.findall(
        "the of and a an my our your s is are now begin beginning phase segment turn day ok so end ends "
        "it for that this do does believe here ready with i"
    )
)
_OPENERS = frozenset(
    _WORD.findall("okay then alright well begins start starts starting next doing")
)
_ANY_WORD = re.compile(r"[^\W\d_]+")


def _words(text: str) -> Mapping[str, str]:
    """``english = word word; …`` as a dictionary from each word."""
    pairs = (part.split("=") for part in text.split(";"))
    return {word: english.strip() for english, several in pairs for word in several.split()}


_SAID = (
    (  # German
        "movement = bewegungsphase zugphase marschphase bewegung bewegungen; "
        "combat = kampfphase gefechtsphase kampf kampfe gefecht; "
        "supply = nachschubphase nachschub; "
        "reinforcement = verstarkungsphase verstarkungen verstarkung; fire = beschuss; "
        "rally = sammeln; retreat = ruckzug; weather = wetter",
        "end = ende; ends = endet; finished = fertig beendet abgeschlossen; "
        "begin = beginn beginne; begins = beginnt; now = jetzt; your = dein deine ihr ihre; "
        "my = mein meine; of = der des; turn = runde spielzug zug; and = und; is = ist",
    ),
    (  # French
        "movement = mouvement mouvements deplacement deplacements; combat = combats assaut; "
        "supply = ravitaillement; reinforcement = renforts renfort; retreat = retraite; "
        "fire = tir tirs; rally = ralliement; weather = meteo",
        "end = fin; finished = fini finie termine terminee; begin = debut commence; "
        "your = votre ton ta vos; my = mon ma mes; of = de du des; turn = tour; "
        "now = maintenant; is = est; the = la le les; and = et",
    ),
    (  # Spanish
        "movement = movimiento movimientos; combat = combate combates; "
        "supply = suministro abastecimiento; reinforcement = refuerzos; retreat = retirada; "
        "fire = fuego; weather = clima",
        "end = fin final; finished = terminado terminada acabado; "
        "begin = inicio comienzo empieza comienza; your = tu tus su; my = mi mis; of = de del; "
        "turn = turno; phase = fase; now = ahora; the = la el los; and = y",
    ),
    (  # Italian
        "movement = movimento movimenti; combat = combattimento combattimenti; "
        "supply = rifornimento; reinforcement = rinforzi; retreat = ritirata; fire = fuoco; "
        "weather = meteo",
        "end = fine; finished = finito finita terminata; begin = inizio inizia; your = tuo tua; "
        "my = mio mia; of = di del della; turn = turno; phase = fase; now = ora adesso; "
        "the = la il; and = e",
    ),
    (  # Polish
        "movement = ruch ruchu; combat = walka walki; supply = zaopatrzenie zaopatrzenia; "
        "reinforcement = posiłki posiłkow",
        "end = koniec; begin = poczatek; your = twoj twoja; my = moj moja; phase = faza fazy; "
        "turn = tura",
    ),
    (  # Russian
        "movement = движение движения; combat = бои боя; supply = снабжение снабжения",
        "end = конец; begin = начало; your = твоя ваша; my = моя; phase = фаза фазы; "
        "turn = ход хода",
    ),
)
LANGUAGES = tuple((_words(kinds), _words(others)) for kinds, others in _SAID)
"""By language, the words for phases and the other words of announcements, in small letters without
accents."""
Does = Literal["begins", "ends", "hands over"]


@dataclass(frozen=True, slots=True)
class Announced:
    """What a chat line says about phases."""

    does: Does
    phase: str
    active: str
    turn: str = ""


def announced(text: str, phases: Sequence[str], sides: Sequence[str], by: str) -> Announced | None:
    """The announcement in a line typed by a player of side ``by``; None if the line says nothing about
    phases."""
    found = _announced(text, phases, sides, by)
    english = None if found is not None else in_english(text)
    if english is None:
        return found
    named = {in_english(phase) or phase: phase for phase in phases}
    found = _announced(english, tuple(named), sides, by)
    return found and replace(found, phase=named.get(found.phase, found.phase))


def is_plain(text: str, phases: Iterable[str], sides: Sequence[str]) -> bool:
    """Whether a line only says which phase begins: no question, no denial, and nothing else."""
    known = {word.casefold() for phase in phases for word in _ANY_WORD.findall(phase)}
    known |= _FILLERS | _OPENERS
    return "?" not in text and any(
        all(
            word.casefold() in known or _is_kind(word) or _side_in([word], sides)
            for word in _ANY_WORD.findall(line)
        )
        for line in (text, in_english(text) or text)
    )


def in_english(text: str) -> str | None:
    """A line with the words for phases, their beginning and their end in English; None if it has no phase
    word in any known language."""
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)
    )
    words = {word.casefold() for word in _ANY_WORD.findall(plain)}
    for kinds, others in LANGUAGES:
        if words.isdisjoint(kinds):
            continue
        return _translated(plain, {**others, **kinds})
    return None


def _translated(text: str, english: Mapping[str, str]) -> str:
    return _ANY_WORD.sub(lambda word: english.get(word[0].casefold(), word[0]), text)


def _announced(text: str, phases: Sequence[str], sides: Sequence[str], by: str) -> Announced | None:
    words = _WORD.findall(text)
    if len(text) > LONGEST_REMARK or not words:
        return None
    kinds = [word for word in words if _is_kind(word)] or _PHASE.findall(text)
    other = _other(by, sides)
    if _HANDS_OVER.search(text):
        return Announced("hands over", phase_in(text, phases, sides) if kinds else "", other)
    plain = _PHASE.search(text) or text.endswith((":", "...", "…"))
    if not kinds or not (plain or any(_STRONG.fullmatch(word) for word in words)):
        return None
    phase = phase_in(text, phases, sides)
    active = _side_in(words, sides)
    yours = other if re.search(r"\byour\b", text, re.IGNORECASE) else by
    turn = found[1] if (found := _TURN.search(text)) else ""
    then = _after_the_end(text)
    if then:  # "done moving, combat now"
        return Announced("begins", phase_in(then, phases, sides), active or yours, turn)
    if _ENDS.search(text):
        done = text.split(";", 1)[0]
        phase = phase_in(done, phases, sides)
        return Announced("ends", phase, _side_in(_WORD.findall(done), sides) or yours)
    left = [w for w in words if w.lower() not in _FILLERS and not _is_kind(w)]
    left = [w for w in left if not _side_in([w], sides) and not w.isdigit()]
    heading = len(text) <= LONGEST_HEADING and len(left) <= 1
    if heading or (_BEGINS.search(text) and (_PHASE.search(text) or len(text) <= LONGEST_HEADING)):
        return Announced("begins", phase, active or yours, turn)
    return None


def _after_the_end(text: str) -> str:
    """The part of a short line, after an announced end, that names the next phase; "" if there is none."""
    parts = re.split("[,;.]", text) if len(text) <= LONGEST_HEADING else []
    for number, part in enumerate(parts):
        if _ENDS.search(part):
            rest = " ".join(parts[number + 1 :])
            words = _WORD.findall(rest)
            left = [word for word in words if word.lower() not in _FILLERS and not _is_kind(word)]
            return rest if any(map(_STRONG.fullmatch, words)) and len(left) <= 1 else ""
    return ""


def _is_kind(word: str) -> bool:
    """Whether a word may be the name of a phase; ``end`` alone may not."""
    return _KIND.fullmatch(word) is not None and word.lower() not in _FILLERS


def phase_in(text: str, phases: Sequence[str], sides: Sequence[str]) -> str:
    """The pack's phase that shares most words with a text, else the text's own name for a phase; "" if there
    is neither."""
    words = [word.lower() for word in _WORD.findall(text)]
    best, most = "", 0
    for phase in phases:
        wanted = [w.lower() for w in _WORD.findall(phase) if w.lower() not in _FILLERS]
        fits = all(any(_alike(w, word) for word in words) for w in wanted)
        if fits and len(wanted) > most:
            best, most = phase, len(wanted)
    if best:
        return best
    called = _CALLED.search(text)
    if called is None:
        kinds = [word for word in _WORD.findall(text) if _is_kind(word)]
        return kinds[0].capitalize() if kinds else ""
    parts = [
        word
        for word in called[1].split()
        if word.lower() not in _FILLERS
        and not _side_in([word], sides)
        and not _BEGINS.match(word)
        and not _ENDS.match(word)
    ]
    return " ".join(part.capitalize() for part in parts[-3:])


def _alike(wanted: str, word: str) -> bool:
    """Whether two words are forms of one: ``mech`` and ``mechanized``, ``move`` and ``moves``."""
    return wanted == word or (
        min(len(wanted), len(word)) >= 4 and (wanted.startswith(word) or word.startswith(wanted))
    )


def _side_in(words: Iterable[str], sides: Sequence[str]) -> str:
    """The side that one of the words names: ``German`` for ``Germans``, ``allied`` for ``Allies``."""
    for word in words:
        for side in sides:
            stem = min(len(side), max(4, len(side) - 2))
            if len(word) >= 4 and word.lower()[:stem] == side.lower()[:stem][: len(word)]:
                return side
    return ""


def _other(by: str, sides: Sequence[str]) -> str:
    others = [side for side in sides if side != by]
    return others[0] if by and len(sides) == 2 and len(others) == 1 else ""
