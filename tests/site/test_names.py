"""Whatever people and their ids are called: safe files, one each, and text that stays text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.site.page_reader import Reader, broken, pages_of
from topcut.formats.event_file import EventFile, build_event
from topcut.history.model import Player, Round, Table
from topcut.site.pages import build_site, write_site_files
from topcut.site.site_event import choose_file_names

HOSTILE = [
    "../../etc/passwd",
    "con",
    "CON",
    "a/b",
    "a\\b",
    "A",
    "a",
    "ß",
    "SS",
    "x" * 300,
    "🂡",
    ".",
    "..",
    " ",
    "index",
    "p1.html",
    "?q=1",
    "#top",
    "%2e%2e",
    "javascript:alert(1)",
    "\u202etfel",
    "player-3",
    "a-",
    "standings",
]
MARKUP = '<script>alert("x")</script>'
text = st.one_of(
    st.sampled_from([*HOSTILE, MARKUP]), st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
)
GOOD = re.compile(r"([a-z0-9][a-z0-9_.-]*/)?[a-z0-9][a-z0-9_-]*\.(html|json|css|js|svg)")


@given(st.lists(text, unique=True, max_size=30))
def test_names_of_files_are_good_on_every_disk_and_differ_on_each(texts: list[str]) -> None:
    names = choose_file_names(texts, "player")
    assert list(names) == texts
    assert len(set(names.values())) == len(texts)
    for name in names.values():
        assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}", name)
        assert name not in ("con", "prn", "aux", "nul")


@given(
    st.lists(text, unique=True, min_size=2, max_size=9).filter(
        lambda ids: not {"draw", "double_loss"} & {*ids}
    ),
    st.data(),
)
def test_a_site_of_anybody_is_whole_and_says_what_they_are_called(
    ids: list[str], data: st.DataObject
) -> None:
    names = [data.draw(text) for _ in ids]
    title = data.draw(text)
    players = tuple(
        Player(id=player_id, name=name, division=data.draw(st.none() | text))
        for player_id, name in zip(ids, names, strict=True)
    )
    tables = [Table(players=(ids[i], ids[i + 1]), winner=ids[i]) for i in range(0, len(ids) - 1, 2)]
    rounds = (Round(tables=tuple(tables)),)
    event = build_event(EventFile(topcut=1, name=title, rules="mtr", players=players, rounds=rounds))
    paths = [path for path, _ in write_site_files(event)]
    assert len({path.lower() for path in paths}) == len(paths)
    files = build_site(event)
    assert list(broken(files)) == []
    assert all(GOOD.fullmatch(path) for path in files)
    said = pages_of(files)
    for path, page in said.items():
        assert page.tags.count("script") == 1, path
    shown = said["players.html"].text
    for player in players:
        assert " ".join(player.shown_name.split()) in shown


def test_markup_in_names_is_text() -> None:
    players = (Player(id="a", name=MARKUP), Player(id="b", name='" onmouseover="alert(1)'))
    rounds = (Round(tables=(Table(players=("a", "b"), winner="a", table=MARKUP),)),)
    files = build_site(
        build_event(EventFile(topcut=1, name=MARKUP, rules="mtr", players=players, rounds=rounds)), at=MARKUP
    )
    for path, page in pages_of(files).items():
        assert MARKUP.encode() not in files[path]
        assert b' onmouseover="' not in files[path]
        assert page.tags.count("script") == 1
    assert MARKUP in Reader(files["players/a.html"]).text
