"""The bars that are pulled up and down in a real browser: mouse, finger, arrow keys, typed rows and the link."""
from __future__ import annotations

from driver import click, fresh_page, settle, show_outcomes, visit
from playwright.sync_api import Browser, Locator, Page, expect

FOUR = "overlap.target=0.4,0.3,0.2,0.1&overlap.draft=0.25,0.25,0.25,0.25"
FULL = 150 / 340  # a bar of mass one, as a share of the picture's width


def open_bars(page: Page, base_url: str, query: str = "") -> None:
    visit(page, f"{base_url}/why-exact?lang=en&{query}")
    show_outcomes(page)
    expect(page.locator(".bars-host svg")).to_be_visible()
    page.locator(".bars-host svg").scroll_into_view_if_needed()


def bar(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


def reads(page: Page, **rows: list[float]) -> None:
    """All bars of these rows, and the words of the figure below them."""
    for row, shares in rows.items():
        for token, share in zip(("cat", "dog", "bird", "fish"), shares, strict=False):
            expect(bar(page, f"{row.title()}, {token}")).to_have_attribute("aria-valuetext", f"{share:.3f}")
        shown = ", ".join(f"{share:.3f}" for share in shares)
        expect(page.locator(".sentence").last).to_contain_text(f"{row} is [{shown}]")


def middle(page: Page, name: str) -> tuple[float, float, float]:
    """Where the bar's top is held, and how many pixels a mass of one is high."""
    grip = bar(page, name).locator(".grip").bounding_box()
    picture = page.locator(".bars-host svg").bounding_box()
    assert grip is not None and picture is not None
    return grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2, picture["width"] * FULL


def test_a_bar_is_pulled_by_the_mouse_and_sent_once_when_it_is_let_go(page: Page, base_url: str) -> None:
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_bars(page, base_url, FOUR)
    x, y, whole = middle(page, "Target, cat")
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_timeout(500)  # whatever the focus sends is through
    sent.clear()
    page.mouse.move(x, y + 0.1 * whole, steps=4)
    page.mouse.move(x, y - 0.3 * whole, steps=8)
    expect(bar(page, "Target, cat")).to_have_attribute("aria-valuetext", "0.700")
    assert sent == []
    page.mouse.up()
    reads(page, target=[0.7, 0.15, 0.1, 0.05], draft=[0.25] * 4)
    assert len(sent) == 1


def test_the_typed_rows_the_examples_and_the_link_follow(page: Page, base_url: str) -> None:
    open_bars(page, base_url)
    bar(page, "Draft, cat").focus()
    page.keyboard.press("PageUp")
    reads(page, target=[0.7, 0.3], draft=[0.5, 0.5])
    click(page.get_by_text("Change the numbers").last)
    typed = page.get_by_label("Draft probabilities").last
    expect(typed).to_have_value("0.5, 0.5")
    click(page.get_by_role("button", name="Link to this state").last)
    address = page.locator("[data-testid=stPopoverBody] code")
    expect(address).to_contain_text("overlap.target=0.7,0.3&overlap.draft=0.5,0.5")
    page.keyboard.press("Escape")
    typed.fill("0.1, 0.9")
    typed.press("Enter")
    reads(page, target=[0.7, 0.3], draft=[0.1, 0.9])
    click(page.get_by_role("button", name="Worked case").last)
    reads(page, target=[0.7, 0.3], draft=[0.4, 0.6])


def test_arrow_keys_move_a_bar_and_bring_the_others_back(page: Page, base_url: str) -> None:
    open_bars(page, base_url, FOUR)
    bar(page, "Target, fish").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    reads(page, target=[0.391, 0.293, 0.196, 0.12])
    page.keyboard.press("End")
    reads(page, target=[0, 0, 0, 1])
    page.keyboard.press("Home")  # nothing to keep proportions of: equal shares
    reads(page, target=[0.334, 0.333, 0.333, 0])
    settle(page)
    expect(bar(page, "Target, fish")).to_be_focused()


def test_a_bar_is_pulled_by_a_finger(chromium: Browser, base_url: str) -> None:
    for phone in fresh_page(chromium, 390, has_touch=True):
        open_bars(phone, base_url)
        x, y, whole = middle(phone, "Draft, dog")
        finger = phone.context.new_cdp_session(phone)
        for kind, height in (("touchStart", 0.0), ("touchMove", 0.1), ("touchMove", 0.3)):
            point = [{"x": x, "y": y - height * whole}]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        reads(phone, target=[0.7, 0.3], draft=[0.1, 0.9])
