"""The learner's cookie: set once, signed, verified, and never trusted when it was touched."""
from __future__ import annotations

import asyncio
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from lessons import identity
from lessons.identity import COOKIE, LearnerCookie, new_cookie, secret_key, verify

KEY = b"a key for tests, long enough"
HTML = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-cache")]


def ask(
    *,
    cookie: str | None = None,
    method: str = "GET",
    answer: list[tuple[bytes, bytes]] = HTML,
    status: int = 200,
    headers: dict[str, str] | None = None,
    scheme: str = "http",
    kind: str = "http",
) -> dict[str, str]:
    """The headers that a browser gets back through the middleware."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": list(answer)})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    raw = {**(headers or {}), **({"cookie": cookie} if cookie is not None else {})}
    scope: dict[str, Any] = {
        "type": kind,
        "method": method,
        "path": "/",
        "scheme": scheme,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in raw.items()],
    }
    asyncio.run(LearnerCookie(app, KEY)(scope, receive, send))
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def cookie_of(headers: dict[str, str]) -> str:
    return headers["set-cookie"].split(";")[0].removeprefix(f"{COOKIE}=")


def test_a_first_visit_gets_a_signed_cookie() -> None:
    headers = ask()
    assert verify(cookie_of(headers), KEY)
    attributes = headers["set-cookie"].split("; ")[1:]
    assert attributes == ["Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"]
    assert headers["cache-control"] == "private, no-cache"


def test_a_known_learner_keeps_the_cookie() -> None:
    assert "set-cookie" not in ask(cookie=f"theme=dark; {COOKIE}={new_cookie(KEY)}")


def test_two_visitors_are_two_learners() -> None:
    assert verify(cookie_of(ask()), KEY) != verify(cookie_of(ask()), KEY)


@pytest.mark.parametrize("spoil", [
    lambda cookie: "someone." + cookie.partition(".")[2],
    lambda cookie: cookie[:-1] + ("0" if cookie[-1] != "0" else "1"),
    lambda cookie: cookie.partition(".")[0],
    lambda cookie: cookie + "0",
    lambda cookie: cookie.upper(),
    lambda cookie: "",
    lambda cookie: "é" * 20,
    lambda cookie: "a" * 100_000,
])  # fmt: skip
def test_a_touched_cookie_is_a_new_learner(spoil: Any) -> None:
    mine = new_cookie(KEY)
    touched = spoil(mine)
    assert verify(touched, KEY) is None
    fresh = cookie_of(ask(cookie=f"{COOKIE}={touched}"))
    assert verify(fresh, KEY) not in (None, verify(mine, KEY))


def test_another_servers_cookie_is_not_taken() -> None:
    assert verify(new_cookie(b"another key, also long"), KEY) is None


@given(st.text())
def test_no_text_is_taken_for_a_cookie(text: str) -> None:
    assert verify(text, KEY) is None


def test_the_right_one_of_two_cookies_counts() -> None:
    assert "set-cookie" not in ask(cookie=f"{COOKIE}=planted.0; {COOKIE}={new_cookie(KEY)}")


def test_secure_under_https_only() -> None:
    assert "Secure" not in ask()["set-cookie"]
    assert ask(scheme="https")["set-cookie"].endswith("; Secure")
    assert ask(headers={"x-forwarded-proto": "https, http"})["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize("request_", [
    {"method": "POST"},
    {"answer": [(b"content-type", b"application/json")]},
    {"answer": []},
    {"kind": "websocket"},
])  # fmt: skip
def test_only_pages_set_the_cookie(request_: dict[str, Any]) -> None:
    assert "set-cookie" not in ask(**request_)


def test_a_page_that_the_browser_still_has_sets_it_too() -> None:
    """Cookies deleted, cache kept: the answer is 304 and has no content type."""
    assert "set-cookie" in ask(status=304, answer=[], headers={"accept": "text/html,*/*"})
    assert "set-cookie" not in ask(status=304, answer=[], headers={"accept": "image/png"})


def test_the_key_is_generated_once_and_readable_by_its_owner_only(tmp_path: Path, unset_key: None) -> None:
    file = tmp_path / "data" / "secret.key"
    key = secret_key(file)
    assert len(key) == 64
    assert secret_key(file) == key
    assert [path.name for path in file.parent.iterdir()] == ["secret.key"]
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_processes_that_start_together_share_one_key(tmp_path: Path, unset_key: None) -> None:
    file = tmp_path / "secret.key"
    keys: list[bytes] = []
    threads = [threading.Thread(target=lambda: keys.append(secret_key(file))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 16 and len(set(keys)) == 1


def test_a_key_from_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SECRET_KEY", "from the environment")
    assert secret_key(tmp_path / "secret.key") == b"from the environment"
    assert not list(tmp_path.iterdir())


def test_a_short_key_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SECRET_KEY", "short")
    with pytest.raises(ValueError, match="COURSE_SECRET_KEY holds 5 characters"):
        secret_key(tmp_path / "secret.key")


def test_an_empty_key_file_is_refused_by_name(tmp_path: Path, unset_key: None) -> None:
    (tmp_path / "secret.key").touch()
    with pytest.raises(ValueError, match=r"secret\.key holds 0 characters"):
        secret_key(tmp_path / "secret.key")


@pytest.fixture
def unset_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COURSE_SECRET_KEY", raising=False)


def test_the_generated_key_lies_in_data_which_git_ignores() -> None:
    assert identity.KEY_FILE.parent.name == "data"
    ignored = (identity.KEY_FILE.parent.parent / ".gitignore").read_text("utf-8").splitlines()
    assert "data/" in ignored
