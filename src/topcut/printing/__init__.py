"""What is printed? Pairings, slips, standings, charts, cards, brackets and lists, as PDF."""
