"""XML that comes out as it went in, and XML that does not come in."""

from xml.etree.ElementTree import canonicalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topcut.errors import BadInput
from topcut.formats.tdf.xml_tree import (
    DEEPEST,
    LARGEST,
    MOST_ELEMENTS,
    XmlEditor,
    encode_xml,
    make_element,
    parse_xml,
    replace_impossible,
)

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
)
NAMES = st.sampled_from(["a", "b", "n:c", "é"])


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> str:
    """An element in text, with everything that can stand in one."""
    name = draw(NAMES)
    declared = ' xmlns:n="urn:n"' if name.startswith("n:") else ""
    value = draw(TEXT).replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    inside = ["", "&#13;", "\t\n ", "<![CDATA[<&>]]>", "<!-- why? -->", "<?do this?>", "&lt;&amp;", "x é"]
    pieces = draw(st.lists(st.sampled_from(inside), max_size=3))
    if depth:
        pieces += draw(st.lists(trees(depth=depth - 1), max_size=3))
    return f'<{name}{declared} x="{value}&#10;&#9;">{"".join(pieces)}</{name}>'


@given(trees(), st.sampled_from(["", "<!-- before -->", '<?xml-model href="x"?>\n']))
def test_a_tree_comes_out_as_it_went_in(tree: str, outside: str) -> None:
    text = f"{outside}{tree}{outside}"
    again = encode_xml(parse_xml(text.encode())).decode()
    assert canonicalize(again, with_comments=True) == canonicalize(text, with_comments=True)
    assert encode_xml(parse_xml(again.encode())).decode() == again


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_unicode_encoding_is_read(encoding: str) -> None:
    raw = "<!-- mark --><tournament>Åsa 李</tournament>".encode(encoding)
    assert parse_xml(raw).root.text == "Åsa 李"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252"])
def test_an_encoding_that_is_declared_is_read(encoding: str) -> None:
    raw = f'<?xml version="1.0" encoding="{encoding}"?><a>Åsa</a>'.encode(encoding)
    assert parse_xml(raw).root.text == "Åsa"


ENTITIES = b'<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'
OUTSIDE = b'<!DOCTYPE a SYSTEM "file:///etc/hostname"><a/>'


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (ENTITIES, "line 1, column 13: a document type (DOCTYPE) isn't allowed here: expected none"),
        (OUTSIDE, "line 1, column 42: a document type (DOCTYPE) isn't allowed here: expected none"),
        (b"<a>&x;</a>", "line 1, column 4: not valid XML: undefined entity"),
        (b"<a>\n <b></a>", "line 2, column 7: not valid XML: mismatched tag"),
        (b"<a>\n <b>", "line 2, column 5: not valid XML: no element found"),
        (b"<a", "line 1, column 1: not valid XML: unclosed token"),
        (b"", "line 1, column 1: not valid XML: no element found"),
        (b"<a>\xff</a>", "line 1, column 4: not valid XML: not well-formed (invalid token)"),
        (b"<a x='1' x='2'/>", "line 1, column 10: not valid XML: duplicate attribute"),
        ("<a>é</a>".encode("utf-16")[:-1], "line 1, column 6: not valid XML: unclosed token"),
        (
            b'<?xml version="1.0" encoding="utf-7"?><a/>',
            "line 1, column 31: not valid XML: unknown encoding (expected UTF-8)",
        ),
        (
            b'<?xml version="1.0" encoding="nowhere"?><a/>',
            "line 1, column 31: not valid XML: unknown encoding (expected UTF-8)",
        ),
        (b"<a>" * (DEEPEST + 1), "line 1, column 193: expected at most 64 elements inside each other"),
        (
            b"<a>" + b"<b/>" * MOST_ELEMENTS + b"</a>",
            "line 1, column 2000000: expected at most 500,000 elements",
        ),
        (b" " * (LARGEST + 1), "too large for this kind of file: expected at most 16 MiB"),
    ],
    ids=range(15),
)
def test_what_is_not_read_is_one_line_with_its_place(raw: bytes, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_xml(raw)
    assert str(refused.value) == problem


LINES = b"<a>\n  <b>\n    <c>1</c>\n  </b>\n</a>"


def test_a_new_element_has_the_indentation_of_the_file() -> None:
    document = parse_xml(LINES)
    editor = XmlEditor(document.root, {"b": ("c", "f")})
    editor.insert(document.root[0], make_element("d", [make_element("e", "2")]))
    editor.insert(document.root[0], make_element("f", x="3"))
    assert encode_xml(document).decode().splitlines()[1:] == [
        "<a>",
        "  <b>",
        "    <c>1</c>",
        '    <f x="3"/>',
        "    <d>",
        "      <e>2</e>",
        "    </d>",
        "  </b>",
        "</a>",
    ]


def test_what_was_put_in_can_be_taken_out_without_a_trace() -> None:
    document = parse_xml(LINES)
    editor = XmlEditor(document.root, {"b": ("d", "c")})
    first, last = make_element("d", "2"), make_element("e")
    editor.insert(document.root[0], first)
    editor.insert(document.root[0], last)
    editor.remove(first)
    editor.remove(last)
    assert encode_xml(document) == encode_xml(parse_xml(LINES))


def test_several_are_taken_out_at_once() -> None:
    document = parse_xml(b"<a>\n  <b/>\n  <c/> two\n  <d/>\n  <e/> one\n</a>")
    editor = XmlEditor(document.root, {})
    b, c, _, e = document.root
    editor.remove(e, b, c)
    assert encode_xml(document).decode().split("\n", 1)[1] == "<a>\n  two\n  <d></d> one\n</a>\n"


def test_a_file_without_lines_stays_without_them() -> None:
    document = parse_xml(b"<a><b/></a>")
    XmlEditor(document.root, {}).insert(document.root, make_element("c", [make_element("d")]))
    assert encode_xml(document).endswith(b"<a><b></b><c><d></d></c></a>\n")


def test_a_pen_knows_whether_it_was_used() -> None:
    document = parse_xml(LINES)
    editor = XmlEditor(document.root, {})
    editor.set_text(document.root[0], "c", "1")
    assert not editor.changed
    editor.set_text(document.root[0], "c", "2")
    assert editor.changed


def test_what_xml_cannot_hold_is_marked() -> None:
    assert replace_impossible("a\x00b\x1f\ud800c\ufffe\t") == "a\ufffdb\ufffd\ufffdc\ufffd\t"
