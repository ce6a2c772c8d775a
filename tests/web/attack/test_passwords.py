"""Guessing: names of accounts, passwords, and keeping somebody out by guessing."""

from __future__ import annotations

import re

import pytest

from tests.web.app_in_process import PASSWORD, Caller, World
from topcut.app.access import accounts as accounts_of
from topcut.app.clock import utc_now
from topcut.app.limits import Rates


async def guesses(who: Caller, login: str, password: str = "wrong wrong") -> int:
    return (await who.post("/sign-in", {"login": login, "password": password})).status


async def signs_in(world: World, login: str) -> Caller:
    """Somebody who is in; the browser keeps what it was given."""
    came = await world.public.post("/sign-in", {"login": login, "password": PASSWORD})
    assert came.status == 200
    name = await world.access.cookie()
    token, browser = (
        re.search(rf"({name}{kind}=[^;,\n ]+)", came.headers["set-cookie"]) for kind in ("", "-browser")
    )
    kept = [found[1] for found in (token, browser) if found]
    return Caller(world.app, {"cookie": "; ".join(kept)})


def test_whether_a_name_has_an_account_does_not_show(world: World) -> None:
    async def story() -> None:
        await world.access.accounts.add("there", "There", PASSWORD, utc_now())
        burst = int(Rates().password.burst)
        tried = {
            login: [await guesses(world.public, login) for _ in range(burst + 2)]
            for login in ("there", "not")
        }
        assert tried["there"] == tried["not"] == [401] * burst + [429] * 2
        for login in ("THERE", " there", "there\n"):
            assert await guesses(world.public, login) == 429  # the same name
        says = {
            (await world.public.post("/sign-in", {"login": f"{n}x", "password": "wrong wrong"})).text
            for n in "ab"
        }
        assert len(says) == 1

    world.run(story())


def test_for_a_name_without_an_account_a_password_is_checked_all_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> list[object]:
        checked: list[object] = []
        real = accounts_of._same

        def same(account: accounts_of.Account | None, password: str) -> bool:
            checked.append(account)
            return real(account, password)

        monkeypatch.setattr(accounts_of, "_same", same)
        for login in ("nobody", "", "\0", "x" * 100_000, "é", "../x"):
            assert await guesses(world.public, login) == 401
        return checked

    assert world.run(story()) == [None] * 6


def test_strangers_who_guess_do_not_keep_the_owner_out(world: World) -> None:
    async def story() -> None:
        await world.access.accounts.add("owner", "Owner", PASSWORD, utc_now())
        await world.access.accounts.add("thief", "Thief", PASSWORD, utc_now())
        owner, thief = await signs_in(world, "owner"), await signs_in(world, "thief")
        while await guesses(world.public, "owner") != 429:
            pass
        assert await guesses(world.public, "owner", PASSWORD) == 429
        assert await guesses(owner, "owner", PASSWORD) == 200
        assert await guesses(thief, "owner") == 429  # a browser is known for its own account
        burst = int(Rates().password.burst)
        tried = [await guesses(owner, "owner") for _ in range(burst + 1)]
        assert tried[-1] == 429  # and does not guess for ever either

    world.run(story())


@pytest.mark.parametrize("password", ["", "x", "\0" * 20, "x" * 100_000, "\N{PILE OF POO}" * 50])
def test_strange_passwords_are_only_wrong(world: World, password: str) -> None:
    async def story() -> None:
        if await world.access.accounts.find("strange", utc_now()) is None:
            await world.access.accounts.add("strange", "Strange", "x" * 200, utc_now())
        assert await guesses(world.public, "strange", password) == 401

    world.run(story())


def test_passwords_are_kept_as_argon2id_with_as_much_work_as_is_asked_for_today(world: World) -> None:
    """OWASP asks for 19 MiB and two passes, or as much in another way; more does no harm."""

    async def story() -> str:
        made = await world.access.accounts.add("work", "Work", PASSWORD, utc_now())
        return made.hash

    found = re.fullmatch(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)", world.run(story()))
    assert found is not None
    assert int(found[1]) >= 19 * 1024
    assert int(found[2]) >= 2
    assert len(found[4]) >= 22  # 16 bytes of salt


def test_a_key_that_is_used_too_often_has_to_wait(world: World) -> None:
    async def story() -> None:
        await world.event("often")
        key = await world.access.make_link("Lena", "often", role="judge")
        statuses = [(await world.public.post("/enter", {"key": key})).status for _ in range(15)]
        assert statuses[:10] == [200] * 10
        assert statuses[-1] == 429

    world.run(story())
