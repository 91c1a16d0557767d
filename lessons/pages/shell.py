"""What every page shares: the language, the reader, the store, the judge, links, and the frame around a page."""
from __future__ import annotations

import functools
import gc
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NoReturn, cast
from urllib.parse import urlsplit

import streamlit as st

from grader.judge import Judge
from grader.language import LANGUAGES, NAMES, Words
from grader.language import words as language_file
from grader.store import Store, open_store
from lessons import identity
from lessons.judging import Access, Judging, Problem, is_loopback

Language = Literal["en", "zh"]
LANGUAGE_TAGS = {"en": "en", "zh": "zh-CN"}
TEXTS = Path(__file__).resolve().parent.parent / "texts"
FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded")  # what a proxy adds
ASSETS = Path(__file__).resolve().parent / "assets"
EXERCISE = "exercise-"  # what an exercise's address begins with
JUDGING = Judging()  # one for the process: pages and /healthz ask the same


def language() -> Language:
    """The reader's language: the URL's, else this session's, else the browser's."""
    asked = st.query_params.get("lang")
    if asked in LANGUAGES:
        st.session_state["lang"] = asked
    elif "lang" not in st.session_state:
        st.session_state["lang"] = _browser_language()
    return cast(Language, st.session_state["lang"])


def _browser_language() -> Language:
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def words() -> Words:
    """The texts of the pages, lessons/texts, in the reader's language."""
    return language_file(TEXTS, language())


def language_switch() -> None:
    """English or Chinese. The choice stays in the URL, where a link can carry it."""
    chosen = language()
    if st.query_params.get("lang") != chosen:
        st.query_params["lang"] = chosen
    st.session_state["language_choice"] = chosen  # the URL leads: Back in the browser moves the switch too
    st.segmented_control(
        "Language · 语言",
        LANGUAGES,
        format_func=NAMES.__getitem__,
        key="language_choice",
        required=True,
        on_change=_keep_choice,
    )


def _keep_choice() -> None:
    chosen = st.session_state["language_choice"]
    st.session_state["lang"] = chosen
    st.query_params["lang"] = chosen


def learner() -> str:
    """The id in the reader's verified cookie; without one, an id that lives as long as this session."""
    cookie = str(st.context.cookies.get(identity.COOKIE, ""))  # under AppTest it's no string
    known = identity.verify(cookie, _key())
    if known:
        return known
    return str(st.session_state.setdefault("session_learner", f"session-{secrets.token_hex(8)}"))


def is_remembered() -> bool:
    """Whether progress outlives this session."""
    return not learner().startswith("session-")


@st.cache_resource(show_spinner=False)
def _key() -> bytes:
    return identity.secret_key()


def store() -> Store:
    """Attempts, drafts and progress: one store for each database address."""
    return _store(os.environ.get("COURSE_DATABASE_URL", ""))


@st.cache_resource(show_spinner=False)
def _store(url: str) -> Store:
    return open_store()


def judge() -> Access:
    """The judge for this reader, or the problem: see lessons.judging."""
    return JUDGING.access(served=is_served())


def is_served() -> bool:
    """Whether others can reach this server: it listens beyond this computer, or the reader came by another address.

    What a client says of itself can be forged; so no isolation is ever given up on the strength of this alone.
    """
    headers = st.context.headers
    if not is_loopback(st.get_option("server.address")) or any(name in headers for name in FORWARDED):
        return True
    addresses = (urlsplit(st.context.url or "").hostname, urlsplit(f"//{headers.get('Host') or ''}").hostname)
    return not all(address is None or is_loopback(address) for address in addresses)


def judge_or_explain() -> Judge | None:
    """The judge; where there is none, the page says why, what to do, and that the lessons go on."""
    access = judge()
    if access.judge is None and access.problem is not None:
        _explain(access)
    elif access.judge is not None and access.judge.tier == "basic":
        st.warning(words()("judging.basic_now"))
    return access.judge


def _explain(access: Access) -> None:
    text = words()
    st.warning(text(f"judging.{access.problem}"))
    if access.detail:
        st.caption(text("judging.detail", detail=access.detail))
    if access.problem is Problem.ASK_FOR_BASIC:
        _ask_for_consent(text)


def _ask_for_consent(text: Words) -> None:
    """A yes to running code without isolation, proven by the code that the server's terminal shows."""
    JUDGING.ask()
    with st.form("consent", border=False):
        code = st.text_input(text("judging.code"))
        sent = st.form_submit_button(text("judging.run_anyway"))
    if sent and JUDGING.accept_basic(code):
        st.rerun()
    elif sent:
        st.error(text("judging.wrong_code"))


def link(slug: str, label: str, icon: str | None = None) -> None:
    """A link to a page of the course by its slug ("" is the start page); it keeps the language."""
    st.page_link(_place(slug), label=label, icon=icon, query_params={"lang": language()})


def go(slug: str) -> NoReturn:
    """Leave for another page of the course; the language goes along."""
    st.switch_page(_place(slug), query_params={"lang": language()})


def _place(slug: str) -> st.Page:
    return st.Page(_nothing, url_path=slug or "start", title=slug or "start", default=not slug)


def _nothing() -> None:
    """A page is told from another by its slug alone; app.py holds what it shows."""


def lesson_slug(lesson_id: str) -> str:
    return lesson_id.replace("_", "-")


def exercise_slug(exercise_id: str) -> str:
    return f"{EXERCISE}{lesson_slug(exercise_id)}"


def frame(sections: Mapping[str, Sequence[st.Page]], page: str) -> None:
    """What surrounds every page: style, navigation, the language switch, the document's language, and fast reruns."""
    _freeze(len(sys.modules) // 12)
    st.html(ASSETS / "course.css")
    with st.sidebar:
        for section, pages in sections.items():
            _section(section, pages)
        language_switch()
        st.html(_arrival(page), unsafe_allow_javascript=True)


def _arrival(page: str) -> str:
    """The script of an arrival. Streamlit runs it when its text changes: on another page, in another language."""
    return f'<script data-page="{page}" data-tag="{LANGUAGE_TAGS[language()]}">\n{_scripts()}</script>'


@functools.cache
def _scripts() -> str:
    return "".join((ASSETS / name).read_text("utf-8") for name in ("arrival.js", "access.js"))


def _section(section: str, pages: Sequence[st.Page]) -> None:
    """Links of our own, because st.navigation's drop the language: a second entry in the history for each click."""
    with st.container(gap="xxsmall"):
        st.caption(section)
        for page in pages:
            st.page_link(page, query_params={"lang": language()}, width="stretch")


@st.cache_resource(show_spinner=False)
def _freeze(modules: int) -> None:
    """Hide what is imported by now from the collector, which runs after each rerun at ten times the page's own cost.

    modules: how many there are, in dozens. Streamlit and Plotly import half of theirs, pandas among them, with the
    first table and the first chart: then it's time again. What else lives at these few moments stays, too.
    """
    gc.collect()
    gc.freeze()
