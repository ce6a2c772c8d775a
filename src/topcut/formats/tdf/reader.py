"""Convert a .tdf file to an event file, with a sentence for each thing that is decided on the way.

Every pod numbers its rounds from 1 and goes on with its elimination rounds. In an event file a round has
one stage for everybody: Swiss rounds stand beside each other from the first on, elimination rounds after
the longest Swiss part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace as with_fields

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.tdf import document
from topcut.formats.tdf.document import TdfFile, TdfPlayer, TdfPod
from topcut.history import History, Player, Round, Table, build_history
from topcut.history.divisions import division_of_birth_year
from topcut.history.parts import split_into_parts
from topcut.rulebook import Book
from topcut.rulebook.options import ForDivision, Options
from topcut.rulebook.planning.plan import find_bracket_size, order_rank_seeds
from topcut.text.messages import list_and, list_or, say

MODES = ("TCG1DAY", "LEAGUECHALLENGE", "PRERELEASE", "CUSTOM", "VGCPREMIER")


def convert_to_event_file(
    tdf: TdfFile, book: Book, tables: Mapping[str, str | None]
) -> tuple[EventFile, list[str]]:
    """Return the event of a file and what to say about it. `tables`: kind of game to round table."""
    longest = max((pod.swiss for pod in tdf.pods), default=0)
    divisions, notes = _find_divisions(tdf, book)
    home = {player_id: pod for pod in tdf.pods for player_id in pod.players}
    players = tuple(
        _convert_player(entry, home.get(entry.id), divisions[entry.id], longest, bool(tdf.pods))
        for entry in tdf.players
    )
    rounds = tuple(_convert_rounds(tdf, longest, divisions))
    file = EventFile(topcut=1, name=tdf.name or "(no name)", rules=book.id, players=players, rounds=rounds)
    options, said = _find_options(tdf, file, book, tables[tdf.game])
    if options.flights:
        groups = [numbered for pod in tdf.pods for numbered in enumerate(pod.subgroups, start=1)]
        flights = {player_id: n for n, group in groups for player_id in group}
        file = replace(file, players=tuple(replace(p, flight=flights.get(p.id)) for p in players))
    if tdf.mode not in MODES:
        notes.append(say('The mode "{mode}" is unknown. It changes nothing here.', mode=tdf.mode))
    if not re.fullmatch(r"1\.\d+", tdf.version):
        note = say(
            'Version "{version}" is unknown (expected 1.7 to 1.86). The file is read like those.',
            version=tdf.version,
        )
        notes.append(note)
    outside = [player.shown_name for player in players if tdf.pods and player.id not in home]
    if outside:
        notes.append(say("{players}: in no pod, and so in no round.", players=list_and(outside)))
    return replace(file, options=options), notes + said


def _find_divisions(tdf: TdfFile, book: Book) -> tuple[dict[str, str | None], list[str]]:
    """Return everybody's division: as the final places have it, else the pod's, else by year of birth."""
    names = document.list_divisions(book)
    placed = {player_id: number for number, ids in tdf.places.items() for player_id in ids}
    placed |= {player_id: number for player_id, (number, _) in tdf.unfinished.items()}
    pods = {player_id: pod for pod in tdf.pods for player_id in pod.players}
    found: dict[str, str | None] = {}
    unborn, moved = [], []
    for entry in tdf.players:
        pod = pods.get(entry.id)
        born = entry.birth_year
        own = division_of_birth_year(born, book, tdf.start) if born is not None else None
        if entry.id in placed:
            number: int | None = placed[entry.id]
            if pod is not None and number not in pod.divisions:
                problem = say(
                    "has a place in category {category}, but plays in a pod of category {other}",
                    category=placed[entry.id],
                    other=pod.category,
                )
                raise BadInput(problem, place=say("player {number}", number=entry.id))
        elif pod is None:
            number = None if own is None else names.index(own)
        elif len(pod.divisions) == 1 or own is None:
            number = pod.divisions[-1]
        else:
            number = min(max(names.index(own), pod.divisions[0]), pod.divisions[-1])
            if names[number] != own:
                player = entry.name or entry.id
                move = say(
                    "{player} ({own}) as {division}", player=player, own=own or "", division=names[number]
                )
                moved.append(move)
        if born is None:
            unborn.append(entry.name or entry.id)
        found[entry.id] = None if number is None else names[number]
    notes: list[str] = []
    if unborn:
        notes.append(say("{players}: no date of birth.", players=list_and(unborn)))
    if moved:
        notes.append(say("Counted in a division of their pod: {players}.", players=list_and(moved)))
    if tdf.start is None:
        notes.append(say("There is no start date, so birth years count as in the season of the ruleset."))
    return found, notes


def _convert_player(
    entry: TdfPlayer, pod: TdfPod | None, division: str | None, longest: int, begun: bool
) -> Player:
    """Return a player, with rounds as the event numbers them."""
    seated = pod is not None and any(entry.id in a_round.outcomes for a_round in pod.rounds)
    if entry.dropped is not None and entry.dropped <= 1 and not seated:
        entry = with_fields(entry, dropped=0)  # before round 1 was paired, whichever number the file has
    player = Player(
        id=entry.id,
        name=entry.name,
        division=division,
        member=entry.id,
        born=entry.birth_year,
        dropped=entry.dropped,
    )
    if pod is None:
        return replace(player, dropped=0) if begun else player

    def number(own: int) -> int:
        return own if own <= pod.swiss else longest + own - pod.swiss

    outcomes = [a_round.outcomes.get(entry.id) for a_round in pod.rounds]
    late = next((n for n, code in enumerate(outcomes) if code != document.LATE), len(outcomes))
    first = next((n for n, code in enumerate(outcomes, 1) if code not in (None, document.LATE)), None)
    if late:  # they were there from the next round on, whether they sat somewhere in it or not
        first = late + 1
    elif first is None:
        first = 1 if entry.dropped is not None else pod.swiss + 1
    on = entry.seed is not None or any(code is not None for code in outcomes[pod.swiss :])
    out = pod.eliminating and not on
    dropped = None if entry.dropped is None else number(entry.dropped)
    return replace(
        player,
        entered=min(first, pod.swiss + 1) if dropped is None else min(first, dropped + 1),
        dropped=dropped,
        cut=pod.swiss if out and entry.dropped is None and first <= pod.swiss else None,
    )


def _convert_rounds(tdf: TdfFile, longest: int, divisions: Mapping[str, str | None]) -> list[Round]:
    seeds = {entry.id: entry.seed for entry in tdf.players}
    most = max((len(pod.rounds) - pod.swiss for pod in tdf.pods), default=0)
    found: list[list[Table]] = [[] for _ in range(longest + most)]
    for pod in tdf.pods:
        for own, a_round in enumerate(pod.rounds):
            at = own if own < pod.swiss else longest + own - pod.swiss
            tables = [document.convert_match(match) for match in a_round.matches]
            found[at] += _sort_by_seed(tables, seeds, divisions) if own == pod.swiss else tables
    return [
        Round(
            tables=tuple(sorted(tables, key=lambda table: len(table.players) == 1)),
            stage="swiss" if at < longest else "elimination",
        )
        for at, tables in enumerate(found)
    ]


def _sort_by_seed(
    tables: list[Table], seeds: Mapping[str, int | None], divisions: Mapping[str, str | None]
) -> list[Table]:
    """Return the first round of a bracket from the top, the better seed first, where all are known."""
    apart: dict[frozenset[str | None], list[Table]] = {}
    for table in tables:
        apart.setdefault(frozenset(divisions[player_id] for player_id in table.players), []).append(table)
    found: list[Table] = []
    for bracket in apart.values():
        numbers = {player_id: seeds[player_id] or 0 for table in bracket for player_id in table.players}
        if sorted(numbers.values()) != list(range(1, len(numbers) + 1)):
            found += bracket
            continue
        order = order_rank_seeds(find_bracket_size(len(numbers)))
        better = [replace(t, players=tuple(sorted(t.players, key=numbers.__getitem__))) for t in bracket]
        found += sorted(better, key=lambda table: order.index(numbers[table.players[0]]))
    return found


def _find_options(tdf: TdfFile, file: EventFile, book: Book, table: str | None) -> tuple[Options, list[str]]:
    """Return the options and what there is to say about them; `file` has players and rounds."""
    names = document.list_divisions(book)
    options = Options(table=table, third_place=tdf.third_place or None, flights=_find_flights(tdf, book))
    own: dict[str, ForDivision] = {}
    present = {player.division for player in file.players}
    here = [name for name in names if name in present]
    if tdf.cuts or any(pod.eliminating for pod in tdf.pods):
        options, own = _find_cuts(tdf, file, options, here, names)
    history = build_history(file.players, file.rounds, book, doubts=[])
    options = _add_pools(tdf, history, book, options, names)
    planned = _find_planned_rounds(tdf, history, book, replace(options, by_division=own or None))
    rounds = set(planned.values())
    if len(rounds) == 1:
        options = replace(options, rounds=rounds.pop())
    else:
        own |= {name: replace(own.get(name, ForDivision()), rounds=n) for name, n in planned.items()}
    said = {name: one for name, one in own.items() if one != ForDivision()}
    options = replace(options, by_division=said or None)
    return options, _warn_of_swiss(tdf, history, book, options)


def _find_cuts(
    tdf: TdfFile, file: EventFile, options: Options, here: list[str], names: list[str]
) -> tuple[Options, dict[str, ForDivision]]:
    """Return the cut of every division that has players; of all together where a bracket mixes them."""
    division = {player.id: player.division for player in file.players}
    brackets = [pod.rounds[pod.swiss :] for pod in tdf.pods if pod.eliminating]
    matches = [match for bracket in brackets for a_round in bracket for match in a_round.matches]
    mixed = any(len({division[player_id] for player_id in match.players}) > 1 for match in matches)
    if mixed and len(tdf.pods) == 1:
        seated = sum(len(match.players) for match in brackets[0][0].matches)
        cut = 1 << (seated - 1).bit_length()
        return replace(options, format="swiss+elimination", cut=cut), {}
    cuts = {name: tdf.cuts.get(names.index(name), 0) for name in here}
    if not any(cuts.values()) and not brackets:
        return replace(options, format="swiss"), {}
    options = replace(options, format="swiss+elimination")
    if len(here) == 1:
        return replace(options, cut=cuts[here[0]] or None), {}
    return options, {name: ForDivision(cut=cut) for name, cut in cuts.items()}


def _add_pools(tdf: TdfFile, history: History, book: Book, options: Options, names: list[str]) -> Options:
    """Add who plays together, where it is not what the rules have anyway."""
    pods = [pod for pod in tdf.pods if pod.players]
    together = [tuple(names[i] for i in pod.divisions) for pod in pods]
    if not pods or (len(pods) == 1 and len(split_into_parts(history, book, options)) == 1):
        return options
    taken = [name for pool in together for name in pool]
    if len(taken) != len(set(taken)):
        twice = list_and(sorted({name for name in taken if taken.count(name) > 1}))
        problem = say("{divisions} in several pods: expected each division in one", divisions=twice)
        raise BadInput(problem, place="pods")
    left = [(name,) for name in names if name not in taken]
    pools = sorted([*together, *left], key=lambda pool: names.index(pool[0]))
    return replace(options, pools=tuple(pools))


def _find_planned_rounds(
    tdf: TdfFile, history: History, book: Book, options: Options
) -> Mapping[str, int | None]:
    """Return the Swiss rounds of each division, as far as the rules do not say the same."""
    found: dict[str, int | None] = {}
    for part in split_into_parts(history, book, options):
        members = [history.players[i] for i in part.members]
        pod = next((pod for pod in tdf.pods if {p.id for p in members} & set(pod.players)), None)
        played = pod.swiss if pod else 0
        number = played if pod and _is_swiss_over(tdf, pod) else None
        if number is None and part.recommended is not None:
            asked = part.recommended - tdf.less_swiss + (pod.additional if pod else 0)
            number = max(asked, played, 1)
            number = None if number == part.recommended else number
        found |= {player.division: number for player in members if player.division is not None}
    return found


def _is_swiss_over(tdf: TdfFile, pod: TdfPod) -> bool:
    """Return whether all Swiss rounds of a pod are there."""
    last = pod.rounds[-1].stage if pod.rounds else 0
    over = tdf.stage == document.FINISHED or pod.stage != 0 or last == document.LAST or pod.eliminating
    return bool(pod.swiss) and over


def _find_flights(tdf: TdfFile, book: Book) -> int | None:
    """Return the number of flights, where the players of a pod are in several subgroups."""
    counts = {len([group for group in pod.subgroups if group]) for pod in tdf.pods} - {0, 1}
    if not counts:
        return None
    known = book.flights.counts if book.flights else ()
    if len(counts) > 1 or len(tdf.pods) > 1 or min(counts) not in known:
        problem = say(
            "{found} subgroups: expected none, or {expected} in the only pod",
            found=list_and(sorted(counts)),
            expected=list_or(known),
        )
        raise BadInput(problem, place="pods")
    return counts.pop()


def _warn_of_swiss(tdf: TdfFile, history: History, book: Book, options: Options) -> list[str]:
    """Return what to say where one pod plays its bracket while another has Swiss rounds left."""
    if not any(pod.eliminating for pod in tdf.pods):
        return []
    said: list[str] = []
    for part in split_into_parts(history, book, options):
        inside = {history.players[i].id for i in part.members}
        for number, pod in enumerate(tdf.pods, start=1):
            if inside & set(pod.players) and part.rounds is not None and pod.swiss < part.rounds:
                warning = say(
                    "Pod {pod} has {played} of {planned} Swiss rounds while another pod plays its bracket."
                    " You can't add Swiss rounds any more.",
                    pod=number,
                    played=pod.swiss,
                    planned=part.rounds,
                )
                said.append(warning)
    return said
