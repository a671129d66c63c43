"""Who the studio answers: its own page on this machine, and nobody else."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from browser.studio_kit import Running, copy_of, running
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.app import calls, page_files
from vassal_umpire.plugin.studio.entry import Entry
from vassal_umpire.plugin.studio.safety import Keys
from vassal_umpire.plugin.studio.session import Studio

from .kit import PACK, TURN_1


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = copy_of(PACK, tmp_path_factory.mktemp("studio"))
    with running(folder, (TURN_1,)) as found:
        yield found


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.data = response.status, response.headers, response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.data)


def ask(
    studio: Running,
    method: str,
    path: str,
    headers: Mapping[str, str | None] | None = None,
    body: bytes = b"{}",
    host: str | None = None,
) -> Answer:
    """An answer to a request with the page's own headers, but for those named (None: left out)."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    sent: dict[str, str | None] = {"Host": host or f"127.0.0.1:{studio.port}", **studio.headers}
    for name, value in {**sent, **(headers or {})}.items():
        if value is not None:
            connection.putheader(name, value)
    if method == "POST":
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
    else:
        connection.endheaders()
    try:
        return Answer(connection.getresponse())
    finally:
        connection.close()


def test_its_own_page_is_answered_and_no_other_method_or_host(studio: Running) -> None:
    assert ask(studio, "GET", "/api/state").json["pack"]["name"] == "crossroads"
    assert ask(studio, "GET", "/").status == 200
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert ask(studio, method, "/api/state").status == 405
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    connection.putrequest("GET", "/", skip_host=True)
    for host in (f"127.0.0.1:{studio.port}", "umpire.example"):
        connection.putheader("Host", host)
    connection.endheaders()
    assert connection.getresponse().status in (400, 403)
    connection.close()


@pytest.mark.parametrize(
    "host",
    [
        "umpire.example", "127.0.0.1", "127.0.0.1:1", "localhost:{port}", "[::1]:{port}",
        "127.0.0.1.nip.example:{port}", "evil.example@127.0.0.1:{port}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/page/app.js", "/api/state"])
def test_a_name_that_was_bound_anew_gets_403(studio: Running, host: str, path: str) -> None:
    assert ask(studio, "GET", path, host=host.format(port=studio.port)).status == 403


@pytest.mark.parametrize("origin", ["http://umpire.example", "null", "https://127.0.0.1:{port}",
                                    "http://127.0.0.1", "http://localhost:{port}"])  # fmt: skip
def test_another_origin_is_refused(studio: Running, origin: str) -> None:
    headers = {"Origin": origin.format(port=studio.port)}
    for path in ("/api/state", "/page/app.js", "/api/tile/0/0/0/0"):
        assert ask(studio, "GET", path, headers).status == 403
    for path in ("/api/who", "/api/open", "/api/leave"):
        assert ask(studio, "POST", path, headers).status == 403


def test_what_writes_or_comes_from_another_site_needs_an_origin(studio: Running) -> None:
    for call in calls():
        if call.method == "POST":
            assert ask(studio, "POST", call.path, {"Origin": None}).status == 403
    assert ask(studio, "GET", "/api/state", {"Origin": None}).status == 200
    for site in ("cross-site", "same-site"):
        headers = {"Sec-Fetch-Site": site, "Origin": None}
        assert ask(studio, "GET", "/page/app.js", headers).status == 403


@pytest.mark.parametrize("secret", [None, "", "x", "é"])
def test_every_call_needs_the_secret(studio: Running, secret: str | None) -> None:
    headers = {"X-Umpire-Session": secret}
    for call in calls():
        path = call.path.replace("{", "").replace("}", "")
        answer = ask(studio, call.method, path, headers)
        # a frame cannot send it: what it shows has a name that nobody can guess
        assert answer.status == (400 if path == "/look/key" else 401), call.path
        assert studio.keys.session.encode() not in answer.data


def test_a_token_opens_once_and_a_secret_in_the_address_never(studio: Running) -> None:
    headers = {"X-Umpire-Session": None}
    query = f"?session={studio.keys.session}&X-Umpire-Session={studio.keys.session}"
    assert ask(studio, "GET", f"/api/state{query}", headers).status == 401
    token = studio.keys.new_token()
    headers = {"X-Umpire-Session": None}

    def opened(said: object) -> Answer:
        return ask(studio, "POST", "/api/open", headers, json.dumps({"token": said}).encode())

    for wrong in ("", token[:-1], None, 5, [token], "é"):
        assert opened(wrong).status == 401
    first = opened(token)
    assert first.json == {"session": studio.keys.session}
    assert opened(token).status == 401


def test_secrets_are_not_printed_and_a_new_token_makes_the_old_one_void() -> None:
    keys = Keys()
    old = keys.new_token()
    keys.new_token()
    assert keys.exchange(old) is None
    assert keys.new_token() not in repr(keys)
    assert keys.session not in repr(keys)


def test_every_answer_is_fenced_in(studio: Running) -> None:
    for path, host in (("/", None), ("/page/app.js", None), ("/api/state", None),
                       ("/nowhere", None), ("/", "umpire.example")):  # fmt: skip
        headers = ask(studio, "GET", path, host=host).headers
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in headers
        assert "Set-Cookie" not in headers


def test_the_page_needs_nothing_inline_and_nothing_from_elsewhere() -> None:
    for file in page_files().values():
        if file.suffix in (".html", ".css", ".js") and "vendor" not in file.parts:
            text = file.read_text("utf-8")
            for wrong in (
                "http://", "https://", "onclick=", "<style", "style=", "eval(", "innerHTML", "outerHTML",
                "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment",
            ):  # fmt: skip
                assert wrong not in text.replace('"http://www.w3.org/', '"'), (file.name, wrong)


@pytest.mark.parametrize(
    "path",
    [
        "/page/../safety.py",
        "/page/..%2fsafety.py",
        "/page//etc/passwd",
        "/page/%2e%2e/app.py",
        "/etc/passwd",
    ],
)
def test_only_the_pages_own_files_are_served(studio: Running, path: str) -> None:
    assert ask(studio, "GET", path).status == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'"x"'])
def test_a_body_that_is_no_object_is_told_in_a_line(studio: Running, body: bytes) -> None:
    answer = ask(studio, "POST", "/api/who", body=body)
    assert answer.status == 400
    assert answer.json["error"]


def test_a_page_that_reads_cannot_write(studio: Running) -> None:
    ask(studio, "GET", "/api/state", {"X-Umpire-Tab": "one"})
    ask(studio, "POST", "/api/take-over", {"X-Umpire-Tab": "one"})
    for tab in ("two", None):
        answer = ask(studio, "POST", "/api/edit", {"X-Umpire-Tab": tab}, b'{"edits": []}')
        assert answer.status == 409
    ask(studio, "POST", "/api/leave", {"X-Umpire-Tab": "one"})
    # the other writes at once: that it was loaded anew may have been heard of before the old one left
    answer = ask(studio, "POST", "/api/edit", {"X-Umpire-Tab": "two"}, b'{"edits": []}')
    assert answer.status == 200
    ask(studio, "POST", "/api/take-over", {"X-Umpire-Tab": "test"})


def test_it_listens_on_this_machine_alone() -> None:
    with launch.listening(0) as sock:
        assert sock.getsockname()[0] == "127.0.0.1"
        with (
            pytest.raises(UmpireError, match="name another"),
            launch.listening(sock.getsockname()[1]),
        ):
            pass


def heed_interrupts() -> None:
    """Heed Ctrl-C in a process that is started, also where the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_the_browser_is_given_a_private_file_that_leads_on(tmp_path: Path) -> None:
    """The browser that is started here writes down its own command line and follows the file."""
    seen = tmp_path / "seen.txt"
    browser = tmp_path / "browser.py"
    browser.write_text(
        "import os, re, sys, json, stat, urllib.request, pathlib\n"
        "file = pathlib.Path(sys.argv[1].removeprefix('file://'))\n"
        "link = re.search(r'url=([^\"]+)', file.read_text()).group(1)\n"
        "origin, token = link.split('/#launch=')\n"
        "mode = stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)\n"
        "ask = urllib.request.Request(origin + '/api/open', json.dumps({'token': token}).encode(),\n"
        "    {'Origin': origin})\n"
        "answer = json.load(urllib.request.urlopen(ask))\n"
        "told = [sys.argv, token, mode, file.exists(), bool(answer['session'])]\n"
        f"part = pathlib.Path({str(seen)!r} + '.part')\n"
        "part.write_text(json.dumps(told))\n"
        f"part.rename({str(seen)!r})\n"
    )
    folder = copy_of(PACK, tmp_path)
    command = [sys.executable, "-m", "vassal_umpire", "studio", str(folder)]
    environment = {**os.environ, "BROWSER": f"{sys.executable} {browser} %s &"}
    logs = [str(TURN_1)]
    with subprocess.Popen(
        [*command, *logs],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        assert any("Ctrl-C" in line for line in process.stdout)
        while not seen.exists():
            assert process.poll() is None
        arguments, token, modes, still_there, opened = json.loads(seen.read_text())
        process.send_signal(2)
        assert process.stdout.read().strip().endswith("The studio is closed.")
        assert process.wait(20) == 0
    assert opened
    assert token not in " ".join(arguments)
    assert modes == [0o600, 0o700]
    assert not still_there
    assert not Path(unquote(urlsplit(arguments[1]).path)).parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own needs Unix")
def test_enter_in_the_terminal_gives_a_new_link_and_ctrl_c_ends_it() -> None:
    import pty

    terminal, end = pty.openpty()
    log = str(TURN_1)
    command = [sys.executable, "-m", "vassal_umpire", "studio", log, "--no-browser"]
    with subprocess.Popen(
        command,
        stdin=end,
        stdout=end,
        stderr=end,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    ) as process:
        os.close(end)
        text = ""

        def until(wanted: str, times: int = 1) -> None:
            nonlocal text
            while text.count(wanted) < times:
                text += os.read(terminal, 4096).decode("utf-8", "replace")

        until("Ctrl-C ends the studio")
        os.write(terminal, b"\n")
        until("#launch=", 2)
        process.send_signal(2)
        until("The studio is closed.")
        assert process.wait(20) == 0
    os.close(terminal)
    first, second = (part[:20] for part in text.split("#launch=")[1:3])
    assert first != second


@pytest.mark.parametrize("moment", ["started", "The studio is at", "Ctrl-C ends the studio"])
def test_ctrl_c_ends_it(moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes while the studio is being started, between the messages, or at the last one."""
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    monkeypatch.setattr("sys.setswitchinterval", lambda seconds: None)
    folder = copy_of(PACK, tmp_path)
    evidence = read_evidence(Named((TURN_1,), None), DEFAULT_LIMITS)
    studio = Studio(folder, folder / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)
    closed: list[bool] = []
    monkeypatch.setattr(studio, "close", lambda: closed.append(True))
    said: list[str] = []

    def interrupt() -> None:
        raise KeyboardInterrupt

    def say(line: str) -> None:
        said.append(line)
        if moment in line:
            interrupt()

    monkeypatch.setattr(studio, "start", interrupt if moment == "started" else lambda: None)
    launch.serve(Entry(studio), 0, say)
    assert said[-1] == "The studio is closed."
    assert closed
    assert not list(private.iterdir())
