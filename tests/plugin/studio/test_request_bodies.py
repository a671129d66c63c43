"""The studio refuses what is too long, or too much at once, before it reads it."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest

pytest.importorskip("starlette")

from vassal_umpire.plugin.studio import app
from vassal_umpire.plugin.studio.calls import Call
from vassal_umpire.plugin.studio.safety import MOST_BODY, MOST_TOKEN, SESSION_HEADER, Keys

PORT = 8000


@dataclass
class Desk:
    """A studio with one call, ``/api/edit``, which keeps what it was given."""

    reads_only: bool = False
    given: list[int] = field(default_factory=list)
    keys: Keys = field(default_factory=Keys)
    heard: int = 0

    @property
    def studio(self) -> Desk:
        return self

    tabs = studio

    def others_write(self, tab: str) -> bool:
        return self.reads_only

    def made(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def run(studio: Any, body: Any) -> str:
            studio.given.append(len(body["text"]))
            return "done"

        monkeypatch.setattr(app, "calls", lambda: (Call("POST", "/api/edit", run, writes=True),))
        return app.make_app(self, self.keys, PORT)  # type: ignore[arg-type]

    def headers(self, length: int | None = None) -> list[tuple[bytes, bytes]]:
        here = f"127.0.0.1:{PORT}"
        told = {"host": here, "origin": f"http://{here}", SESSION_HEADER: self.keys.session}
        told |= {} if length is None else {"content-length": str(length)}
        return [(name.encode(), value.encode()) for name, value in told.items()]


@dataclass
class Asked:
    """A request whose body comes in ``parts``; how many of them were ``read``, and the answer."""

    path: str
    parts: Sequence[bytes]
    read: int = 0
    status: int = 0
    said: bytes = b""
    wait: anyio.Event | None = None
    """Before the last part, until this is set."""

    async def of(self, made: Any, headers: list[tuple[bytes, bytes]]) -> None:
        scope = {"type": "http", "method": "POST", "path": self.path, "headers": headers}
        scope |= {"query_string": b"", "root_path": "", "scheme": "http"}

        async def receive() -> dict[str, Any]:
            part = self.parts[self.read]
            self.read += 1
            more = self.read < len(self.parts)
            if not more and self.wait is not None:
                await self.wait.wait()
            return {"type": "http.request", "body": part, "more_body": more}

        async def send(message: Any) -> None:
            self.status = message.get("status", self.status)
            self.said += message.get("body", b"")

        await made(scope, receive, send)


def in_a_loop(work: Any, *arguments: Any) -> None:
    """``work`` in an event loop of its own, in a thread of its own: the browser's may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, work, *arguments).result()


@pytest.fixture
def desk() -> Desk:
    return Desk()


def text(length: int) -> bytes:
    return json.dumps({"text": "x" * length}).encode()


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/api/open", MOST_TOKEN + 1, 413),
        ("/api/open", MOST_TOKEN, 401),
        ("/api/edit", MOST_BODY + 1, 413),
        ("/api/edit", 11, 200),
        ("/api/edit", 10**30, 413),
    ],
)
def test_what_says_that_it_is_too_long_is_not_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, path: str, length: int, status: int
) -> None:
    asked = Asked(path, [text(1)])
    in_a_loop(asked.of, desk.made(monkeypatch), desk.headers(length))
    assert asked.status == status, asked.said
    assert asked.read == (0 if status == 413 else 1)


def test_what_does_not_say_how_long_it_is_is_read_no_farther_than_allowed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked("/api/open", [b" " * 600] * 5)
    in_a_loop(asked.of, desk.made(monkeypatch), desk.headers())
    assert (asked.status, asked.read) == (413, 2)
    assert "at most 1,000 bytes" in json.loads(asked.said)["error"]


def test_a_page_that_reads_only_is_refused_before_its_edit_is_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.reads_only = True
    asked = Asked("/api/edit", [text(1)])
    in_a_loop(asked.of, desk.made(monkeypatch), desk.headers())
    assert (asked.status, asked.read) == (409, 0)


def test_requests_at_once_are_bounded_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MOST_AT_ONCE", 1_000)
    made = desk.made(monkeypatch)
    slow, second, third = (Asked("/api/edit", [text(600), b" "]) for _ in range(3))

    async def ask() -> None:
        slow.wait = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(slow.of, made, desk.headers())
            while slow.read < 2:
                await anyio.lowlevel.checkpoint()
            await second.of(made, desk.headers())
            slow.wait.set()
        await third.of(made, desk.headers())

    in_a_loop(ask)
    assert [one.status for one in (slow, second, third)] == [200, 503, 200]
    assert desk.given == [600, 600]


def test_json_is_parsed_off_the_event_loop(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    parse = json.loads

    def loads(data: bytes) -> Any:
        threads.append(threading.get_ident())
        return parse(data)

    made = desk.made(monkeypatch)
    monkeypatch.setattr(app.json, "loads", loads)
    in_a_loop(Asked("/api/edit", [text(1)]).of, made, desk.headers())
    assert desk.given == [1]
    assert threads
    assert threading.get_ident() not in threads
