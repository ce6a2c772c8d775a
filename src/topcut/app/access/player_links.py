"""Sign and open the addresses by which players act without an account: their own page, and their slip.

A person who has a player's link acts for that player; a person who holds a slip acts for the players on it.
A slip opens its own table and nothing else: where a table is paired again, the old slip opens nothing.
"""

import hmac

from topcut.app.access.access import signature
from topcut.app.live_events import LiveEvent
from topcut.app.problems import NotHere
from topcut.app.services import Services, hall_address
from topcut.event.state import RoundState
from topcut.history.model import Table

SLIP_NOT_GOOD = "this slip is not good any more: look for your table again, or ask the desk"


def player_address(secret: bytes, event: str, player: str) -> str:
    """Return the address of a player's own page, which cannot be guessed."""
    return f"{hall_address(event)}/me/{player}/{signature(secret, event, player)}"


async def player_link(services: Services, base: str, event: str, player: str) -> str:
    """Return a player's own link."""
    live = await services.events.event(event)
    if player not in live.state.players:
        raise NotHere("no player has this id")
    return base + player_address(await services.access.secret("players"), event, player)


async def open_player_link(services: Services, event: str, player: str, signed: str) -> LiveEvent:
    """Return the event of a player's link; refuse a link with a wrong signature."""
    secret = await services.access.secret("players")
    live = await services.events.event(event)
    if not hmac.compare_digest(signed.encode(), signature(secret, event, player).encode()):
        raise NotHere("this link is not good: ask the desk for yours")
    if player not in live.state.players:
        raise NotHere("you are not on the list of this event any more; the desk can enter you again")
    return live


def slip_address(secret: bytes, event: str, a_round: RoundState, table: int | str) -> str:
    """Return the address on a slip, which cannot be guessed."""
    signed = _sign_slip(secret, event, a_round, a_round.get_table(table))
    return f"{hall_address(event)}/slip/{a_round.number}/{table}/{signed}"


async def open_slip(
    services: Services, event: str, number: int, table: int, signed: str
) -> tuple[LiveEvent, RoundState, Table]:
    """Return the table of a slip, if its round is published and the same players sit there."""
    live = await services.events.event(event)
    secret = await services.access.secret("players")
    rounds = live.state.rounds
    a_round = rounds[number - 1] if 1 <= number <= len(rounds) else None
    at = None if a_round is None else a_round.index_of(table)
    if a_round is None or at is None or a_round.phase == "draft":
        raise NotHere(SLIP_NOT_GOOD)
    found = a_round.tables[at]
    if not hmac.compare_digest(signed.encode(), _sign_slip(secret, event, a_round, found).encode()):
        raise NotHere(SLIP_NOT_GOOD)
    return live, a_round, found


def _sign_slip(secret: bytes, event: str, a_round: RoundState, table: Table) -> str:
    return signature(secret, event, "slip", str(a_round.number), str(table.table), *table.players)
