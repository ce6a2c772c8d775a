"""Texts follow `Accept-Language`; types, keys and files are the same in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from tests.api.server_thread import Cup, Served
from tools.messages import write_pseudo_languages
from topcut.client import schemas as s
from topcut.event import commands as c
from topcut.text.catalogues import OWN, list_catalogues, load_catalogue

INVENTED = "en-XA"
"""A language with accents and brackets around every text."""
HEADER = {"accept-language": INVENTED}
REPORT = {"commands": [{"do": "report", "table": 1, "result": {"games": [2, 1, 0]}}]}
LATE = {"commands": [{"do": "register", "name": "Zoe"}]}


@pytest.fixture(scope="module", autouse=True)
def _invented(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the server, which is in this process, have the invented language."""
    folder = tmp_path_factory.mktemp("languages")
    write_pseudo_languages(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN, str(folder))
        _forget_catalogues()
        yield
    _forget_catalogues()


def _forget_catalogues() -> None:
    list_catalogues.cache_clear()
    load_catalogue.cache_clear()


def is_translated(text: str) -> bool:
    return text.startswith(("[", "\u2068[")) and "~" in text


def read_twice(client: httpx.Client, path: str) -> tuple[Any, Any]:
    """Return an answer in English, and in the invented language."""
    english, other = client.get(path), client.get(path, headers=HEADER)
    assert (english.headers["content-language"], other.headers["content-language"]) == ("en", INVENTED)
    assert "accept-language" in english.headers["vary"]
    return english.json(), other.json()


def keys_of(value: Any) -> Any:
    """Return the keys of a document, with all that is inside of them."""
    if isinstance(value, dict):
        return {key: keys_of(inner) for key, inner in value.items()}
    return [keys_of(inner) for inner in value] if isinstance(value, list) else None


def test_a_problem(cup: Cup) -> None:
    english, other = read_twice(cup.http(), "rounds/7")
    assert english["detail"] == "There is no round 7."
    assert is_translated(other["detail"])
    assert is_translated(other["title"])
    assert other | {"detail": "", "title": ""} == english | {"detail": "", "title": ""}


def test_a_wrong_request_has_its_place_in_english(cup: Cup) -> None:
    body = {"commands": [{"do": "drop", "player": 5}]}
    desk = cup.desk()
    english, other = (desk.post("commands", json=body, headers=h).json() for h in ({}, HEADER))
    assert english["detail"] == "commands[0].player: expected text, not a whole number"
    assert "[" in other["detail"]
    assert is_translated(other["errors"][0]["problem"])
    assert other["place"] == english["place"] == other["errors"][0]["place"]


def test_a_problem_in_a_file_has_its_place_in_english(shared: Served) -> None:
    http = shared.http(shared.token())
    body = {"text": "round,player 1,player 2,result\n1,Ada,Bo,9-9-9-9\n", "rules": "mtr"}
    english, other = (http.post("/imports", json=body, headers=h).json() for h in ({}, HEADER))
    assert english["place"] == other["place"] == "line 2"
    assert english["detail"] == "line 2: “9-9-9-9” isn't a result of 2 players"
    assert not other["detail"].startswith("line")
    assert keys_of(english) == keys_of(other)


def test_a_refusal(cup: Cup) -> None:
    cup.do(c.Pair(), c.Publish(), c.Start())
    desk = cup.desk()
    desk.post("commands", json=REPORT)
    english, other = (desk.post("commands", json=REPORT, headers=h).json() for h in ({}, HEADER))
    assert english["type"] == other["type"] == "/api/v1/problems/already-reported"
    assert is_translated(other["detail"])
    assert not is_translated(english["detail"])
    assert keys_of(english) == keys_of(other)


def test_all_types_of_problems(shared: Served) -> None:
    english, other = read_twice(shared.http(), "/problems")
    assert [one["type"] for one in english["items"]] == [one["type"] for one in other["items"]]
    assert all(is_translated(one["title"]) for one in other["items"])


def test_reasons_of_pairings(cup: Cup) -> None:
    cup.play()
    cup.do(c.Pair(), c.Publish())
    english, other = read_twice(cup.desk(), "rounds/2")
    assert keys_of(english) == keys_of(other)
    for before, after in zip(english["tables"], other["tables"], strict=True):
        assert before["why"]
        assert all(map(is_translated, after["why"]))
        assert not any(map(is_translated, before["why"]))


@pytest.mark.parametrize("path", ["log", "changes"])
def test_sentences_of_the_log(cup: Cup, path: str) -> None:
    cup.play()
    english, other = read_twice(cup.desk(), path)
    assert keys_of(english) == keys_of(other)
    assert all(is_translated(item["says"]) for item in other["items"])
    assert not any(is_translated(item["says"]) for item in english["items"])


def test_the_stream(cup: Cup) -> None:
    cup.play()
    with cup.http().stream("GET", "stream?since=0", headers=HEADER) as answer:
        assert answer.headers["content-language"] == INVENTED
        line = next(line for line in answer.iter_lines() if line.startswith("data: {"))
    told = msgspec.json.decode(line.removeprefix("data: "), type=s.Message)
    assert told.changes
    assert all(is_translated(change.says) for change in told.changes)


def test_only_the_header_counts(cup: Cup) -> None:
    """Pages remember a language in a cookie; a program may run in the same browser."""
    for header, cookie, found in [("", INVENTED, "en"), (INVENTED, "en", INVENTED), ("tlh", INVENTED, "en")]:
        sent = {"accept-language": header, "cookie": f"language={cookie}"}
        for path in ("", "rounds/7"):
            assert cup.http().get(path, headers=sent).headers["content-language"] == found


def test_each_language_has_its_own_tag(cup: Cup) -> None:
    desk = cup.desk()
    english, other = desk.get("log"), desk.get("log", headers=HEADER)
    assert english.headers["etag"] != other.headers["etag"]
    for answer, sent, status in [(english, {}, 304), (english, HEADER, 200), (other, HEADER, 304)]:
        known = {"if-none-match": answer.headers["etag"]}
        again = desk.get("log", headers=known | sent)
        assert again.status_code == status
        assert "accept-language" in again.headers["vary"]
    done = desk.post("commands", json=LATE, headers={"if-match": other.headers["etag"]})
    assert done.status_code == 200, "a tag of any language names the version"


def test_a_repeated_answer_is_the_first_one(cup: Cup) -> None:
    cup.play(2)
    desk, key = cup.desk(), {"idempotency-key": "once"}
    first = desk.post("commands", json=LATE, headers=HEADER | key)
    again = desk.post("commands", json=LATE, headers=key)
    assert first.headers["content-language"] == INVENTED
    told = [*first.json()["says"], *first.json()["warnings"]]
    assert told
    assert all(map(is_translated, told))
    assert again.json() == first.json()
    assert "content-language" not in again.headers


@pytest.mark.parametrize("path", ["/openapi.json", "/events/{}/file", "/events/{}/export/standings"])
def test_files_are_the_same_in_every_language(cup: Cup, path: str) -> None:
    cup.play()
    http = cup.served.http(cup.served.token())
    english, other = (http.get(path.format(cup.event), headers=h) for h in ({}, HEADER))
    assert english.status_code == 200
    assert english.content == other.content
    assert "content-language" not in other.headers
