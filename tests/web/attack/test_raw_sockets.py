"""What goes over a real socket: bodies and heads without end, two lengths, and ways out of folders."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import socket
import subprocess
from collections.abc import Iterator
from itertools import repeat

import pytest

from tests.timeouts import PATIENCE
from tests.web.server_process import Site

PIECE = b"10000\r\n" + b" " * 65_536 + b"\r\n"
MANY = 2_000
"""Pieces: 131 MB, more than any address takes."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    one = Site(tmp_path_factory.mktemp("wire"))
    one("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    one("add", "Ada", "Bo", "Cy", "Di")
    yield one
    one.stop()


@pytest.fixture(scope="module")
def boss(site: Site) -> str:
    """The headers of somebody who may do everything."""
    key = site.json("link", "new", "Boss", "--role", "organiser", "--all-events", "--token")["key"]
    return f"Authorization: Bearer {key}\r\n"


def said(site: Site, first: str, headers: str = "", body: bytes = b"", pieces: int = 0) -> tuple[int, str]:
    """The status and the whole of the answer to a request as it is written here; 0 where there is none."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as line:
        host = "" if "Host:" in headers else "Host: hall.test\r\n"
        text = f"{first} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n"
        answer = b""
        try:
            line.sendall(text.encode("latin-1") + body)
            for piece in repeat(PIECE, pieces):
                line.sendall(piece)
            while part := line.recv(65_536):
                answer += part
        except OSError:  # cut off while we were still talking
            try:
                while part := line.recv(65_536):
                    answer += part
            except OSError:
                pass
    status = re.match(rb"HTTP/1\.1 (\d+)", answer)
    return int(status[1]) if status else 0, answer.decode("latin-1")


def memory(site: Site) -> int:
    """Megabytes that the server holds."""
    assert site.process is not None
    held = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(site.process.pid)], capture_output=True, check=True, timeout=PATIENCE
    )
    return int(held.stdout) // 1024


JSON = "Content-Type: application/json\r\n"
CHUNKED = f"{JSON}Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize("path", ["/desk/cup/do", "/new/file", "/api/v1/imports", "/desk/cup/links"])
def test_whoever_may_not_send_something_is_refused_before_it_is_read(site: Site, path: str) -> None:
    before = memory(site)
    assert said(site, f"POST {path}", CHUNKED, pieces=MANY)[0] in (0, 401)
    assert said(site, f"POST {path}", f"{JSON}Content-Length: 99999999999\r\n")[0] == 401
    assert memory(site) < before + 50


@pytest.mark.parametrize(
    "path", ["/desk/cup/do", "/api/v1/events/cup/commands", "/enter", "/sign-in", "/new/file"]
)
def test_a_body_without_end_is_cut_off(site: Site, boss: str, path: str) -> None:
    before = memory(site)
    assert said(site, f"POST {path}", boss + CHUNKED, pieces=MANY)[0] in (0, 413)
    assert said(site, f"POST {path}", f"{boss}{JSON}Content-Length: 99999999999\r\n")[0] == 413
    assert memory(site) < before + 50
    assert said(site, "GET /e/cup")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        f"{JSON}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        f"{JSON}Content-Length: 2\r\nContent-Length: 3\r\n",
        f"{JSON}Content-Length: -1\r\n",
        f"{JSON}Content-Length: 2x\r\n",
        f"{JSON}Transfer-Encoding: gzip, chunked, x\r\n",
        f"X: {'x' * 200_000}\r\n",
        "X: 1\r\n" * 20_000,
        "X : 1\r\nHost: evil\r\n",
    ],
    ids=lambda headers: headers[-30:].strip(),
)
def test_what_is_no_request_is_refused(site: Site, headers: str) -> None:
    assert said(site, "POST /enter", headers, b"{}")[0] in (0, 400, 401, 413, 431)
    assert said(site, "GET /e/cup")[0] == 200


def test_what_is_compressed_is_not_unpacked(site: Site) -> None:
    bomb = gzip.compress(json.dumps({"key": "x" * 1_000_000}).encode())
    headers = f"{JSON}Content-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n"
    assert said(site, "POST /enter", headers, bomb)[0] == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../app.py",
        "/static/x/%2e%2e/app.py",
        "/static/x/..%2f..%2fapp.py",
        "/static/x//etc/passwd",
        "/static/x/%2Fetc%2Fpasswd",
        "/static/x/style.css%00.js",
        "/static/x/..\\app.py",
        "/../../etc/passwd",
        "//etc/passwd",
        "/e/cup/../../desk/cup",
        "/e/..%2fdesk%2fcup",
        "/api/v1/rules/..%2f..%2fpyproject",
        "/api/v1/rules/%2e%2e%2fmtr",
        "/api/v1/problems/..%2fx",
        "/e/cup%0d%0aSet-Cookie:%20x=1",
        "/e/cup/player/p1%0d%0aX:%201",
        "/e/%ED%A0%80",
        "/e/%F5%90%80%80",
        "/e/%ff%fe",
        "/e/cup/slip/1/99999999999999999999999999/x",
        f"/e/cup/slip/{'9' * 5000}/1/x",
        f"/e/{'%F0%9F%92%A9' * 500}",
    ],
    ids=lambda path: path[:40],
)
def test_no_address_leads_out_of_what_is_meant(site: Site, path: str) -> None:
    status, text = said(site, f"GET {path}")
    assert status in (400, 404, 422), text[:200]
    head, _, body = text.partition("\r\n\r\n")
    assert "set-cookie" not in head.lower()
    assert "Traceback" not in body
    assert "root:" not in body


def test_the_desk_is_closed_however_its_address_is_written(site: Site) -> None:
    for path in (
        "/desk/cup",
        "/desk/cup/",
        "//desk/cup",
        "/desk//cup",
        "/desk/%63up",
        "/desk/cup/export",
        "/desk/cup%2Fexport",
        "/desk/cup//export/",
        "/api/v1/events/cup/log",
        "/api//v1/events/cup/log/",
        "/api/v1/events/cup%2Flog",
        "/desk/cup?x=/e/cup",
        "/desk/cup#/e/cup",
    ):
        status, text = said(site, f"GET {path}")
        assert status == 401, path
        assert "Ada" not in text
    assert said(site, "GET /DESK/cup")[0] == 404
    assert said(site, "GET http://evil.test/desk/cup")[0] == 401


def test_only_the_methods_that_an_address_has_are_taken(site: Site, boss: str) -> None:
    for method in ("PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "FOO"):
        for path in ("/desk/cup/do", "/e/cup", "/desk/cup"):
            status, text = said(site, f"{method} {path}", boss)
            assert status in (400, 404, 405, 501), (method, path)
            assert "Bearer" not in text  # nothing is sent back


def test_names_and_reasons_stay_in_their_message(site: Site, boss: str) -> None:
    """A line break in a reason would begin another message of a stream."""
    token = boss.partition(": ")[2].strip()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    headers = {"authorization": token, "content-type": "application/json"}
    evil = "x\n\nevent: change\ndata: {}\r\n\r\nid: 99\u2028\u0085"
    refuse = {"do": "refuse entry", "name": "Eve", "reason": evil}
    connection.request("POST", "/api/v1/events/cup/commands", json.dumps({"commands": [refuse]}), headers)
    assert connection.getresponse().read()
    connection.close()
    connection.request("GET", "/api/v1/events/cup/stream?since=0", headers=headers)
    stream = connection.getresponse()
    lines: list[bytes] = []
    while not lines or not lines[-1].startswith(b"data: {"):
        lines.append(stream.readline())
    connection.close()
    told = json.loads(lines[-1].removeprefix(b"data: "))
    assert told["facts"][-1]["fact"]["reason"] == " ".join(evil.split())
    assert [line for line in lines if line.startswith(b"id:")] == [lines[-3]]
