"""Make small workbooks as spreadsheets save them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date
from string import ascii_uppercase
from xml.sax.saxutils import escape

Cell = str | int | float | bool | date | None
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = '<sheet name="{0}" sheetId="{1}" r:id="rId{1}"/>'
_RELATION = '<Relationship Id="{}" Type="{}/{}" Target="{}"/>'


def make_zip(members: dict[str, str]) -> bytes:
    """Return a packed archive with these files."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, text in members.items():
            packed = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, text, packed)
    return raw.getvalue()


def make_xlsx(*sheets: Iterable[Sequence[Cell]]) -> bytes:
    """Return an Excel workbook with these sheets."""
    return make_xlsx_of_xml(
        *("".join(_row(n, cells) for n, cells in enumerate(sheet, 1)) for sheet in sheets)
    )


def make_xlsx_of_xml(*sheets: str) -> bytes:
    """Return an Excel workbook whose sheets have these rows, as XML."""
    count = range(1, len(sheets) + 1)
    related = [_RELATION.format(f"rId{n}", _OFFICE, "worksheet", f"worksheets/sheet{n}.xml") for n in count]
    related.append(_RELATION.format("rIdS", _OFFICE, "styles", "styles.xml"))
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": _relations([_RELATION.format("rId1", _OFFICE, "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        + "".join(_SHEET.format(f"Sheet {n}", n) for n in count)
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(related),
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    for n, rows in zip(count, sheets, strict=True):
        sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        members[f"xl/worksheets/sheet{n}.xml"] = sheet
    return make_zip(members)


def make_ods(rows: Iterable[Sequence[str]]) -> bytes:
    """Return an OpenDocument workbook with one sheet of text."""
    office = "urn:oasis:names:tc:opendocument:xmlns"
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(
        f"<table:table-row>{''.join(cell.format(escape(text)) for text in row)}</table:table-row>"
        for row in rows
    )
    return make_zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f'<office:document-content xmlns:office="{office}:office:1.0" '
            f'xmlns:table="{office}:table:1.0" xmlns:text="{office}:text:1.0">'
            f'<office:body><office:spreadsheet><table:table table:name="1">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{office}:manifest:1.0"/>',
        }
    )


def _relations(inside: Sequence[str]) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(inside)}</Relationships>'


def _row(number: int, cells: Sequence[Cell]) -> str:
    written = (
        _cell(f"{ascii_uppercase[i]}{number}", cell) for i, cell in enumerate(cells) if cell is not None
    )
    return f'<row r="{number}">{"".join(written)}</row>'


def _cell(place: str, cell: Cell) -> str:
    match cell:
        case bool():
            return f'<c r="{place}" t="b"><v>{int(cell)}</v></c>'
        case date():
            return f'<c r="{place}" s="1"><v>{(cell - date(1899, 12, 30)).days}</v></c>'
        case int() | float():
            return f'<c r="{place}"><v>{cell}</v></c>'
        case _:
            return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(cell))}</t></is></c>'
