"""The documentation as a site: it builds, its links lead somewhere, nothing of it comes from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from sample_pack import PROJECT
from vassal_umpire import __version__

TEXTS = (
    "*.md", ".github/*.md", "docs/**/*.md", "samples/**/*.md", "benchmarks/*.md", "tests/*.md",
    "tests/*/*.md",
)  # fmt: skip
COUNTED = ("h1", "h2", "h3", "li", "ol", "ul", "pre", "table", "tr")
"""Elements that a page has as often on the site as in what CommonMark makes of its file."""


class Elements(HTMLParser):
    """The ids of a page, where its links lead, what it loads, and how often it has each element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.ids.add(told.get("id", ""))
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        self.loaded += [told["src"]] if "src" in told else []
        self.loaded += [told["href"]] if tag == "link" and "href" in told else []


@cache
def elements(path: Path) -> Elements:
    return Elements(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with every warning an error."""
    pytest.importorskip("material", reason="MkDocs Material is not installed (the extra [docs])")
    out = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)],
        cwd=PROJECT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return out


def test_every_link_of_the_site_leads_to_a_page_and_a_place_of_it(site: Path) -> None:
    broken, followed = [], 0
    for page in site.rglob("*.html"):
        for link in {*elements(page).links, *elements(page).loaded}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            followed += 1
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (
                parts.fragment
                and target.suffix == ".html"
                and unquote(parts.fragment) not in elements(target).ids
            ):
                broken.append(f"{page.relative_to(site)}: {link}")
    assert broken == []
    assert followed > 2000


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    strange = {
        link
        for page in site.rglob("*.html")
        for link in elements(page).loaded
        if urlsplit(link).netloc
    }
    styles = [path.read_text("utf-8") for path in site.rglob("*.css")]
    assert strange == set()
    assert [style for style in styles if re.search(r"url\(\W*(?:https?:)?//", style)] == []


def counted(html: str) -> dict[str, int]:
    return {tag: len(re.findall(rf"<{tag}[ >]", html)) for tag in COUNTED}


def test_pages_have_the_headings_lists_tables_and_code_of_their_files(site: Path) -> None:
    """MkDocs reads lists otherwise than CommonMark does; docs/site_hooks.py sees to it."""
    commonmark = MarkdownIt("commonmark").enable("table")
    compared = 0
    for page in site.rglob("*.html"):
        name = page.relative_to(site).with_suffix(".md")
        readme = name.with_name("README.md") if name.name == "index.md" else name
        place = next((p for p in (PROJECT / "docs" / name, PROJECT / readme) if p.is_file()), None)
        if place is None or name.as_posix() == "index.md":  # whose cards CommonMark does not know
            continue
        article = page.read_text("utf-8").split("<article", 1)[1].split("</article>")[0]
        due = counted(commonmark.render(place.read_text("utf-8")))
        assert counted(article) == due, place
        compared += 1
    assert compared > 30


def test_no_code_on_the_site_shows_a_mark_of_markdown(site: Path) -> None:
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    cells = [cell for text in pages.values() for cell in re.findall(r"<td[^>]*>.*?</td>", text)]
    assert len(cells) > 3000
    assert [cell for cell in cells if re.search(r"<code>[^<]*\\\|", cell)] == []


def test_every_picture_is_shown_and_taken_by_the_script() -> None:
    pages = "".join(path.read_text("utf-8") for path in PROJECT.glob("docs/*.md"))
    script = (PROJECT / "docs" / "pictures.py").read_text("utf-8")
    images = [path.name for path in (PROJECT / "docs" / "images").iterdir()]
    assert [name for name in images if f"images/{name})" not in pages] == []
    assert [name for name in images if f'IMAGES / "{name}"' not in script] == []


@cache
def anchors(path: Path) -> set[str]:
    """The places in a file that a link may name, by the rules of GitHub."""
    found = set()
    tokens = MarkdownIt("commonmark").parse(path.read_text("utf-8"))
    for mark, inline in pairwise(tokens):
        if mark.type == "heading_open":
            text = "".join(t.content for t in inline.children or () if t.type != "link_open")
            found.add(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
    return found


@pytest.mark.parametrize(
    "path",
    sorted({path for pattern in TEXTS for path in PROJECT.glob(pattern)}),
    ids=lambda path: path.relative_to(PROJECT).as_posix(),
)
def test_every_link_between_files_leads_to_a_file_and_a_heading(path: Path) -> None:
    broken = []
    for token in MarkdownIt("commonmark").enable("table").parse(path.read_text("utf-8")):
        for part in token.children or ():
            link = part.attrs.get("href", part.attrs.get("src", ""))
            parts = urlsplit(str(link))
            if not link or parts.scheme or parts.netloc:
                continue
            target = path.parent / unquote(parts.path) if parts.path else path
            if not target.exists() or (
                parts.fragment and target.suffix == ".md" and parts.fragment not in anchors(target)
            ):
                broken.append(link)
    assert broken == []


def test_a_version_has_its_notes_and_the_citation_names_it(project: Path) -> None:
    assert (project / "docs" / "releases" / f"{__version__}.md").is_file()
    citation = (project / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in citation
    assert f"\n## {__version__} (" in (project / "CHANGELOG.md").read_text("utf-8")
