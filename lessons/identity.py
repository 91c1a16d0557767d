"""Who is reading, without an account: a signed cookie that a middleware sets and the pages verify.

The cookie holds a random id and its HMAC under the server's key, `<id>.<hex>`. Nothing about the reader is in it.
"""
from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "course_uid"
ONE_YEAR = 365 * 24 * 3600
KEY_FILE = Path(__file__).resolve().parent.parent / "data" / "secret.key"
_COOKIE_TEXT = re.compile(r"([A-Za-z0-9_-]{22})\.([0-9a-f]{64})", re.ASCII)


def new_cookie(key: bytes) -> str:
    """The cookie of a reader who has none yet: 128 random bits and their signature."""
    learner = secrets.token_urlsafe(16)
    return f"{learner}.{_signature(learner, key)}"


def verify(cookie: str, key: bytes) -> str | None:
    """The learner's id in `cookie`, or None if it isn't one that this server signed."""
    parts = _COOKIE_TEXT.fullmatch(cookie)
    if parts is None:
        return None
    learner, signature = parts.groups()
    return learner if hmac.compare_digest(signature, _signature(learner, key)) else None


def _signature(learner: str, key: bytes) -> str:
    return hmac.new(key, f"{COOKIE}\0{learner}".encode(), hashlib.sha256).hexdigest()


def secret_key(file: Path = KEY_FILE) -> bytes:
    """The key of COURSE_SECRET_KEY, else the one in `file`, which the first start generates.

    Raises ValueError for a key that is too short to sign with.
    """
    configured = os.environ.get("COURSE_SECRET_KEY", "").strip()
    if configured:
        return _long_enough(configured.encode(), "COURSE_SECRET_KEY")
    if not file.exists():
        _create(file)
    return _long_enough(file.read_bytes().strip(), str(file))


def _create(file: Path) -> None:
    """Write a new key that only this user can read. Of two processes that start together, the first one's key stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mode 0600
    with os.fdopen(descriptor, "w", encoding="ascii") as handle:
        handle.write(secrets.token_hex(32) + "\n")
    try:
        os.link(draft, file)  # fails if the file is there: never half written, never replaced
    except FileExistsError:
        return
    finally:
        os.unlink(draft)


def _long_enough(key: bytes, place: str) -> bytes:
    if len(key) < 16:
        raise ValueError(f"{place} holds {len(key)} characters; a signing key needs at least 16. Set a longer one")
    return key


class LearnerCookie:
    """ASGI middleware: an HTML page that is asked for without a valid cookie comes back with a new one."""

    def __init__(self, app: ASGIApp, key: bytes | None = None) -> None:
        self.app = app
        self.key = key or secret_key()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or known_learner(scope, self.key):
            await self.app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(scope, message):
                message = {**message, "headers": _with_cookie(message, _set_cookie(new_cookie(self.key), scope))}
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def known_learner(scope: Scope, key: bytes) -> str | None:
    """The learner whose valid cookie came with the request."""
    for cookie in _header(scope, b"cookie").split(";"):
        name, _, value = cookie.strip().partition("=")
        learner = verify(value, key) if name == COOKIE else None
        if learner:
            return learner
    return None


def _set_cookie(cookie: str, scope: Scope) -> str:
    forwarded = _header(scope, b"x-forwarded-proto").split(",")[0].strip()
    secure = "; Secure" if "https" in (scope.get("scheme"), forwarded) else ""
    return f"{COOKIE}={cookie}; Path=/; Max-Age={ONE_YEAR}; HttpOnly; SameSite=Lax{secure}"


def _with_cookie(message: Message, cookie: str) -> list[tuple[bytes, bytes]]:
    """The answer's headers and the cookie; no shared cache may keep it for the next reader."""
    kept = [(name, value) for name, value in message.get("headers", ()) if name != b"cache-control"]
    return [*kept, (b"cache-control", b"private, no-cache"), (b"set-cookie", cookie.encode("ascii"))]


def _is_page(scope: Scope, message: Message) -> bool:
    """An HTML answer, or "your copy is still good" to a browser that asked for HTML."""
    if message["status"] == 304:
        return "text/html" in _header(scope, b"accept")
    headers: dict[bytes, bytes] = dict(message.get("headers", ()))
    return headers.get(b"content-type", b"").startswith(b"text/html")


def _header(scope: Scope, name: bytes) -> str:
    return b"; ".join(value for key, value in scope["headers"] if key == name).decode("latin-1")
