"""The web application: the page's own files, and the calls, behind :mod:`.safety`."""

from __future__ import annotations

import json
import mimetypes
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...model.problem import UmpireError
from . import (
    board_view,
    core_calls,
    entry_calls,
    findings_view,
    phases_view,
    report_view,
    rules_view,
    rulings_view,
    suggest_view,
    units_view,
)
from .calls import DATA, Bytes, Call
from .core_calls import TAB
from .entry import Entry
from .safety import (
    HEADERS,
    MOST_BODY,
    OPEN,
    TAB_HEADER,
    Keys,
    Refusal,
    most_body,
    refusal,
    too_long,
)

PAGE = Path(__file__).parent / "page"
ASKED = (
    core_calls, entry_calls, board_view, findings_view, phases_view, report_view, rules_view, rulings_view,
    suggest_view, units_view,
)  # fmt: skip
"""The modules that have calls."""
MOST_AT_ONCE = 2 * MOST_BODY
"""Total bytes of requests being read or answered; a request beyond that must be sent again."""
MOST_TAB = 64
AT_ONCE = 32
"""Calls answered in parallel, including those that wait for news."""
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": ""}


def calls() -> tuple[Call, ...]:
    """All calls."""
    return tuple(call for module in ASKED for call in module.CALLS)


def make_app(entry: Entry, keys: Keys, port: int, *, debug: bool = False) -> ASGIApp:
    """The application on one port."""
    limiter = anyio.CapacityLimiter(AT_ONCE)
    bodies = Bodies()
    routes = [
        Route("/", _page, methods=["GET"]),
        Route("/page/{file:path}", _page, methods=["GET"]),
        Route(OPEN, _opening(keys, bodies), methods=["POST"]),
        *(_route(call, entry, bodies, limiter, debug) for call in calls()),
    ]
    return guarded(Starlette(routes=routes), port, keys)


def guarded(app: ASGIApp, port: int, keys: Keys) -> ASGIApp:
    """Answers only requests that :func:`.refusal` allows, and adds the safety headers to every answer."""
    more = {k.lower().encode(): v.encode() for k, v in HEADERS.items()}

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = list({**more, **dict(message.get("headers", ()))}.items())
            await send(message)

        if scope["type"] != "http":
            return
        why = refusal(scope["method"], scope["path"], scope["headers"], port, keys)
        answer = app if why is None else _refused(why)
        await answer(scope, receive, send_safe)

    return asked


def page_files() -> Mapping[str, Path]:
    """The files of the page by URL name."""
    return {
        file.relative_to(PAGE).as_posix(): file
        for file in PAGE.rglob("*")
        if file.is_file() and not file.name.startswith(".")
    }


_FILES = page_files()


async def _page(request: Request) -> Response:
    name = request.path_params.get("file", "index.html")
    file = _FILES.get(name)
    if file is None:
        return JSONResponse({"error": f"the page has no file {name!r}"}, 404)
    kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return Response(file.read_bytes(), media_type=kind or "application/octet-stream")


def _opening(keys: Keys, bodies: Bodies) -> Any:
    async def opening(request: Request) -> Response:
        async with bodies.of(request) as data:
            if isinstance(data, Refusal):
                return _refused(data)
            body = _object(data)
        secret = keys.exchange(body.get("token")) if body is not None else None
        if secret is None:
            return JSONResponse({"error": "this link has been used, or is too old"}, 401)
        return JSONResponse({"session": secret})

    return opening


def _route(
    call: Call, entry: Entry, bodies: Bodies, limiter: anyio.CapacityLimiter, debug: bool
) -> Route:
    async def answer(request: Request) -> Response:
        tab = request.headers.get(TAB_HEADER, "")[:MOST_TAB]
        entry.heard += 1
        asked = entry if call.of == "entry" else entry.studio
        if asked is None:
            said = {"error": "no game is open in the studio", "place": entry.place}
            return JSONResponse(said, 409)
        if call.writes and entry.studio is not None and entry.studio.tabs.others_write(tab):
            return JSONResponse({"error": "another page of the studio is open and writes"}, 409)
        told = {**request.path_params, TAB: tab}
        if call.takes_bytes:
            told |= request.query_params

        async def run(body: Mapping[str, Any] | bytes) -> Response:
            given = (call, asked, body, told, debug)
            return await anyio.to_thread.run_sync(_run, *given, limiter=limiter)

        if call.method != "POST":
            return await run(request.query_params)
        async with bodies.of(request) as data:
            return _refused(data) if isinstance(data, Refusal) else await run(data)

    return Route(call.path, answer, methods=[call.method])


def _run(
    call: Call,
    of: Any,
    body: Mapping[str, Any] | bytes,
    told: Mapping[str, Any],
    debug: bool,
) -> Response:
    """The answer to a call. ``body``: the JSON of a POST, read here, in a thread; or the query. ``told``:
    parts of the path, and the tab."""
    asked: Mapping[str, Any] | None
    asked = (
        ({DATA: body} if call.takes_bytes else _object(body)) if isinstance(body, bytes) else body
    )
    if asked is None:
        return JSONResponse({"error": "expected a JSON object"}, 400)
    try:
        reply = call.run(of, {**asked, **told})
        return _bytes(reply) if isinstance(reply, Bytes) else Json(reply)
    except UmpireError as error:
        return JSONResponse({"error": str(error)}, 400)
    except OSError as error:
        return JSONResponse({"error": error.strerror or type(error).__name__}, 400)
    except Exception as error:  # noqa: BLE001 - the last resort: the page is told, and works on
        if debug:
            traceback.print_exception(error)
        text = f"this is a bug in umpire, not in your files ({type(error).__name__})"
        return JSONResponse({"error": text}, 500)


def _bytes(reply: Bytes) -> Response:
    own = {"Content-Security-Policy": reply.policy, "X-Frame-Options": "SAMEORIGIN"}
    return Response(reply.data, media_type=reply.media_type, headers=own if reply.policy else None)


class Json(JSONResponse):
    """A reply in plain ASCII: names in files may hold lone surrogates, which no other encoding can carry."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Bodies:
    """The bodies of all requests being read or answered: together at most :data:`MOST_AT_ONCE` bytes."""

    def __init__(self) -> None:
        self._held = 0

    @asynccontextmanager
    async def of(self, request: Request) -> AsyncIterator[bytes | Refusal]:
        """The body of a request, held until the block ends; or why it is not read."""
        path, data = request.scope["path"], bytearray()
        why: Refusal | None = None
        try:
            async for part in request.stream():
                if len(data) + len(part) > most_body(path):
                    why = too_long(path)
                elif self._held + len(part) > MOST_AT_ONCE:
                    why = Refusal(503, "too much is being sent at once; try again")
                if why is not None:
                    break
                data += part
                self._held += len(part)
            yield why or bytes(data)
        finally:
            self._held -= len(data)


def _refused(why: Refusal) -> Response:
    return JSONResponse({"error": why.why}, why.status)


def _object(data: bytes) -> dict[str, Any] | None:
    """The object in a request's JSON; None if it is not an object."""
    try:
        found = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
