"""How long is an event, and how is it laid out? What the rules say for a number of players."""

from topcut.rulebook.planning.divisions import DivisionsPlan, plan_divisions
from topcut.rulebook.planning.plan import EventPlan, Wishes, plan

__all__ = ["DivisionsPlan", "EventPlan", "Wishes", "plan", "plan_divisions"]
