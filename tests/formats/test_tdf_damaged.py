"""Files that somebody damaged: read, or refused in one line; never anything else."""

import random
from collections.abc import Callable
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.tdf_files import AT, FILES
from tests.tiers import effort
from tools.verify_tdf import canonical
from topcut.errors import BadInput, TopcutError
from topcut.formats.event_file import EventFile, build_event
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.writer import list_final_order
from topcut.formats.tdf.xml_tree import encode_xml, parse_xml

RAW = [path.read_bytes() for path in FILES]
VALUES = [
    "",
    "0",
    "1",
    "2",
    "3",
    "8",
    "10",
    "-1",
    "1e9",
    "٣",
    "999999999",
    "9" * 30,
    "true",
    "02/30/2020",
    "\x85 é",
]
Damage = Callable[[Element, random.Random], None]


def value(element: Element, chance: random.Random) -> None:
    if element.attrib and chance.random() < 0.6:
        element.set(chance.choice(list(element.attrib)), chance.choice(VALUES))
    elif not len(element):
        element.text = chance.choice(VALUES)


def swap(element: Element, chance: random.Random) -> None:
    """Two players, rounds or whatever stands there change their places, or one stands there twice."""
    if len(element) > 1:
        one, two = chance.sample(range(len(element)), 2)
        element[one], element[two] = element[two], (element[one] if chance.random() < 0.5 else element[two])


def remove(element: Element, chance: random.Random) -> None:
    if len(element):
        element.remove(element[chance.randrange(len(element))])


def rename(element: Element, chance: random.Random) -> None:
    element.tag = chance.choice(["player", "player1", "pod", "round", "match", "dropped", "standings"])


def looked_at(raw: bytes) -> EventFile | None:
    """The event, if it is read at all; whatever is wrong with it is said in one line."""
    said = ""
    file = None
    try:
        file = tdf.read_content(raw).file
        list_final_order(build_event(file))
    except TopcutError as refused:
        said = str(refused)
    assert "\n" not in said
    return file


@settings(max_examples=effort(60, 300, 20000), deadline=None)
@given(st.sampled_from(RAW), st.randoms(use_true_random=False), st.integers(1, 4))
def test_a_file_with_wrong_values_is_read_or_refused(raw: bytes, chance: random.Random, times: int) -> None:
    document = parse_xml(raw)
    for _ in range(times):
        damage: Damage = chance.choice([value, value, value, swap, remove, rename])
        damage(chance.choice(list(document.root.iter())), chance)
    spoilt = encode_xml(document)
    file = looked_at(spoilt)
    if file is not None:
        assert canonical(tdf.write_file(file, spoilt, AT)) == canonical(spoilt)


@settings(max_examples=effort(40, 200, 20000), deadline=None)
@given(st.sampled_from(RAW), st.data())
def test_a_file_with_wrong_bytes_is_read_or_refused(raw: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(raw)))
    piece = data.draw(
        st.sampled_from([b"", b"<", b"&x;", b"\xff", b"\x00", b"<!--", b"]]>", b"<!DOCTYPE x>"])
    )
    gone = data.draw(st.sampled_from([0, 1, 40, len(raw)]))
    looked_at(raw[:at] + piece + raw[at + gone :])


@pytest.mark.parametrize("raw", RAW, ids=[path.stem for path in FILES])
def test_a_file_that_ends_too_early_is_refused_with_line_and_column(raw: bytes) -> None:
    with pytest.raises(BadInput, match=r"^line \d+, column \d+: not valid XML: "):
        tdf.read_content(raw[: len(raw) // 2])
