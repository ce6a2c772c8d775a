"""Sign and open the addresses by which players act without an account: their own page, and their slip.

A person who has a player's link acts for that player; a person who holds a slip acts for the players on it.
A slip opens its own table and nothing else: where a table is paired again, the old slip opens nothing.
"""

from topcut.app.access.access import is_signed, signature
from topcut.app.live_events import LiveEvent
from topcut.app.services import NotHere, Services, hall_address
from topcut.app.views.visibility import public_round
from topcut.event.state import RoundState
from topcut.history.model import Table
from topcut.text.messages import say

SLIP_NOT_GOOD = say("This slip is no longer valid. Look up your table again, or ask the desk.")


def player_address(secret: bytes, event: str, player: str) -> str:
    """Return the address of a player's own page, which cannot be guessed."""
    return f"{hall_address(event)}/me/{player}/{signature(secret, event, player)}"


async def player_link(services: Services, base: str, event: str, player: str) -> str:
    live = await services.events.open_event(event)
    if player not in live.state.players:
        raise NotHere(say("No player has this id."))
    return base + player_address(await services.access.secret("players"), event, player)


async def open_player_link(services: Services, event: str, player: str, signed: str) -> LiveEvent:
    """Return the event of a player's link; refuse a link with a wrong signature."""
    secret = await services.access.secret("players")
    live = await services.events.open_event(event)
    if not is_signed(signed, secret, event, player):
        raise NotHere(say("This link is not valid. Ask the desk for yours."))
    if player not in live.state.players:
        raise NotHere(say("You are no longer on the list of this event. The desk can add you again."))
    return live


def slip_address(secret: bytes, event: str, a_round: RoundState, table: int | str) -> str:
    """Return the address on a slip, which cannot be guessed."""
    signed = signature(secret, *_name_slip(event, a_round, a_round.get_table(table)))
    return f"{hall_address(event)}/slip/{a_round.number}/{table}/{signed}"


async def open_slip(
    services: Services, event: str, number: int, table: int, signed: str
) -> tuple[LiveEvent, RoundState, Table]:
    """Return the table of a slip, if its round is published and the same players sit there."""
    live = await services.events.open_event(event)
    secret = await services.access.secret("players")
    a_round = public_round(live.state, number)
    at = None if a_round is None else a_round.index_of(table)
    if a_round is None or at is None:
        raise NotHere(SLIP_NOT_GOOD)
    found = a_round.tables[at]
    if not is_signed(signed, secret, *_name_slip(event, a_round, found)):
        raise NotHere(SLIP_NOT_GOOD)
    return live, a_round, found


def _name_slip(event: str, a_round: RoundState, table: Table) -> tuple[str, ...]:
    return event, "slip", str(a_round.number), str(table.table), *table.players
