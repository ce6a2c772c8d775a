"""Put numbers into words; `topcut.text.messages` does it in every language."""


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "bye"), plural(11, "bye")
    ('1 bye', '11 byes')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
