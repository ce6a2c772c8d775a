"""Versions: an answer has one, what is known is not sent again, and a command may mean one and no other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.server_thread import Cup

ADD = {"commands": [{"do": "register", "name": "Zoe"}]}


@pytest.mark.parametrize(
    "path",
    ["", "players", "players/p1", "rounds", "standings", "bracket", "draws", "changes", "log"],
)
def test_what_is_known_is_not_sent_again(cup: Cup, path: str) -> None:
    desk = cup.desk()
    first = desk.get(path)
    same = desk.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, same.status_code, same.content) == (200, 304, b"")
    assert same.headers["etag"] == first.headers["etag"]
    desk.post("commands", json=ADD)
    other = desk.get(path, headers={"if-none-match": first.headers["etag"]})
    assert other.status_code == 200
    assert other.headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize("known", ["W/{tag}", '"1", {tag}', '{tag}, "0"'])
def test_a_cache_may_say_it_in_its_own_way(cup: Cup, known: str) -> None:
    tag = cup.http().get("").headers["etag"]
    assert cup.http().get("", headers={"if-none-match": known.format(tag=tag)}).status_code == 304


def test_who_sees_more_has_another_tag(cup: Cup) -> None:
    """A cache between them must not show the one what the other may see."""
    everybody, staff = cup.http().get(""), cup.desk().get("")
    assert everybody.json()["version"] == staff.json()["version"]
    assert everybody.headers["etag"] != staff.headers["etag"]
    assert "authorization" in everybody.headers["vary"]


def test_a_command_is_done_at_the_version_that_was_seen(cup: Cup) -> None:
    desk = cup.desk()
    tag = desk.get("").headers["etag"]
    done = desk.post("commands", json=ADD, headers={"if-match": tag})
    assert done.status_code == 200
    again = desk.post("commands", json=ADD, headers={"if-match": done.headers["etag"]})
    assert again.json()["version"] == done.json()["version"] + 1


@pytest.mark.parametrize("given", ['"3"', 'W/"3"', '"3-1ab5d3"', '"999999999999"'])
def test_a_command_for_another_version_is_refused(cup: Cup, given: str) -> None:
    desk = cup.desk()
    version = desk.get("").json()["version"]
    refused = desk.post("commands", json=ADD, headers={"if-match": given})
    problem = refused.json()
    assert refused.status_code == 412
    assert problem["type"] == "/api/v1/problems/version-mismatch"
    assert (problem["expected"], problem["version"]) == (int(given.strip('W/"').partition("-")[0]), version)
    assert desk.get("").json()["version"] == version


@pytest.mark.parametrize("given", ["3", '"x"', '"3', '"3", "4"', '"-1"', '"٣"'])
def test_what_is_no_version_is_said_to_be_none(cup: Cup, given: str) -> None:
    headers = {"if-match": given.encode()}
    refused = cup.desk().post("commands", json=ADD, headers=headers)  # type: ignore[arg-type]
    assert refused.status_code == 400
    assert "If-Match" in refused.json()["detail"]


@pytest.mark.parametrize("given", ["*", ""])
def test_any_version_will_do(cup: Cup, given: str) -> None:
    done = cup.desk().post("commands", json=ADD, headers={"if-match": given})
    assert done.status_code == 200


def test_of_several_who_saw_the_same_one_is_first(cup: Cup) -> None:
    desk = cup.desk()
    tag = desk.get("").headers["etag"]

    def ask(name: str) -> int:
        body = {"commands": [{"do": "register", "name": name}]}
        return desk.post("commands", json=body, headers={"if-match": tag}).status_code

    with ThreadPoolExecutor(8) as pool:
        found = sorted(pool.map(ask, [f"Zoe {number}" for number in range(8)]))
    assert found == [200] + [412] * 7
    assert desk.get("").json()["players"] == 5
