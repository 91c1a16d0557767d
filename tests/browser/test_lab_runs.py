"""The lab in a real browser: one small run from the click to the table, one that is cancelled, one that is left."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from driver import Server, click, settle, visit
from playwright.sync_api import Locator, Page, expect

WAIT_MS = 120_000


def main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def button(page: Page, name: str) -> Locator:
    return main(page).get_by_role("button", name=name, exact=True)


def choose(page: Page, label: str, value: str) -> None:
    click(main(page).get_by_role("combobox", name=re.compile(label)))
    click(page.get_by_role("option", name=value, exact=True))
    settle(page)


def workers(server: Server) -> list[str]:
    """Lab workers of this server that are alive."""
    assert server.process is not None
    lines = subprocess.run(["ps", "-o", "args=", "--ppid", str(server.process.pid)], capture_output=True, text=True)
    return [line for line in lines.stdout.splitlines() if "lessons.lab.worker" in line]


def test_a_small_run_from_the_click_to_the_table(page: Page, base_url: str) -> None:
    visit(page, f"{base_url}/lab?lang=en")
    choose(page, "B, requests", "4")
    choose(page, "V, vocabulary", "1,000")
    click(button(page, "Run"))
    expect(main(page).get_by_role("progressbar").first).to_be_visible(timeout=WAIT_MS)
    table = page.locator(".st-key-lab_table table")
    expect(table).to_be_visible(timeout=WAIT_MS)
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(4)
    for row in rows.all():
        expect(row).to_contain_text(re.compile(r"✓.*✓"))
        expect(row).to_contain_text(re.compile(r"µs|ms"))
    expect(main(page).locator(".js-plotly-plot")).to_be_visible()
    click(page.get_by_text("The same as CSV"))
    with page.expect_download() as download:
        click(button(page, "Download CSV"))
    assert download.value.path().read_text().startswith("run,status,equal")
    expect(button(page, "Run")).to_be_enabled()


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes")
def test_cancel_and_leaving_end_the_process(page: Page, server: Server) -> None:
    visit(page, f"{server.url}/lab?lang=en")
    choose(page, "V, vocabulary", "128,256")
    click(button(page, "Run"))
    click(button(page, "Cancel"))
    expect(main(page)).to_contain_text("Cancelled", timeout=WAIT_MS)
    assert workers(server) == []
    click(button(page, "Run"))
    expect(button(page, "Cancel")).to_be_visible()
    page.wait_for_timeout(500)
    assert len(workers(server)) == 1
    page.goto("about:blank")
    for _ in range(60):
        if not workers(server):
            break
        page.wait_for_timeout(500)
    assert workers(server) == []
