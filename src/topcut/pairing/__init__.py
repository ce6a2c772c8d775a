"""Who plays whom in the next round, and why?

`RoundDraw` (round_draw.py) splits the players into pools (pools.py) and draws each: two at a table by
`engine`, more by `multiplayer`, a draft pod by its chart (chart.py). `repair` changes a posted round
as little as can be, and audit.py checks recorded ones. What a pairing costs is declared in engine/costs.py.
"""
