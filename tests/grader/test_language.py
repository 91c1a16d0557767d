"""Language files and the flow of Chinese text."""
from __future__ import annotations

from pathlib import Path

import pytest

from grader.language import Words, flowing


@pytest.mark.parametrize(("written", "shown"), [
    ("一句话\n还没完。", "一句话还没完。"),
    ("第一项\n   接着说", "第一项接着说"),
    ("**重点。**\n下一句", "**重点。**\n下一句"),
    ("前一句。\n**重点**", "前一句。\n**重点**"),
    ("用 `x`\n表示", "用 `x`\n表示"),
    ("中文\nEnglish", "中文\nEnglish"),
    ("English\nstays broken", "English\nstays broken"),
    ("## 标题\n正文", "## 标题\n正文"),
    ("段一\n\n段二", "段一\n\n段二"),
    ("说明：\n- 一项\n- 二项", "说明：\n- 一项\n- 二项"),
    ("```\n# 注释\n注释\n```\n正文\n继续", "```\n# 注释\n注释\n```\n正文继续"),
])  # fmt: skip
def test_chinese_flows_across_line_breaks(written: str, shown: str) -> None:
    assert flowing(written) == shown


def test_a_missing_text_is_named_with_its_language(tmp_path: Path) -> None:
    (tmp_path / "zh.toml").write_text('[page]\ntitle = "共 {count} 份"\n', "utf-8")
    words = Words(tmp_path, "zh")
    assert words("page.title", count=3) == "共 3 份"
    with pytest.raises(KeyError, match="'page.titel' is not in the zh language file"):
        words("page.titel")
