"""A message is English as it is, another language when it is shown, and itself again after JSON."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from tests.text.invented_language import INVENTED, MIRRORED, use_invented_languages
from topcut.text.bidi import FIRST, LAST
from topcut.text.message_json import decode_message, decode_text, encode_message, write_json
from topcut.text.messages import (
    Message,
    count,
    decimals,
    join_messages,
    language_in_use,
    list_and,
    list_first,
    list_or,
    message_from_json,
    moment,
    number,
    ordinal,
    percent,
    render,
    say,
    say_as,
    using_language,
)

NOON = datetime(2026, 11, 19, 12, 5, tzinfo=UTC)
EVERY_KIND = [
    say("Round {number} is published.", number=3),
    say("literal braces {{}}"),
    say_as("verb", "Meet"),
    count("{n} table is open.", "{n} tables are open.", 1),
    count("{n} table is open.", "{n} tables are open.", 2, name="Ada"),
    join_messages("; ", [say("one"), "Ada", ""]),
    list_and(["Ada", say("the bye"), 3]),
    list_or([2, 4]),
    list_first(["Ada", "Bo", "Cy"], 2),
    number(10_000),
    number(Fraction(1, 3)),
    percent(Fraction(1, 6)),
    ordinal(22),
    moment(NOON),
    moment(NOON, "date"),
    moment(NOON, "time"),
    moment(NOON, "stamp"),
    Message("as it is {x}"),
    say("{points} of {whom}", points=Fraction(9, 2), whom=list_and([say("all"), ordinal(2)])),
]


@pytest.mark.parametrize("message", EVERY_KIND)
def test_json_and_back_is_the_same_in_every_language(message: Message) -> None:
    raw = msgspec.json.encode(message, enc_hook=encode_message)
    again = msgspec.json.decode(raw, type=Message, dec_hook=decode_message)
    assert again == message
    assert again.to_json() == message.to_json()
    assert again.render("de") == message.render("de")
    assert pickle.loads(pickle.dumps(message)).to_json() == message.to_json()


@pytest.mark.parametrize(
    "found",
    [
        3,
        None,
        [],
        {},
        {"list": "and"},
        {"a": 1, "b": 2},
        {"template": 3},
        {"template": "{x}", "several": "", "fields": {"y": "1"}},
        {"template": "{x.__class__}", "fields": {"x": "1"}},
        {"template": "{x!r}", "fields": {"x": "1"}},
        {"template": "{x:>9999999}", "fields": {"x": "1"}},
        {"template": "{", "fields": {"x": "1"}},
        {"template": "one", "several": "many", "fields": {"x": "1"}},
        {"template": "{x}", "fields": {"x": ["1"]}},
        {"template": "{x}", "fields": {"x": {"number": "1/0"}}},
        {"template": "{x}", "fields": {"x": {"number": "1e999999999"}}},
        {"percent": "1/0"},
        {"ordinal": "9" * 5_000},
        {"moment": "yesterday"},
    ],
)
def test_what_is_no_message_is_refused(found: Any) -> None:
    with pytest.raises(ValueError, match="expected a text, or a template with its fields"):
        message_from_json(found)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert([found], list[Message], dec_hook=decode_message)


def test_where_text_is_expected_a_template_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"Expected `str`, got `object` - at `\$\[0\]`"):
        msgspec.json.decode(b'[{"template": "x"}]', type=list[Message], dec_hook=decode_text)
    with pytest.raises(msgspec.ValidationError, match="of length <= 10000"):
        msgspec.json.decode(msgspec.json.encode(["x" * 10_001]), type=list[Message], dec_hook=decode_text)


def test_a_message_is_shown_in_the_language_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    use_invented_languages(monkeypatch)
    message = say("Table {table} is open.", table=say("the bye"))
    with using_language(INVENTED):
        assert language_in_use() == INVENTED
        assert f"{message}" == message.render() == "[Tåblé [thé býé ~] îs öpéñ. ~~~~~]"
        assert str(escape(message)) == message.render()
        assert write_json({"why": message}) == b'{"why":"' + message.render().encode() + b'"}'
        assert message == "Table the bye is open."
    assert f"{message}" == "Table the bye is open."


def test_two_languages_stand_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    use_invented_languages(monkeypatch)
    assert say("table").render(f"{INVENTED}+en") == "[tåblé ~] / table"
    assert Message("Cup").render(f"{INVENTED}+en") == "Cup"


def test_names_that_run_the_other_way_are_isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    use_invented_languages(monkeypatch)
    beats = say("{name} beats {other} (2-0)", name="ليلى", other="Ada <b>")
    assert str(escape(beats)) == f"{FIRST}ليلى{LAST} beats Ada &lt;b&gt; (2-0)"
    with using_language(MIRRORED):
        shown = str(escape(beats))
    assert f"{FIRST}ليلى{LAST}" in shown
    assert f"{FIRST}Ada &lt;b&gt;{LAST}" in shown


def test_names_in_fields_can_be_changed() -> None:
    marks = say("{names} meet", names=list_and(["⟦p1⟧", say("{who}", who="⟦p2⟧")]))
    named = marks.map_fields(lambda text: text.replace("⟦p1⟧", "Ada").replace("⟦p2⟧", "Bo"))
    assert named == "Ada and Bo meet"
    assert named.to_json()["template"] == "{names} meet"


def test_german_writes_numbers_lists_and_places_its_own_way() -> None:
    shown = [
        render(one, "de")
        for one in (
            number(10_000),
            number(Fraction(9, 2)),
            percent(Fraction(1, 6)),
            ordinal(3),
            moment(NOON, "date"),
            list_and(["Ada", "Bo", "Cy"]),
            list_or([2, 4, 8]),
        )
    ]
    assert shown[:2] == ["10.000", "4,5"]
    assert shown[2] == "17\xa0%"
    assert shown[4:] == ["19. November 2026", "Ada, Bo und Cy", "2, 4 oder 8"]


@given(st.text(), st.text())
def test_any_text_can_be_a_field(name: str, other: str) -> None:
    message = say("{name} and {other}", name=name, other=other)
    assert message == f"{name} and {other}"
    assert message.render("de").count(name) >= 1


def test_paper_in_two_languages_has_a_number_once() -> None:
    assert decimals("55.50%").render("de+en") == "55,50\xa0%"
    assert ordinal(2).render("de+en") == "2. / 2nd"
