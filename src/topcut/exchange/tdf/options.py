"""Which options does the event of a .tdf file have? Pools, cuts and rounds, as far as the file fixes them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.event_file import EventFile
from topcut.exchange.tdf.sheet import FINISHED, LAST, Pod, Sheet
from topcut.history import History, build
from topcut.history.parts import Part, parts
from topcut.rulebook import Book
from topcut.rulebook.options import ForDivision, Options
from topcut.rulebook.planning.words import both, either


def options_of(sheet: Sheet, file: EventFile, book: Book, table: str | None) -> tuple[Options, list[str]]:
    """The options, and what there is to say about them; `file` has players and rounds."""
    assert book.divisions is not None
    names = [division.name for division in book.divisions.list]
    options = Options(table=table, third_place=sheet.third_place or None, flights=_flights(sheet, book))
    own: dict[str, ForDivision] = {}
    present = {player.division for player in file.players}
    here = [name for name in names if name in present]
    if sheet.cuts or any(pod.swiss < len(pod.rounds) for pod in sheet.pods):
        options, own = _with_cuts(sheet, file, options, here, names)
    history = build(file.players, file.rounds, book)
    options = _with_pools(sheet, history, book, options, names)
    planned = _planned(sheet, history, book, replace(options, by_division=own or None))
    rounds = set(planned.values())
    if len(rounds) == 1:
        options = replace(options, rounds=rounds.pop())
    else:
        for name, number in planned.items():
            own[name] = replace(own.get(name, ForDivision()), rounds=number)
    said = {name: one for name, one in own.items() if one != ForDivision()}
    options = replace(options, by_division=said or None)
    return options, _still_swiss(sheet, history, book, options)


def _with_cuts(
    sheet: Sheet, file: EventFile, options: Options, here: list[str], names: list[str]
) -> tuple[Options, dict[str, ForDivision]]:
    """The cut of every division that has players; of all together where a bracket mixes them."""
    division = {player.id: player.division for player in file.players}
    first = [pod.rounds[pod.swiss].matches for pod in sheet.pods if pod.swiss < len(pod.rounds)]
    mixed = any(
        len({division[player_id] for player_id in match.players}) > 1
        for pod in sheet.pods
        for a_round in pod.rounds[pod.swiss :]
        for match in a_round.matches
    )
    if mixed and len(sheet.pods) == 1:
        seated = sum(len(match.players) for match in first[0])
        cut = 1 << (seated - 1).bit_length()
        return replace(options, format="swiss+elimination", cut=cut), {}
    cuts = {name: sheet.cuts.get(names.index(name), 0) for name in here}
    if not any(cuts.values()) and not first:
        return replace(options, format="swiss"), {}
    options = replace(options, format="swiss+elimination")
    if len(here) == 1:
        return replace(options, cut=cuts[here[0]] or None), {}
    return options, {name: ForDivision(cut=cut) for name, cut in cuts.items()}


def _with_pools(sheet: Sheet, history: History, book: Book, options: Options, names: list[str]) -> Options:
    """Who plays together, where it is not what the rules have anyway."""
    pods = [pod for pod in sheet.pods if pod.players]
    together = [tuple(names[i] for i in pod.divisions) for pod in pods]
    if not pods or (len(pods) == 1 and len(parts(history, book, options)) == 1):
        return options
    taken = [name for pool in together for name in pool]
    if len(taken) != len(set(taken)):
        twice = both(sorted({name for name in taken if taken.count(name) > 1}))
        raise BadInput(f"{twice} in several pods: expected each division in one", place="pods")
    left = [(name,) for name in names if name not in taken]
    pools = sorted([*together, *left], key=lambda pool: names.index(pool[0]))
    return replace(options, pools=tuple(pools))


def members(part: Part, history: History) -> set[str]:
    """The ids of the players of a part."""
    return {history.players[i].id for i in part.members}


def over(sheet: Sheet, pod: Pod) -> bool:
    """Whether all Swiss rounds of a pod are there."""
    last = pod.rounds[-1].stage if pod.rounds else 0
    return bool(pod.swiss) and (
        sheet.stage == FINISHED or pod.stage != 0 or last == LAST or pod.swiss < len(pod.rounds)
    )


def _planned(sheet: Sheet, history: History, book: Book, options: Options) -> Mapping[str, int | None]:
    """Division to its Swiss rounds, as far as the rules do not say the same."""
    division = {player.id: player.division for player in history.players}
    found: dict[str, int | None] = {}
    for part in parts(history, book, options):
        inside = members(part, history)
        pod = next((pod for pod in sheet.pods if inside & set(pod.players)), None)
        played = pod.swiss if pod else 0
        number = played if pod and over(sheet, pod) else None
        if number is None and part.recommended is not None:
            asked = part.recommended - sheet.less_swiss + (pod.additional if pod else 0)
            number = max(asked, played, 1)
            number = None if number == part.recommended else number
        found |= {name: number for player_id in inside if (name := division[player_id]) is not None}
    return found


def _flights(sheet: Sheet, book: Book) -> int | None:
    """The number of flights, where the players of a pod are in several subgroups."""
    counts = {len([group for group in pod.subgroups if group]) for pod in sheet.pods} - {0, 1}
    if not counts:
        return None
    known = book.flights.counts if book.flights else ()
    if len(counts) > 1 or len(sheet.pods) > 1 or min(counts) not in known:
        problem = f"{both(sorted(counts))} subgroups: expected none, or {either(known)} in the only pod"
        raise BadInput(problem, place="pods")
    return counts.pop()


def _still_swiss(sheet: Sheet, history: History, book: Book, options: Options) -> list[str]:
    """What to say where one pod plays its bracket while another has Swiss rounds left."""
    if not any(pod.swiss < len(pod.rounds) for pod in sheet.pods):
        return []
    said = []
    for part in parts(history, book, options):
        inside = members(part, history)
        for number, pod in enumerate(sheet.pods, start=1):
            if inside & set(pod.players) and part.rounds is not None and pod.swiss < part.rounds:
                those = f"Pod {number} has {pod.swiss} of {part.rounds} Swiss rounds"
                said.append(f"{those} while another plays its bracket: no Swiss round can be added any more.")
    return said
