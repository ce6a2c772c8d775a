"""How is one of the best pairings drawn so that all of them are equally likely?

What is counted: pairings, as sets of tables. The order of tables, and of the players at a table, are no
part of a pairing, so a draw over anything finer (orders, seatings) is uniform over pairings only where each
pairing comes up in the same number of forms. Everything random comes from one stream of lots, so a seed
gives the same pairing on every machine.

Which way a pairing is drawn follows from its size and from what proved it:

- **Listing** (up to EXHAUSTIVE_SEATS seats): all pairings are listed and one is taken. Exact.
- **Rejection** (group_draw.py, fewer than ORDERS_TO seats): a random order is read off in twos and thrown
  away if a table is not allowed. What is left is uniform among the allowed ones, as each pairing of s seats
  comes up in 2^(s/2) × (s/2)! orders. Exact; but where conflicts are many, no order may come up.
- **Counting** (counting.py): the ways to go on are counted for each set of players that can be left over, and
  tables are drawn by those numbers. Exact, for all cheapest matchings of a sparse graph; given up above
  MOST_SETS sets. Used where rejection fails, in windows, and for a field that was matched as a whole.
- **Switching** (group_draw.py, ORDERS_TO seats and more, if rounds are few for the size): McKay and Wormald's
  method. One order is drawn. Call a table bad if its players have met; all seatings with i bad tables are
  equally likely. A switching takes a bad table a–b and two good ones c–d, e–f, and seats b–c, d–e, f–a, all
  good. It is drawn from a number of choices that is the same for every seating, and refused if it is not
  possible; then accepted with a probability inverse to the number of ways that lead to its result. What is
  accepted is uniform among the seatings with i − 1 bad tables; a refusal begins anew. Exact, in time that
  grows like the size.
- **Mixing** (mixing.py): where cheapest pairings cannot be counted, one is found and changed at random
  many times without changing its cost. Every change is as likely as its reverse, so in the long run all
  pairings that changes lead to are equally likely. Approximate, and said to be.

Score groups that a table across joins are drawn independently, and all again if that table is not allowed
(large_field.py): rejection once more, so exact. A guest's seat stands for the other end of such a table.
Guests sit with players only.
"""
