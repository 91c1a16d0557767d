"""A reader's way through the house: pages, languages, progress, a phone's width, dark mode."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from driver import Server, click, fresh_page, settle, visit
from playwright.sync_api import Browser, Page, expect

from grader.catalogue import exercise_ids, load
from lessons.lesson_file import lessons

LESSONS = lessons("en")
LESSON = "/rejection-rule"
STOPS = [
    stop for lesson in LESSONS
    for stop in (lesson.id, *(name for name in exercise_ids() if load(name).lesson == lesson.id))
]
ROW = STOPS.index("rejection_rule")  # of LESSON in the map; its exercise follows
EXERCISES = tuple(f"/exercise-{name.replace('_', '-')}" for name in exercise_ids())
READ = tuple(f"/{lesson.id.replace('_', '-')}" for lesson in LESSONS)
ALL_PAGES = ("/", *READ, *EXERCISES, "/instructor")


def chip(page: Page, number: int, word: str) -> None:
    """The `number`-th row of the map says `word`."""
    expect(page.get_by_text(re.compile(r"[○◐●] (not started|in progress|mastered)")).nth(number)).to_contain_text(word)


def test_pages_are_reached_and_back_returns(page: Page, base_url: str) -> None:
    visit(page, base_url)
    menu = page.get_by_test_id("stSidebar")
    click(menu.get_by_role("link", name="The rejection rule").first)
    expect(page.get_by_role("heading", name="The rejection rule", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(rf"{LESSON}\?lang=en$"))
    page.go_back()
    expect(page.get_by_role("heading", name="Verifying speculative decoding")).to_be_visible()


def test_continue_leads_to_the_first_lesson(page: Page, base_url: str) -> None:
    visit(page, base_url)
    click(page.get_by_role("button", name=f"Begin: {LESSONS[0].title}"))
    expect(page).to_have_url(re.compile(rf"{READ[0]}\?lang=en$"))


def test_one_link_leads_from_an_exercise_to_the_next_page_and_from_the_last_page_to_the_start(
    page: Page, base_url: str
) -> None:
    visit(page, f"{base_url}/exercise-speculative-step")
    click(page.get_by_role("link", name="Next: Exercise: The whole loop"))
    expect(page.get_by_role("heading", name="The whole loop", level=1)).to_be_visible()
    click(page.get_by_role("link", name="Next: Same request, same law"))
    expect(page.get_by_role("heading", name="Same request, same law", level=1)).to_be_visible()
    visit(page, base_url + READ[-1])
    click(page.get_by_test_id("stMain").get_by_role("link", name="Back to the start"))
    expect(page.get_by_role("heading", name="Verifying speculative decoding")).to_be_visible()


def test_the_button_and_the_map_begin_above_the_fold(chromium: Browser, base_url: str) -> None:
    for page in fresh_page(chromium, width=1280):  # 900 high
        visit(page, base_url)
        expect(page.get_by_role("button", name=f"Begin: {LESSONS[0].title}")).to_be_in_viewport()
        main = page.get_by_test_id("stMain")
        for lesson in LESSONS[:3]:
            expect(main.get_by_role("link", name=f"{lesson.order} · {lesson.title}")).to_be_in_viewport(ratio=1)


def test_an_exercise_is_named_once_in_the_menu_and_told_apart_in_the_tab(page: Page, base_url: str) -> None:
    visit(page, base_url)
    menu = page.get_by_test_id("stSidebar")
    expect(menu.get_by_role("link", name="Exercise:")).to_have_count(0)
    click(menu.get_by_role("link", name="The two paths"))
    expect(page).to_have_title(re.compile("^Exercise: The two paths · "))


def test_language_stays_in_the_url_across_pages_and_reloads(page: Page, base_url: str) -> None:
    visit(page, base_url)
    click(page.get_by_role("radio", name="中文"))
    expect(page.get_by_role("heading", name="投机解码的验证")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?lang=zh$"))
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="拒绝规则").first)
    expect(page).to_have_url(re.compile(rf"{LESSON}\?lang=zh$"))
    page.reload()
    expect(page.get_by_role("heading", name="验证这一步是做什么的")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


def test_a_chinese_browser_starts_in_chinese(chromium: Browser, base_url: str) -> None:
    for page in fresh_page(chromium, locale="zh-CN"):
        visit(page, base_url)
        expect(page.get_by_role("heading", name="学习地图")).to_be_visible()


def test_progress_survives_reload_and_restart(page: Page, server: Server) -> None:
    visit(page, server.url)
    chip(page, ROW, "not started")
    visit(page, server.url + LESSON)
    expect(page.get_by_role("heading", name="The rejection rule", level=1)).to_be_visible()
    visit(page, server.url)
    chip(page, ROW, "in progress")
    page.reload()
    settle(page)
    chip(page, ROW, "in progress")
    server.restart()
    visit(page, server.url)
    chip(page, ROW, "in progress")
    chip(page, ROW + 1, "not started")


def test_answering_every_prediction_masters_the_lesson(page: Page, base_url: str) -> None:
    visit(page, base_url + LESSON)
    guess = page.get_by_role("button", name="That is my guess")
    expect(guess).to_have_count(3)
    for answered in (1, 2, 3):
        question = page.get_by_role("radiogroup", name="Predict first").first
        click(question.locator("label", has=page.get_by_role("radio")).first)
        expect(question.get_by_role("radio").first).to_be_checked()
        settle(page)
        click(guess.first)
        expect(page.get_by_text(f"{answered} of 3 predictions answered")).to_be_visible()
        expect(guess).to_have_count(3 - answered)  # until then the answered question is the first
        settle(page)
    expect(page.get_by_text("● mastered").first).to_be_visible()
    page.reload()
    settle(page)
    expect(page.get_by_text("● mastered").first).to_be_visible()
    visit(page, base_url)
    chip(page, ROW, "mastered")
    expect(page.get_by_role("button", name="Continue: ")).to_be_visible()


def test_a_second_browser_is_another_learner(page: Page, chromium: Browser, base_url: str) -> None:
    visit(page, base_url + LESSON)
    for other in fresh_page(chromium):
        visit(other, base_url)
        chip(other, ROW, "not started")


def test_a_forged_cookie_is_a_new_learner(page: Page, base_url: str) -> None:
    visit(page, base_url + LESSON)
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "course_uid")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    learner, _, signature = cookie["value"].partition(".")
    forged = {"name": "course_uid", "value": f"{learner}.{'0' * len(signature)}", "url": base_url}
    page.context.add_cookies([forged])  # type: ignore[list-item]
    visit(page, base_url)
    chip(page, ROW, "not started")
    assert page.context.cookies()[0]["value"] != forged["value"]


def test_export_reset_import(page: Page, base_url: str, tmp_path: Path) -> None:
    visit(page, base_url + LESSON)
    visit(page, base_url)
    chip(page, ROW, "in progress")
    with page.expect_download() as download:
        click(page.get_by_role("button", name="Export progress"))
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)

    click(page.get_by_role("button", name="Reset progress"))
    click(page.get_by_role("button", name="Keep it"))
    chip(page, ROW, "in progress")
    click(page.get_by_role("button", name="Reset progress"))
    click(page.get_by_role("button", name="Delete everything"))
    chip(page, ROW, "not started")

    upload(page, saved)
    expect(page.get_by_text("Progress imported")).to_be_visible()
    chip(page, ROW, "in progress")


def upload(page: Page, file: Path) -> None:
    click(page.get_by_text("Import progress"))
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)


@pytest.mark.parametrize("content", ["not JSON", "[1, 2]", '{"format": "something else"}'])
def test_a_wrong_progress_file_is_refused_in_plain_words(
    page: Page, base_url: str, tmp_path: Path, content: str
) -> None:
    (tmp_path / "wrong.json").write_text(content, "utf-8")
    visit(page, base_url)
    upload(page, tmp_path / "wrong.json")
    refusal = page.get_by_role("alert").filter(has_text="wrong.json")
    expect(refusal).to_contain_text(re.compile("nothing was changed", re.I))
    chip(page, ROW, "not started")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", ALL_PAGES)
def test_nothing_sticks_out_on_a_phone(phone: Page, base_url: str, path: str, language: str) -> None:
    visit(phone, f"{base_url}{path}?lang={language}")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    wider = phone.evaluate("""() => {
        const main = document.querySelector('[data-testid="stMain"]');
        return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
    }""")
    assert wider <= 0, f"{wider} px wider than the screen"


def test_the_menu_on_a_phone_opens_and_leaves_again(phone: Page, base_url: str) -> None:
    visit(phone, base_url)
    click(phone.get_by_test_id("stExpandSidebarButton"))
    click(phone.get_by_test_id("stSidebar").get_by_role("link", name="The rejection rule").first)
    expect(phone.get_by_role("heading", name="The rejection rule", level=1)).to_be_in_viewport()
    expect(phone.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")


def test_dark_mode_follows_the_system(chromium: Browser, base_url: str) -> None:
    for page in fresh_page(chromium, color_scheme="dark"):
        visit(page, base_url)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(20, 24, 28)")
        expect(page.get_by_role("button", name=f"Begin: {LESSONS[0].title}")).to_have_css("color", "rgb(11, 17, 22)")


def test_formulas_are_set_and_none_is_broken(page: Page, base_url: str) -> None:
    visit(page, base_url + LESSON)
    expect(page.locator(".katex-display").first).to_be_visible()
    expect(page.locator(".katex-error")).to_have_count(0)
    unknown = page.evaluate("() => [...document.querySelectorAll('.katex [style*=\"color:#cc0000\"]')].length")
    assert unknown == 0, "an unknown TeX command is shown in red"


def test_health_says_how_well_code_is_isolated(page: Page, base_url: str) -> None:
    answer = page.request.get(f"{base_url}/healthz").json()
    assert answer["ok"] is True
    assert answer["isolation"] in {"full", "kernel", "none"}


def test_pages_load_no_torch(base_url: str, shared_server: Server, page: Page) -> None:
    """The biggest import stays with the pages that need it."""
    for path in ALL_PAGES:
        visit(page, base_url + path)
    assert shared_server.process is not None
    maps = Path(f"/proc/{shared_server.process.pid}/maps")
    if not maps.exists():
        pytest.skip("no /proc to look into")
    assert "libtorch" not in maps.read_text()
