"""What MkDocs does besides its own work, as hooks (mkdocs.yml names this file).

Pages that lie elsewhere in the project (samples, CONTRIBUTING, …) become pages of the site, and links
between all of them hold in both places: on the site, and where somebody reads the Markdown files
themselves. A link to a file that is not a page of the site is left as its text.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parent.parent
SCHEMAS = PROJECT / "model" / "schemas"
ELSEWHERE = ("*.md", "samples/README.md", "samples/*/README.md", "benchmarks/README.md")
ELSEWHERE += ("tests/fuzz/README.md",)
NOTEBOOKS = "docs/*.ipynb"

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`]+`")
ITEM = re.compile(r"( *)([-*+]|[0-9]+[.)])( +)")
FENCE = re.compile(r" *(```+|~~~+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie elsewhere, the schemas, and notebooks as pages."""
    for pattern in ELSEWHERE:
        for path in sorted(PROJECT.glob(pattern)):
            name = path.relative_to(PROJECT).as_posix()
            if name != "README.md":
                files.append(File.generated(config, name, abs_src_path=str(path)))
    for path in sorted(SCHEMAS.glob("*.json")):
        files.append(File.generated(config, f"schemas/{path.name}", abs_src_path=str(path)))
    for path in sorted(PROJECT.glob(NOTEBOOKS)):
        text = "\n\n".join(cells(json.loads(path.read_text("utf-8"))))
        files.append(File.generated(config, f"{path.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text with links as the site has them, and as Python's Markdown reads it."""
    here = page.file.src_uri

    def linked(match: re.Match[str]) -> str:
        bang, text, target = match.groups()
        found = target_on_site(target, here, files)
        return f"{bang}[{text}]({found})" if found is not None else text

    lines = markdown.split("\n")
    for number, fenced in enumerate(fences(lines)):
        if not fenced:
            line = LINK.sub(linked, lines[number])
            lines[number] = CODE.sub(barred, line) if line.lstrip().startswith("|") else line
    return "\n".join(indented(lines))


def barred(match: re.Match[str]) -> str:
    """Code in a cell of a table, where Python's Markdown takes a bar for what it is."""
    return match[0].replace("\\|", "|")


def target_on_site(target: str, here: str, files: Files) -> str | None:
    """Where a link of the page ``here`` leads on the site; None if it leads to a file of the project that is
    not there. What is not a link to a file, or leads nowhere at all, stays as it is (MkDocs says so)."""
    path, hash_, anchor = target.partition("#")
    if not path or ":" in path or path.startswith("/"):
        return target
    inside = here if files.get_file_from_path(here) is None else place_in_project(here)
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(inside), path))
    whole = "docs/index.md" if whole == "README.md" else whole
    on_site = whole.removeprefix("docs/")
    if whole.endswith(".ipynb"):
        on_site = f"{on_site.removesuffix('.ipynb')}.md"
    on_site = on_site.replace("model/schemas/", "schemas/")
    if files.get_file_from_path(on_site) is not None:
        relative = posixpath.relpath(on_site, posixpath.dirname(here) or ".")
        return f"{relative}{hash_}{anchor}"
    return None if (PROJECT / whole).exists() else target


def place_in_project(src_uri: str) -> str:
    """The path of a page's file as seen from the root of the project."""
    return src_uri if (PROJECT / src_uri).is_file() else f"docs/{src_uri}"


def fences(lines: list[str]) -> Iterator[bool]:
    """For each line whether it is inside a fenced block of code, or one of its fences."""
    mark = ""
    for line in lines:
        found = FENCE.match(line)
        yield bool(mark or found)
        if not mark and found:
            mark = found[1]
        elif found and mark and line.strip() == mark:
            mark = ""


def indented(lines: list[str]) -> Iterator[str]:
    """The lines with what belongs to an item of a list indented by four blanks a level, and a blank line
    before a list: CommonMark, as it is written here, asks for neither."""
    in_list = False
    levels: list[int] = []  # for each open item, how far its text is indented in CommonMark
    before = ""
    for line, fenced in zip(lines, list(fences(lines)), strict=True):
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        item = None if fenced else ITEM.match(line)
        if bare and (item or not before):  # else it goes on with what is above, however indented
            levels = [level for level in levels if level <= depth]
        if item and before and not levels and not in_list:
            yield ""
        inner = levels[-1] if levels else 0
        yield "    " * len(levels) + (line[inner:] if depth >= inner else bare)
        if item:
            levels.append(len(item[0]))
        in_list = bool(levels)
        before = bare


def cells(notebook: Mapping[str, Any]) -> Iterator[str]:
    """A notebook as Markdown: its text, its code, and what the code printed or drew."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
        elif cell["cell_type"] == "code":
            yield f"```python\n{source}\n```"
            for output in cell.get("outputs", ()):
                yield from shown(output)


def shown(output: Mapping[str, Any]) -> Iterator[str]:
    """One output of a cell: a picture, a table as HTML, or text."""
    data = output.get("data", {})
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        yield f'<img alt="" src="data:image/png;base64,{picture}">'
    elif "text/html" in data:
        yield f'<div class="frame">{"".join(data["text/html"])}</div>'
    else:
        text = "".join(output.get("text", data.get("text/plain", "")))
        yield f"```text\n{text.rstrip()}\n```"
