"""What players do by phone, as rules of Hypothesis beside those of the desk."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.event.hypothesis_rules import NUMBER, Machine
from tests.event.reference_model import Round, outcome
from tests.event.reference_model_phones import claim, may_ask, may_claim
from topcut.event import commands as c
from topcut.event import facts as f

ABOUT = st.sampled_from(["points", "result", "drop"])


class WithPhones(Machine):
    """All commands, those of players too."""

    @rule(n=NUMBER, m=NUMBER, number=st.sampled_from([None, None, None, 1, 2, 9, -1]))
    def claim(self, n: int, m: int, number: int | None) -> None:
        """Somebody says something of a table: mostly one at which they sit."""
        self.bring(n, "published" if n % 2 else "started")
        a_round = self.model.round(number)
        keys = [key for key in a_round.tables if isinstance(key, int)] if a_round else []
        table = 99 if n % 11 == 10 or not keys else keys[n % len(keys)]
        players = a_round.tables[table].players if a_round and table in keys else ("p1", "p2")
        player = self.trial.someone(m) if m % 7 == 6 else players[m % len(players)]
        self._claim(a_round, number, table, player, players, n % 3 + 13 * (m % 13 == 12))

    @rule(n=NUMBER, m=NUMBER)
    def whole_table(self, n: int, m: int) -> None:
        """Everybody at a table says how it ended; now and then one of them says something else."""
        self.bring(n, "started")
        a_round = self.model.rounds[-1] if self.model.rounds else None
        waiting = [seats for seats in a_round.tables.values() if seats.result is None] if a_round else []
        if not waiting:
            return
        seats = waiting[n % len(waiting)]
        assert seats.number is not None
        for at, player in enumerate(seats.players):
            other = m % 4 == 3 and at == m % len(seats.players)
            self._claim(a_round, None, seats.number, player, seats.players, m + other)

    def _claim(
        self,
        a_round: Round | None,
        number: int | None,
        table: int,
        player: str,
        players: tuple[str, ...],
        n: int,
    ) -> None:
        elimination = bool(a_round and a_round.stage == "elimination")
        result, quality = outcome(self.model.rules, players, elimination, n)
        verdict = may_claim(self.model, number, table, player, quality)
        command = c.Claim(player=player, table=table, result=result, round=number)
        if not self.do(command, verdict) or a_round is None:
            return
        agreed = claim(a_round, table, player, result)
        made = [type(fact) for fact in self.trial.event.last.facts]
        assert made == ([f.Claimed, f.Reported] if agreed else [f.Claimed])
        self.trial.seen["agreed by phone"] += agreed
        self.trial.seen["agreed by phone: three or more"] += agreed and len(players) > 2
        self.trial.seen["disputed"] += table in self.trial.event.round.disputed

    @rule(n=NUMBER, about=ABOUT, number=st.sampled_from([None, None, 1, 2, 9]))
    def ask(self, n: int, about: f.About, number: int | None) -> None:
        """A question; mostly one that makes sense."""
        if about == "result" and n % 5 and number is None:
            number = max(1, len(self.model.rounds) - n % 2)
        elif about != "result" and n % 5:
            number = None
        player = self.trial.someone(n)
        asked = sum(isinstance(entry.fact, f.Asked) for entry in self.trial.event.log.entries)
        verdict = may_ask(self.model, player, about, number)
        if self.do(c.Ask(player=player, about=about, round=number), verdict):
            self.model.questions.append((asked + 1, player, about, number))

    @rule(n=NUMBER)
    def answer(self, n: int) -> None:
        numbers = [question[0] for question in self.model.questions]
        number = numbers[n % len(numbers)] if numbers and n % 5 else n
        fine = number in numbers and not self.model.finished
        if self.do(c.AnswerQuestion(question=number), "yes" if fine else "no"):
            self.model.questions = [one for one in self.model.questions if one[0] != number]
