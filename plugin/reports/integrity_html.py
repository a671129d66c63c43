"""The sections of the page on integrity, and on what was hidden."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import Environment
from markupsafe import Markup

from ...model.finding import Audit
from . import revealed
from .integrity import (
    HEADING,
    MEANING,
    dice_lines,
    groups,
    nothing_told,
    roll_lines,
    test_lines,
)
from .revealed import revealed_groups

_SECTION = """\
<section class="integrity" id="integrity">
<h2>{{ heading }}</h2>
<p>{{ meaning }}</p>
{% for title, lines, _ in groups %}
<details{{ " open" if lines | length <= few else "" }}><summary>{{ title }}</summary>
<ul>
{% for where, text in lines %}
{% set anchor = on_the_map.get(where) %}
<li><b>{{ where }}</b>{{ ": " ~ text if text else "" }}
{%- if anchor %} (<a href="#{{ anchor }}">on the map</a>){% endif %}</li>
{% endfor %}
</ul>
</details>
{% endfor %}
{% if found.rolls %}
<h3>Dice</h3>
<ul>{% for line in ledger %}<li>{{ line }}</li>{% endfor %}</ul>
{% for line in tests %}<p>{{ line }}</p>{% endfor %}
<details><summary>Every roll ({{ found.rolls | length }})</summary>
<ol>{% for where, text in rolls %}<li><b>{{ where }}</b>: {{ text }}</li>{% endfor %}</ol>
</details>
{% endif %}
</section>
{% if audit.revealed %}
<section class="integrity" id="revealed">
<h2>{{ revealed.HEADING }}</h2>
<p>{{ revealed.MEANING if concealed else revealed.NOTHING }}</p>
{% for title, lines, _ in concealed %}
<h3>{{ title }}</h3>
<ul>{% for where, text in lines %}<li><b>{{ where }}</b>: {{ text }}</li>{% endfor %}</ul>
{% endfor %}
</section>
{% endif %}
"""
_FEW_OPEN = 5


def integrity_html(
    environment: Environment, audit: Audit, on_the_map: Mapping[str, str], *, many_logs: bool
) -> Markup:
    """The section; empty where nobody asked for it. ``on_the_map``: the anchor of the map at some steps, by
    the text that names the steps."""
    found = audit.integrity
    if found is None:
        return Markup()
    text = environment.from_string(_SECTION).render(
        heading=HEADING,
        meaning=nothing_told(found) or MEANING,
        audit=audit,
        revealed=revealed,
        concealed=list(revealed_groups(audit, many_logs=many_logs)),
        found=found,
        few=_FEW_OPEN,
        on_the_map=on_the_map,
        groups=list(groups(audit, many_logs=many_logs, verbose=True)),
        ledger=list(dice_lines(found)),
        tests=list(test_lines(found)),
        rolls=list(roll_lines(found, many_logs=many_logs)),
    )
    return Markup(text)  # noqa: S704 - the environment escapes what it is given
