"""The calls of the start page and of the look at a game."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from ...model.problem import UmpireError
from .calls import DATA, Bytes, Call, whole
from .entry import Entry
from .keepsake import forget, recent_games

REPORT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        "script-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-scripts allow-popups",
    )
)
"""The policy for the report in its frame: it allows the one script that the report names. The frame has no
origin, so it can ask the studio nothing."""


def place(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Which of the three the page is to show."""
    return {"place": entry.place}


def start(entry: Entry, body: Mapping[str, Any]) -> Any:
    """What the start page shows."""
    return entry.told()


def take(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Take the next part of a file: the body is its bytes; name, place and size are in the query."""
    name, at, size = str(body.get("name", "")), _number(body, "at"), _number(body, "size")
    data = body.get(DATA)
    if not isinstance(data, bytes) or not name:
        raise UmpireError("expected a file with a name")
    whole = entry.take(name, at, size, data)
    return {**entry.told(), "whole": whole}


def remove(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Remove an uploaded file."""
    entry.remove(str(body.get("name", "")))
    return entry.told()


def open_given(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Look at the game in the uploaded files."""
    order = body.get("order")
    if not isinstance(order, list):
        raise UmpireError("expected the logs in their order", where="order")
    entry.open_given([str(name) for name in order])
    return place(entry, body)


def open_recent(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Open a recent game, by its number on the list."""
    entry.open_recent(_number(body, "number"))
    return place(entry, body)


def forgotten(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Remove a recent game from the list."""
    number, games = _number(body, "number"), recent_games()
    if number < len(games):
        forget(games[number].files)
    return entry.told()


def open_sample(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Open a copy of the sample game."""
    entry.open_sample(with_pack=body.get("pack") is True)
    return place(entry, body)


def look(entry: Entry, body: Mapping[str, Any]) -> Any:
    """The game that is looked at: the address of its page, and what can be done next."""
    looked = entry.looked_at
    if looked is None:
        raise UmpireError("no game is being looked at")
    page = looked.page()
    home = looked.home if looked.keep_in is None else looked.keep_in
    return {
        "title": page.title,
        "report": f"/look/{looked.key}",
        "ruled": page.pack is not None,
        "unused": page.unused,
        "unjudged": page.unjudged,
        "home": str(home),
        "note": looked.note,
    }


def report(entry: Entry, body: Mapping[str, Any]) -> Any:
    """The page of the game that is looked at."""
    looked = entry.looked_at
    if looked is None or not hmac.compare_digest(str(body["key"]).encode(), looked.key.encode()):
        raise UmpireError("there is no such page")
    return Bytes("text/html; charset=utf-8", looked.page().html.encode(), REPORT_POLICY)


def begin(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Open the studio on the game that is looked at."""
    entry.begin()
    return place(entry, body)


def leave(entry: Entry, body: Mapping[str, Any]) -> Any:
    """Show the start page."""
    entry.leave()
    return place(entry, body)


def end(entry: Entry, body: Mapping[str, Any]) -> Any:
    """End the program. Raises :class:`UmpireError` while an edit waits to be written, unless ``anyway``."""
    if entry.studio is not None and body.get("anyway") is not True:
        entry.studio.write_up()
    entry.quit()
    return {}


def _number(body: Mapping[str, Any], key: str) -> int:
    told = whole(body.get(key), 12)
    if told is None:
        raise UmpireError("expected a number", where=key)
    return told


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/place", place, of="entry"),
    Call("GET", "/api/start", start, of="entry"),
    Call("POST", "/api/start/file", take, of="entry", takes_bytes=True),
    Call("POST", "/api/start/remove", remove, of="entry"),
    Call("POST", "/api/start/open", open_given, of="entry"),
    Call("POST", "/api/start/recent", open_recent, of="entry"),
    Call("POST", "/api/start/forget", forgotten, of="entry"),
    Call("POST", "/api/start/sample", open_sample, of="entry"),
    Call("GET", "/api/done", look, of="entry"),
    Call("GET", "/look/{key}", report, of="entry"),
    Call("POST", "/api/begin", begin, of="entry"),
    Call("POST", "/api/start-page", leave, of="entry", writes=True),
    Call("POST", "/api/end", end, of="entry"),
)
