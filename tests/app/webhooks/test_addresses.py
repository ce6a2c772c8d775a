"""A webhook reaches the internet and nothing that only this server can reach, whatever its name says."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.app.webhooks.delivery_helpers import Time, facts
from tests.app.webhooks.receiver import receiving
from tests.required_programs import program
from tests.store.store_helpers import EVENT, opened
from topcut.app.webhooks.post import (
    DeliveryOutcome,
    Resolve,
    Sender,
    check_webhook_address,
    is_public,
    look_up_host,
)
from topcut.app.webhooks.webhooks import WebhookService
from topcut.errors import BadInput
from topcut.text.messages import Message

PRIVATE = "its address is private, and Topcut sends only to public addresses"
NOTHING = b'{"facts":[]}'

INSIDE = """
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
    192.0.2.1 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::a00:1 64:ff9b::127.0.0.1
    64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: fc00::1 fd00:ec2::254 fe80::1
    fe80::1%eth0 fec0::1 ff02::1
"""
OUTSIDE = """
    1.1.1.1 8.8.8.8 100.63.0.1 172.15.0.1 172.32.0.1 192.167.1.1
    ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2606:4700::1
"""


def names(**answers: Sequence[str]) -> Resolve:
    """Somebody who knows these names under `.example`."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return answers[host.removesuffix(".example")]

    return resolve


@pytest.mark.parametrize("address", INSIDE.split())
def test_inside(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OUTSIDE.split())
def test_outside(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "league.example",
        "//league.example/",
        "ftp://league.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "https://:443/",
        "https://mara@league.example/",
        "https://mara:key@league.example/",
        "https://league.example\\@inside/",
        "https://league.example:0/",
        "https://league.example:99999/",
        "https://league.example:x/",
        "https://league.example/\r\nx: y",
        "https://[::1/",
        "https://0177.0.0.1/",
        "https://league.example/" + "x" * 2_000,
    ],
)
def test_what_is_no_address(text: str) -> None:
    for allow_private in (False, True):
        with pytest.raises(BadInput, match=r"^url: expected"):
            check_webhook_address(text, allow_private)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:10.0.0.1]", "169.254.169.254", "10.0.0.1:8080"]
)
def test_private_numbers_are_refused_at_once_unless_all_are_welcome(host: str) -> None:
    with pytest.raises(BadInput, match="on the public internet"):
        check_webhook_address(f"http://{host}/")
    assert check_webhook_address(f"http://{host}/", allow_private=True) == f"http://{host}/"


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f.1", "2130706433", "0"])
def test_other_ways_to_say_this_machine(host: str) -> None:
    """They look like names, and are found out when they are looked up."""

    async def story() -> None:
        async with receiving() as receiver:
            post = Sender()
            outcome = await post.send(f"http://{host}:{receiver.port}/", {}, NOTHING)
            assert outcome.status is None
            assert outcome.problem == PRIVATE or "cannot be looked up" in outcome.problem
            assert receiver.got == []

    asyncio.run(story())


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["10.1.2.3"]]
)
def test_a_name_for_what_is_inside(addresses: list[str]) -> None:
    async def story() -> None:
        async with receiving() as receiver:
            post = Sender(resolve=names(league=addresses))
            outcome = await post.send(f"http://league.example:{receiver.port}/", {}, NOTHING)
            assert outcome == DeliveryOutcome(None, Message(PRIVATE))
            assert receiver.got == []

    asyncio.run(story())


def test_a_name_is_looked_up_once_a_delivery_and_the_first_answer_counts() -> None:
    asked: list[tuple[str, int]] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append((host, port))
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.9"]

    async def story() -> None:
        async with receiving() as receiver:
            post = Sender(allow_private=True, resolve=resolve)
            url = f"http://league.example:{receiver.port}/hook"
            assert await post.send(url, {}, NOTHING) == DeliveryOutcome(200)
            assert asked == [("league.example", receiver.port)]
            assert receiver.got[0].headers["host"] == f"league.example:{receiver.port}"
            assert (await post.send(url, {}, NOTHING)).status is None, "nobody listens at the new address"
            assert len(asked) == 2
            await post.close()

    asyncio.run(story())


def test_the_next_address_is_tried_where_one_cannot_be_reached() -> None:
    async def story() -> None:
        async with receiving() as receiver:
            post = Sender(allow_private=True, resolve=names(league=["127.0.0.9", "127.0.0.8", "127.0.0.1"]))
            outcome = await post.send(f"http://league.example:{receiver.port}/", {}, NOTHING)
            assert outcome == DeliveryOutcome(200)
            await post.close()

    asyncio.run(story())


def test_names_that_nobody_has() -> None:
    async def story() -> None:
        post = Sender(resolve=names(empty=[]))
        assert await post.send("http://empty.example/", {}, NOTHING) == DeliveryOutcome(
            None, Message("empty.example has no address")
        )
        outcome = await Sender().send(f"http://{'x' * 64}/", {}, NOTHING)  # longer than a name may be
        assert "cannot be looked up: " in outcome.problem
        outcome = await Sender(resolve=unknown).send("http://nobody.example/", {}, NOTHING)
        assert outcome.problem == "nobody.example cannot be looked up: Name or service not known"

    async def unknown(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    asyncio.run(story())


def test_looking_up() -> None:
    assert asyncio.run(look_up_host("127.0.0.1", 80)) == ["127.0.0.1"]


def test_nobody_waits_for_a_look_up() -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    outcome = asyncio.run(Sender(resolve=never, within=0.05).send("http://slow.example/", {}, NOTHING))
    assert outcome == DeliveryOutcome(None, Message("no answer within 0.05 seconds"))


def test_an_event_with_a_private_webhook(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store, receiving() as receiver:
            await store.create(EVENT, facts(1, 1), {}, b"")
            hooks = WebhookService(store, Sender(resolve=names(league=["127.0.0.1"])), Time().environment)
            with pytest.raises(BadInput, match="on the public internet"):
                await hooks.add(EVENT, receiver.url, "Mara", since=0)
            hook, _ = await hooks.add(EVENT, f"http://league.example:{receiver.port}/", "Mara", since=0)
            assert (await hooks.test(EVENT, hook.id)).problem == PRIVATE
            assert receiver.got == []

    asyncio.run(story())


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for a name, signed by itself, and its key."""
    openssl = program("openssl", "on Debian: apt install openssl")
    paths = folder / "certificate.pem", folder / "key.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    who = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    files = ["-out", str(paths[0]), "-keyout", str(paths[1])]
    subprocess.run([openssl, "req", "-x509", *curve, *who, *files], check=True, capture_output=True)
    return paths


def test_https_speaks_to_the_address_and_looks_at_the_name(tmp_path: Path) -> None:
    public_part, key = certificate(tmp_path, "league.example")
    there = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    there.load_cert_chain(public_part, key)
    asked: list[str | None] = []
    there.sni_callback = lambda _socket, name, _context: asked.append(name)
    resolve = names(league=["127.0.0.1"], other=["127.0.0.1"])

    async def story() -> None:
        async with receiving(tls=there) as receiver:
            trusting = Sender(
                allow_private=True, resolve=resolve, tls=ssl.create_default_context(cafile=public_part)
            )
            league, other = (f"https://{name}.example:{receiver.port}/" for name in ("league", "other"))
            assert await trusting.send(league, {}, NOTHING) == DeliveryOutcome(200)
            assert asked == ["league.example"]
            for post, url in (
                (trusting, other),
                (Sender(allow_private=True, resolve=resolve), league),
            ):
                outcome = await post.send(url, {}, NOTHING)
                assert outcome.status is None
                assert "certificate verify failed" in outcome.problem
                await post.close()
            assert await trusting.send(league, {}, NOTHING) == DeliveryOutcome(200)
            assert len(receiver.got) == 2

    asyncio.run(story())
