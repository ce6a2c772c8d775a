"""Find the cheapest way to give everyone a partner, and prove it, or that there is no way at all.

Edmonds' algorithm. Vertices have potentials and blossoms, which are odd sets of vertices, have weights, so
that no edge costs less than the potentials of its ends and the weights of the blossoms it leaves. A perfect
matching leaves every blossom, so all of them together are a bound on its cost.

One unmatched vertex after another is made the root of a tree of tight edges, those that cost just as much.
Every second edge on a way from the root is matched; nodes at even steps are outer, at odd steps inner.
Raising the outer and lowering the inner ones raises the bound, until an edge becomes tight or an inner
blossom has no weight left: the tree takes in a pair, or closes an odd cycle, which becomes a blossom, or
opens a blossom, or finds an unmatched vertex. Costs are doubled so that all numbers stay whole: tight edges
make the heights of a tree's vertices all even or all odd, so what is missing between two can be halved.

n vertices need at most n/2 trees of O(n) steps, each on vectors of length n; to close a blossom of k
vertices takes k × n. That is O(n⁴) where blossoms are nested deeply, and far less in practice.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Costs = NDArray[Any]
"""Square and symmetric, int64 or Python's whole numbers; the diagonal does not matter."""
Edge = tuple[int, int]

NEVER = -1
"""In the place of a cost: these two cannot be matched. All other costs are ≥ 0."""
NOBODY = -1
OUTER, FREE, INNER = 1, 0, -1
ROOM = 64
"""Heights and times are sums and differences of costs along a few ways of at most n edges, which come to
less than ROOM × (n + 1) × the highest cost."""


@dataclass(frozen=True)
class OddSet:
    members: tuple[int, ...]
    weight: int


@dataclass(frozen=True)
class Matching:
    """A cheapest perfect matching and its proof, which counts in halves of the unit of cost.

    For all u, v that can be matched: the potentials of both and the weights of the odd sets that hold
    just one of them make at most 2 × their cost. All potentials and weights make 2 × `cost`.
    """

    mate: tuple[int, ...]
    cost: int
    potentials: tuple[int, ...]
    odd_sets: tuple[OddSet, ...]

    @property
    def proof(self) -> dict[str, object]:
        """The dual solution as documents hold it."""
        sets = [{"members": list(s.members), "weight": s.weight} for s in self.odd_sets]
        return {"potentials": list(self.potentials), "odd_sets": sets, "bound": self.cost}


@dataclass(frozen=True)
class Unmatchable:
    """No perfect matching exists: without `removed`, there are more odd components than it has members."""

    removed: tuple[int, ...]
    components: tuple[tuple[int, ...], ...]


def match_cheapest(costs: Costs) -> Matching | Unmatchable:
    """Return a perfect matching of the least cost.

    >>> match_cheapest(np.array([[0, 1, 5, 9], [1, 0, 9, 5], [5, 9, 0, 2], [9, 5, 2, 0]]))
    Matching(mate=(1, 0, 3, 2), cost=3, potentials=(1, 1, 2, 2), odd_sets=())
    """
    search = _Search(costs)
    for root in range(len(costs)):
        if search.mate[root] == NOBODY and not search.match(root):
            return search.find_obstacle()
    return search.build_matching()


def find_tight_edges(costs: Costs, matching: Matching) -> list[Edge]:
    """Return the edges u < v that cost just what the proof says: every cheapest matching uses only these."""
    numbers = [*map(abs, matching.potentials), *(odd_set.weight for odd_set in matching.odd_sets)]
    slack, _ = _double(costs, plus=sum(numbers))
    potentials = np.array(matching.potentials, slack.dtype)
    slack -= potentials[:, None] + potentials
    for odd_set in matching.odd_sets:
        inside = np.isin(np.arange(len(costs)), odd_set.members)
        slack[inside[:, None] != inside] -= odd_set.weight
    us, vs = np.nonzero(np.triu(slack == 0, 1))
    return list(zip(us.tolist(), vs.tolist(), strict=True))


def _double(costs: Costs, times: int = 1, plus: int = 0) -> tuple[Costs, int]:
    """Return twice the costs, and a limit to what they may come to by sums; `NEVER` becomes 4 × that."""
    costs = costs.copy()
    np.fill_diagonal(costs, NEVER)
    limit = times * (int(costs.max(initial=0)) + 1) + plus
    costs = costs.astype(np.int64 if limit < 2**59 else object)
    return np.where(costs < 0, 4 * limit, 2 * costs), limit


@dataclass(eq=False, slots=True)
class _Node:
    """A vertex, or a blossom: an odd cycle of nodes, which can be matched to others like one vertex."""

    members: Ints
    base: int  # the member whose mate is not inside
    weight: int  # of a vertex its potential; without what the clock adds
    sign: int = FREE
    children: "list[_Node]" = field(default_factory=list)  # around the cycle from that of the base
    links: list[Edge] = field(default_factory=list)  # from each child to the next
    entry: Edge = (NOBODY, NOBODY)  # the edge by which the tree came to an inner node


class _Search:
    """The matching so far, and the tree of one unmatched vertex.

    The clock says how far the outer nodes have been raised, and the inner ones lowered, since the tree
    began. The height of a vertex, which is `ground + sign × clock`, is its potential and the weights of
    all blossoms around it. An edge between two nodes is tight when the heights of its ends make up its
    cost: the time for that is known as soon as one of them is outer.
    """

    def __init__(self, costs: Costs) -> None:
        size = len(costs)
        self.costs, self.limit = _double(costs, ROOM * (size + 1))
        self.mate = [NOBODY] * size
        self.unmatched = np.ones(size, np.int64)
        self.ground = self.costs.min(axis=1, initial=4 * self.limit) // 2
        self.ground[self.ground > self.limit] = 0
        for v in range(size):
            self._begin(v)
        self.vertices = [_Node(np.array([v]), v, int(self.ground[v])) for v in range(size)]
        self.node = list(self.vertices)  # the outermost of each vertex
        self.clock = 0
        self.sign = np.zeros_like(self.ground)
        self.near = np.zeros_like(self.ground)  # least cost − ground among outer vertices of other nodes
        self.near_from = np.zeros(size, np.int64)
        self.fading: list[_Node] = []  # the inner blossoms, and some that were

    def _begin(self, v: int) -> None:
        """Raise a vertex until an edge is tight, and match it if that is enough."""
        slack = self.costs[v] - self.ground - self.ground[v]
        least = slack.min()
        if least < self.limit:
            self.ground[v] += least
            mate = int((slack - self.unmatched).argmin())
            if self.unmatched[v] and self.unmatched[mate] and slack[mate] == least:
                self._marry(v, mate)

    def match(self, root: int) -> bool:
        """Find a mate for the root, if need be by giving new ones to others; return whether one is found."""
        self.clock, self.fading = 0, []
        self.near[:] = 4 * self.limit
        self._turn(self.node[root], OUTER)
        while True:
            # Twice the time, as two outer nodes approach twice as fast; an unmatched vertex comes first.
            due = (self.near - self.ground) * (2 - self.sign) - self.unmatched
            due[self.sign == INNER] = 4 * self.limit
            v = int(due.argmin())
            time = (int(due[v]) + 1) // 2
            fading = (node for node in self.fading if node.sign == INNER)
            blossom = min(fading, key=lambda node: node.weight, default=None)
            self.clock = time if blossom is None else min(time, blossom.weight)
            u, node = int(self.near_from[v]), self.node[v]
            if blossom is not None and blossom.weight == self.clock:
                self._open(blossom)
            elif time > self.limit:
                return False
            elif node.sign == OUTER:
                self._close(u, v)
            elif self.mate[node.base] == NOBODY:
                self._augment(u, v)
                return True
            else:
                node.entry = u, v
                self._turn(node, INNER)
                self._turn(self.node[self.mate[node.base]], OUTER)

    def _turn(self, node: _Node, sign: int) -> None:
        """Make a node outer, inner or free from now on."""
        change = (node.sign - sign) * self.clock
        node.weight += change
        node.sign = sign
        self.ground[node.members] += change
        self.sign[node.members] = sign
        if sign == OUTER:
            others = np.ones(len(self.node), np.bool_)
            others[node.members] = False
            self._look(node.members, np.flatnonzero(others))
        elif sign == INNER and node.children:
            self.fading.append(node)

    def _look(self, outer: Ints, others: Ints) -> None:
        """Note where these outer vertices are nearer to the others than those known so far."""
        if len(outer):
            distance = self.costs[outer[:, None], others] - self.ground[outer, None]
            least = distance.min(axis=0)
            nearer = least < self.near[others]
            self.near[others[nearer]] = least[nearer]
            self.near_from[others[nearer]] = outer[distance[:, nearer].argmin(axis=0)]

    def _close(self, u: int, v: int) -> None:
        """Make a blossom of the cycle that an edge between two outer nodes closes."""
        left, right = self._list_ancestors(u), self._list_ancestors(v)
        shared = sum(a is b for (a, _), (b, _) in zip(reversed(left), reversed(right), strict=False))
        top, down, up = left[-shared][0], left[:-shared][::-1], right[:-shared]
        children = [top, *(node for node, _ in down + up)]
        links = [*((above, below) for _, (below, above) in down), (u, v), *(edge for _, edge in up)]
        members = np.concatenate([child.members for child in children])
        blossom = _Node(members, top.base, -self.clock, OUTER, children, links)
        for child in children:
            if child.sign == INNER:
                self._turn(child, OUTER)
            child.weight += self.clock
            child.sign = FREE
        for member in members.tolist():
            self.node[member] = blossom
        # The nearest may be in the same blossom now: look again.
        others = self.sign == OUTER
        others[members] = False
        self.near[members] = 4 * self.limit
        self._look(np.flatnonzero(others), members)

    def _list_ancestors(self, v: int) -> list[tuple[_Node, Edge]]:
        """Return the nodes from a vertex to the root, each with the edge that leads on."""
        way = []
        while v != NOBODY:
            node = self.node[v]
            v, below = node.entry if node.sign == INNER else (self.mate[node.base], node.base)
            way.append((node, (below, v)))
        return way

    def _open(self, blossom: _Node) -> None:
        """Put the children in the place of an inner blossom: those on the even way from entry to base."""
        self._turn(blossom, FREE)
        children, links = blossom.children, blossom.links
        for child in children:
            for member in child.members.tolist():
                self.node[member] = child
        at = children.index(self.node[blossom.entry[1]])
        if at % 2:
            way, entries = children[at:] + children[:1], links[at:]
        else:
            way, entries = children[at::-1], [(b, a) for a, b in reversed(links[:at])]
        for step, child in enumerate(way):
            child.entry = entries[step - 1] if step else blossom.entry
            self._turn(child, OUTER if step % 2 else INNER)

    def _augment(self, u: int, v: int) -> None:
        """Match u in the tree with v, and others anew up to the root. The tree is done with."""
        while u != NOBODY:
            node = self.node[u]
            left = self.mate[node.base]
            self._rebase(node, u)
            self._rebase(self.node[v], v)
            self._marry(u, v)
            u, v = self.node[left].entry if left != NOBODY else (NOBODY, NOBODY)
        for node in dict.fromkeys(self.node):
            if node.sign != FREE:
                self._turn(node, FREE)

    def _rebase(self, node: _Node, base: int) -> None:
        """Match the members of a node among themselves so that this one is left over."""
        todo = [(node, base)]
        while todo:
            node, base = todo.pop()
            if node.base == base:
                continue
            at = next(i for i, child in enumerate(node.children) if base in child.members)
            node.base = base
            node.children = node.children[at:] + node.children[:at]
            node.links = node.links[at:] + node.links[:at]
            todo.append((node.children[0], base))
            for i in range(1, len(node.children), 2):
                self._marry(*node.links[i])
                todo += zip(node.children[i : i + 2], node.links[i], strict=True)

    def _marry(self, u: int, v: int) -> None:
        self.mate[u], self.mate[v] = v, u
        self.unmatched[u] = self.unmatched[v] = 0

    def find_obstacle(self) -> Unmatchable:
        """Return the tree that cannot grow: outer nodes have edges only to inner ones, and are one more."""
        nodes = dict.fromkeys(self.node)
        removed = [node.base for node in nodes if node.sign == INNER]
        components = [tuple(sorted(node.members.tolist())) for node in nodes if node.sign == OUTER]
        return Unmatchable(tuple(removed), tuple(components))

    def build_matching(self) -> Matching:
        cost = sum(int(self.costs[u, v]) for u, v in enumerate(self.mate)) // 4
        potentials = tuple(vertex.weight for vertex in self.vertices)
        nodes = list(dict.fromkeys(self.node))
        for node in nodes:  # which grows on the way
            nodes += node.children
        blossoms = [node for node in nodes if node.children and node.weight]
        odd_sets = [OddSet(tuple(sorted(node.members.tolist())), node.weight) for node in blossoms]
        return Matching(tuple(self.mate), cost, potentials, tuple(odd_sets))
