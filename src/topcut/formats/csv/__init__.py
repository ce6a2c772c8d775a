"""Lists, as spreadsheets and people have them: players, pairings, standings, results."""
