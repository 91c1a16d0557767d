"""The entry. `streamlit run app.py` serves `app`; for each reader it runs this file again, as the list of pages."""
from __future__ import annotations

import functools
import os
from collections.abc import Callable

# Before NumPy is imported: its products here are small, and threads that wait for each other would double their cost.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grader import catalogue, instructor
from lessons import identity
from lessons.identity import LearnerCookie
from lessons.lesson_file import lessons
from lessons.pages import exercise, lab, lesson, shell, start


def pages() -> dict[str, list[st.Page]]:
    """The pages that exist, by section: a new lesson or exercise file is a new entry."""
    language, words = shell.language(), shell.words()
    read = [
        page(lesson.show, item.id, f"{item.order} · {item.title}", shell.lesson_slug(item.id))
        for item in lessons(language)
    ]
    done = [
        page(exercise.show, name, catalogue.load(name).title.within(language), shell.exercise_slug(name))
        for name in catalogue.exercise_ids()
    ]
    return {
        words("section.learn"): [st.Page(start.show, title=words("start.nav"), url_path="start", default=True), *read],
        words("section.practise"): done,
        words("section.lab"): [st.Page(lab.show, title=words("lab.nav"), url_path="lab")],
        words("section.instructor"): [st.Page(grading, title=words("instructor.nav"), url_path="instructor")],
    }


def _document_title(current: st.Page) -> str:
    """In a browser's tab and history an exercise is told apart from the lesson of the same name."""
    words, title = shell.words(), current.title
    if current.url_path.startswith(shell.EXERCISE):
        title = words("lesson.exercise", title=title)
    return f"{title} · {words('course')}"


def grading() -> None:
    instructor.render(shell.language(), lambda: shell.judge().judge)


def page(show: Callable[[str], None], item: str, title: str, slug: str) -> st.Page:
    return st.Page(functools.partial(show, item), title=title, url_path=slug)


def main() -> None:
    sections = pages()
    current = st.navigation(sections, position="hidden")
    st.set_page_config(_document_title(current), str(shell.ASSETS / "icon.svg"), layout="wide")
    shell.frame(sections, current.url_path)
    current.run()


def check_settings() -> None:
    """A server that could sign no cookie would answer every page with an error: better not to start."""
    try:
        identity.secret_key()
    except ValueError as problem:
        raise SystemExit(str(problem)) from None


async def healthz(request: Request) -> JSONResponse:
    """For a load balancer: the server answers, and how well it can isolate students' code."""
    return JSONResponse({"ok": True, "isolation": await run_in_threadpool(shell.JUDGING.tier)})


if __name__ == "__main__":
    main()
else:
    check_settings()
    assets = StaticFiles(directory=shell.ASSETS, packages=[("lessons.figures", "assets")])
    app = st.App(
        __file__,
        middleware=[Middleware(LearnerCookie)],
        routes=[Route("/healthz", healthz), Mount("/assets", assets)],
    )
