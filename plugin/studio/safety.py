"""Who may use the studio: only this machine, by its exact address, with the session's secret.

A web page elsewhere can make a browser send requests to this machine. Such a request has another Origin, or
(DNS rebinding) another Host, and never the secret: the secret is a header of its own, which no page of
another origin can set. Everything here is a pure function of the request's headers, except the keys.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

HOST = "127.0.0.1"
OPEN = "/api/open"
"""The path that exchanges a launch token: the one call that needs no secret."""
MOST_BODY = 16_000_000
"""Requests with more bytes than this are refused."""
MOST_TOKEN = 1_000
"""The same limit for a request with a launch token."""
SESSION_HEADER = "x-umpire-session"
TAB_HEADER = "x-umpire-tab"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
"""Sent with every answer."""

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(slots=True)
class Keys:
    """The secrets of one run. ``launch``: tokens that each open the studio once. ``session``: required in
    every request for data afterwards. Only the user's own browser ever gets them. ``used`` is called when a
    token has been used."""

    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    launch: list[str] = field(default_factory=list, repr=False)
    used: Callable[[], None] = field(default=lambda: None, repr=False)

    def new_token(self) -> str:
        """A token for one more opening. Earlier unused tokens become void."""
        self.launch[:] = [secrets.token_urlsafe(32)]
        return self.launch[0]

    def exchange(self, token: object) -> str | None:
        """The session's secret for a launch token, once; None for anything else."""
        for known in self.launch:
            if isinstance(token, str) and _same(token, known):
                self.launch.remove(known)
                self.used()
                return self.session
        return None

    def holds(self, secret: str) -> bool:
        """Whether ``secret`` is the session's."""
        return _same(secret, self.session)


def _same(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode("utf-8", "replace"), right.encode())


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: its HTTP ``status``, and a line of text."""

    status: int
    why: str


def refusal(method: str, path: str, headers: Headers, port: int, keys: Keys) -> Refusal | None:
    """Why a request must not be answered; None if it may be."""
    hosts, origins = _all(headers, "host"), _all(headers, "origin")
    here = f"{HOST}:{port}"
    if hosts != [here]:
        return Refusal(403, f"the studio answers only at {here}")
    if method not in ("GET", "HEAD", "POST"):
        return Refusal(405, "the studio takes only GET and POST")
    needs_origin = method == "POST"
    if origins != [f"http://{here}"] and (origins or needs_origin):
        return Refusal(403, "the studio answers only its own page")
    if any(site not in ("same-origin", "none") for site in _all(headers, "sec-fetch-site")):
        return Refusal(403, "the studio answers only its own page")
    secret = _all(headers, SESSION_HEADER)
    if (
        path.startswith("/api/")
        and path != OPEN
        and (len(secret) != 1 or not keys.holds(secret[0]))
    ):
        return Refusal(401, "this page is not, or no longer, connected to the studio")
    lengths = _all(headers, "content-length")
    if any(not one.isdecimal() or len(one) > 9 or int(one) > most_body(path) for one in lengths):
        return too_long(path)
    return None


def most_body(path: str) -> int:
    """Maximum bytes of a request to ``path``."""
    return MOST_TOKEN if path == OPEN else MOST_BODY


def too_long(path: str) -> Refusal:
    """The refusal of a request with more bytes than :func:`most_body`."""
    return Refusal(413, f"the request is too long; expected at most {most_body(path):,} bytes")


def _all(headers: Headers, name: str) -> list[str]:
    wanted = name.encode()
    return [value.decode("latin-1") for key, value in headers if key.lower() == wanted]
