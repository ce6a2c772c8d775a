"""The words of the event file's JSON Schema: what each key means, and what it may look like.

The empty key is the whole. An editor shows these to people who write event files by hand or by a program.
"""

from __future__ import annotations

from typing import Any

A_ROUND_NUMBER = "Rounds count from 1, Swiss and elimination rounds together."

WORDS: dict[str, dict[str, str]] = {
    "EventFile": {
        "": "One event: its players, its rounds and its results. JSON in UTF-8; no key stands twice.",
        "topcut": "The version of this format.",
        "name": "What the event is called.",
        "rules": "The id of a ruleset, or the path of a book (.toml) seen from the folder of this file.",
        "players": "Everybody who takes part or took part, each with an id of their own.",
        "rounds": "The first one first. No Swiss round comes after an elimination round.",
        "seed": "Text that lots outside rounds are drawn from.",
        "options": "What the organiser chose; each ruleset refuses what it has no use for.",
    },
    "Player": {
        "": "Somebody who takes part in the event, whether still playing or not.",
        "id": "Any text that is not empty; no other player has it.",
        "name": "What is shown; need not be unique. Without it the id is shown.",
        "division": "One of the ruleset's divisions; any name where it has none.",
        "member": "Their number as a member of the league, for paper.",
        "born": "Year of birth; gives the division where none is written.",
        "entered": f"The first round they take part in; earlier ones are missed. {A_ROUND_NUMBER}",
        "dropped": "The last round they took part in before they left by choice; 0 if none.",
        "cut": "The last round before a cut left them out; they did not drop.",
        "disqualified": "The last round they took part in before they were disqualified.",
        "flight": "The number of their flight.",
        "pod": "The number of the pod in which they draft.",
        "seat": "Their seat in the pod, or on the draft sheet.",
        "seed": "Their rank seed; on every player or on none.",
        "apart": "Labels: players who share one are kept apart where that costs nothing else.",
    },
    "Round": {
        "": "One round. Its number is its place in the list, from 1.",
        "tables": "The tables, byes and assigned losses; nobody sits at two of them.",
        "stage": "The stage it belongs to.",
        "seed": "The seed the round was drawn from.",
        "format": "What was played, in words.",
    },
    "Table": {
        "": "Players who play each other in a round, and at most one result; none: not reported yet.",
        "players": "Ids of players; games and scores follow their order.",
        "table": "Its number or name, for people.",
        "games": "Games won by the first player, won by the second, drawn.",
        "winner": 'The id of the player who won, "draw", or "double_loss"; no games count.',
        "scores": "A score for each player, in the order of players.",
        "winners": "Beside scores: ids of those who won; none if nobody did.",
        "eliminated": "Beside scores: ids of players whose score is 0, whatever is written.",
        "tie_counts": "Beside scores: for each count to break a tie, the number of everybody still level.",
        "win_given_to": "Beside scores: the id of the player to whom those still level gave the win.",
        "bye": "The one player here has a bye.",
        "loss": "The one player here is assigned a loss without an opponent.",
        "intentional": "The draw was agreed on without playing.",
        "why": "Reasons that came with the pairing; they change nothing.",
    },
    "Options": {
        "": "What the organiser chose in the place of what the rules say.",
        "format": "How the event is played.",
        "rounds": "Planned Swiss rounds, not fewer than there are already.",
        "cut": "Players in the elimination rounds.",
        "table": "Which of the ruleset's round tables.",
        "third_place": "Whether the losers of the semi-finals play for third place.",
        "target": "The score that a winner must have reached.",
        "flights": "The number of flights.",
        "mode": "What else is done beside playing.",
        "divisions": "Whether divisions are paired apart, together, or play no part.",
        "pools": "In the place of divisions: which of them play together, pool by pool.",
        "level": "How serious the event is.",
        "by_division": "Options that differ from division to division, under the division's name.",
    },
    "ForDivision": {
        "": "Options that can differ from division to division.",
        "rounds": "Planned Swiss rounds of the division.",
        "cut": "Players of the division in its elimination rounds; 0: it has none.",
        "flights": "The number of flights of the division.",
    },
}

EXAMPLES: dict[str, dict[str, list[Any]]] = {
    "EventFile": {
        "": [
            {
                "topcut": 1,
                "name": "Autumn cup",
                "rules": "house.toml",
                "players": [
                    {"id": "p1", "name": "Ada"},
                    {"id": "p2", "name": "Bo"},
                    {"id": "p3", "entered": 2},
                ],
                "rounds": [{"tables": [{"table": 1, "players": ["p1", "p2"], "games": [2, 1, 0]}]}],
            }
        ],
        "name": ["Autumn cup"],
        "rules": ["house.toml"],
    },
    "Player": {
        "id": ["p1"],
        "name": ["Ada Okafor"],
        "division": ["masters"],
        "born": [1990],
        "entered": [3],
        "dropped": [4, 0],
        "apart": [["Okafor family"]],
    },
    "Round": {"format": ["draft 1", "constructed"]},
    "Table": {
        "players": [["p1", "p2"], ["p1"], ["p1", "p2", "p3"]],
        "table": [14, "QF1"],
        "games": [[2, 1, 0], [1, 1, 1]],
        "winner": ["p1", "draw", "double_loss"],
        "scores": [[24, 10, 23]],
        "winners": [["p1"], []],
        "tie_counts": [[{"p1": 3, "p2": 3}, {"p1": 7, "p2": 5}]],
        "why": [["same points (6)"]],
    },
    "Options": {
        "rounds": [5],
        "cut": [8],
        "target": [20],
        "pools": [[["junior", "senior"], ["masters"]]],
        "by_division": [{"masters": {"rounds": 8, "cut": 8}}],
    },
}
