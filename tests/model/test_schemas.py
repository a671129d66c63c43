"""The schemas: valid themselves, quick and full validator of one mind, faults with their place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tiers import examples
from vassal_umpire.model import schemas
from vassal_umpire.model.schemas.fast import NotFast, compiled
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import schema_of

NAMES = schemas.names()


def test_the_published_schemas_are_there() -> None:
    assert {"analysis", "facts", "manifest", "pack", "report"} <= set(NAMES)


@pytest.mark.ci
def test_each_schema_is_a_schema_and_each_ruleset_has_one_of_its_tables() -> None:
    tables = {name: schema_of(one) for name, one in rulesets().parts.items()}
    assert all(schema["properties"] for schema in tables.values())
    for schema in (*map(schemas.load, NAMES), *tables.values()):
        Draft202012Validator.check_schema(schema)


def test_an_unknown_name_is_no_schema() -> None:
    with pytest.raises(KeyError):
        schemas.load("../plain")


# -- the quick check against the full one ----------------------------------------------------------

_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from(["", "a", "1:2", "7/2", "one"])
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "one_of", "from"]), inner, max_size=3)
    ),
    max_leaves=8,
)
_leaf = st.sampled_from(
    [
        {"type": "string"},
        {"type": ["integer", "null"]},
        {"type": "string", "pattern": "^[0-9]+:[0-9]+$"},
        {"enum": ["a", 1, None]},
        {"const": True},
        {"type": "integer", "minimum": 1, "maximum": 4},
        {"minLength": 1, "maxLength": 2},
        {},
    ]
)


def _schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.dictionaries(st.sampled_from(["a", "b", "one_of"]), inner, max_size=2)
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": keys, "required": st.sampled_from([[], ["a"]])},
            optional={"additionalProperties": inner | st.booleans(), "minProperties": st.just(1)},
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"maxItems": st.just(2)}),
        st.fixed_dictionaries(
            {"prefixItems": st.lists(inner, min_size=1, max_size=2)}, optional={"items": inner}
        ),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"oneOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2), "not": inner}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
    )  # fmt: skip


@example({"type": "integer", "minimum": 1, "maximum": 4, "not": {"const": 2}}, 3)
@example({"type": "integer", "minimum": 1, "maximum": 4, "not": {"const": 2}}, 2)
@given(st.recursive(_leaf, _schema, max_leaves=5), _values)
@examples(400, suppress_health_check=[HealthCheck.too_slow])
def test_the_quick_check_and_the_full_one_agree(schema: dict[str, Any], value: Any) -> None:
    assert compiled(schema)(value) == Draft202012Validator(schema).is_valid(value)


def test_a_keyword_it_does_not_know_is_refused() -> None:
    with pytest.raises(NotFast):
        compiled({"type": "string", "contains": {"type": "string"}})


def test_a_schema_may_hold_itself() -> None:
    schema = {
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
    }
    check = compiled(schema)
    assert check([[], [[]]])
    assert not check([[], [1]])


def test_what_the_quick_check_refuses_is_explained() -> None:
    found = schemas.faults("facts", {"phase": [{"log": 1, "steps": "1to4", "active": "Red"}]})
    assert [(f.place, f.found) for f in found] == [("phase[1].steps", '"1to4"')]
    assert "1-34" in found[0].expected


def test_of_several_alternatives_the_meant_one_is_explained() -> None:
    found = schemas.faults("facts", {"condition": [{"key": "k", "value": {"one_of": [[]]}}]})
    assert [f.place for f in found] == ["condition[1].value.one_of[1]"]


def test_a_missing_and_an_unknown_key_are_named() -> None:
    found = schemas.faults("pack", {"pack": {"name": "x", "version": "1", "rulset": "g"}})
    lines = {f"{f.place}: {f.expected}" for f in found}
    assert any(line.startswith("pack: the key ruleset") for line in lines)
    assert any("pack.rulset" in line and "did you mean ruleset?" in line for line in lines)
    assert any(line.startswith(": the key board") for line in lines)


def test_shown_values_are_short() -> None:
    (fault,) = schemas.faults("facts", {"facts": {"title": ["x"] * 1000}})
    assert fault.found == "a list of 1,000"
    (fault,) = schemas.faults("facts", {"condition": "x" * 1000})
    assert len(fault.found) <= 60
    json.dumps(fault.found)
