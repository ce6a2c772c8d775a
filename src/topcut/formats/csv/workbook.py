"""Read the rows of a spreadsheet's workbook: .xlsx, .ods and .xls.

A workbook of 2 KB can ask for more memory than any computer has, and the library that reads it then ends its
process. So it runs in a process of its own, within bounds of memory and time; what ends badly is refused.
"""

import datetime
import io
import json
import subprocess
import sys
import zipfile
from contextlib import suppress

from topcut.errors import BadInput
from topcut.formats.paths import ZIP
from topcut.text.messages import say

LARGEST_UNPACKED = 64 * 2**20
"""Bytes of all files in a workbook together."""
MEMORY = 768 * 2**20
"""Bytes of address space for the process that reads; only where the system can bound it."""
SECONDS = 20
"""Time for the process that reads."""
UNREADABLE = say("this workbook can't be read: save it as CSV")
REFUSED = {
    "size": say("too large once it is unpacked: expected at most {most} MiB", most=LARGEST_UNPACKED // 2**20),
    "password": say("this workbook needs a password: save it without one, or as CSV"),
}
"""Why there are no rows, by what the process that reads writes."""


def read_rows(raw: bytes, most: int) -> list[list[str]]:
    """Return the cells of the first sheet as text, row by row from the first; at most `most` rows."""
    command = [sys.executable, "-P", "-m", __name__, str(most)]
    try:
        done = subprocess.run(command, input=raw, capture_output=True, check=True, timeout=SECONDS)
        found: list[list[str]] | str = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        raise BadInput(UNREADABLE) from None
    if isinstance(found, str):
        raise BadInput(REFUSED.get(found, UNREADABLE))
    return found


def _unpack_rows(raw: bytes, most: int) -> list[list[str]] | str:
    """Return the rows of the first sheet, or why there are none: a key of `REFUSED`."""
    import python_calamine

    if raw.startswith(ZIP):
        unpacked = sum(member.file_size for member in zipfile.ZipFile(io.BytesIO(raw)).infolist())
        if unpacked > LARGEST_UNPACKED:
            return "size"
    try:
        sheet = python_calamine.load_workbook(io.BytesIO(raw)).get_sheet_by_index(0)
    except python_calamine.PasswordError:
        return "password"
    rows = ([_cell_text(cell) for cell in row] for row in sheet.iter_rows())
    return [row for _, row in zip(range(most), rows, strict=False)]


def _cell_text(cell: object) -> str:
    """Return a cell as a spreadsheet writes it into CSV; dates as year, month, day."""
    match cell:
        case bool():
            return str(cell).upper()
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime.datetime():
            return cell.isoformat(" ")
        case datetime.date():
            return cell.isoformat()
        case _:
            return str(cell)


if __name__ == "__main__":
    with suppress(ImportError, OSError, ValueError):  # Windows has no such bound
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.write(json.dumps(_unpack_rows(sys.stdin.buffer.read(), int(sys.argv[1]))))
