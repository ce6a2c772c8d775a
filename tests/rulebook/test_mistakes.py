"""Is a mistake in a book found, and named in one line?"""

from pathlib import Path

import pytest

from tests.rulebook.small_book import HOUSE, written
from topcut.errors import BadInput
from topcut.rulebook import load
from topcut.rulebook.loader import LARGEST_BOOK


def mistake(folder: Path, text: str, readings: dict[str, str] | None = None) -> str:
    with pytest.raises(BadInput) as found:
        load(written(folder, text), readings, folder=folder)
    return str(found.value)


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("best_of = 3", "best_off = 3", "match.best_off: unknown key; is it misspelt?"),
        ("best_of = 3", 'best_of = "3"', "match.best_of: expected a whole number, not text"),
        ("best_of = 3", "best_of = 2", "match.best_of: expected an odd number of games"),
        (
            "table_sizes = [2]",
            "table_sizes = [1]",
            "match.table_sizes: expected different sizes of two or more players",
        ),
        (
            "table_sizes = [2]",
            "table_sizes = [4, 3]",
            'match.results: games are counted at tables of two: expected "scores" or "winner"',
        ),
        *(
            ("best_of = 3", f"best_of = 3\n{more}", f"match.{name}: tables report no scores here")
            for name, more in {
                "target": "target = 20",
                "tie_counts": 'tie_counts = ["tokens"]',
                "tie_below_target": "tie_below_target = true",
            }.items()
        ),
        (
            'options = ["rounds", "cut"]',
            'options = ["rounds", "target"]',
            "options[1]: a target is a score: expected results",
        ),
        ('results = "games"', 'results = "scores"\ntarget = 0', "match.target: expected a score from 1"),
        (
            'results = "games"',
            'results = "scores"\ntie_counts = ["tokens", "tokens"]',
            "match.tie_counts: expected different names",
        ),
        (
            'results = "games"',
            'results = "scores"\ntie_counts = [""]',
            "match.tie_counts: expected different names",
        ),
        ('status = "house"', 'status = "mine"', "status: unknown value 'mine'"),
        (
            'options = ["rounds", "cut"]',
            'options = ["rounds", "cuts"]',
            'options[1]: no option is called "cuts"',
        ),
        (
            'draw = "1/2"',
            "draw = 0.5",
            "measures.points.draw: expected a whole number or a fraction in quotes",
        ),
        (
            'draw = "1/2"',
            'draw = "half"',
            "measures.points.draw: expected a whole number or a fraction in quotes",
        ),
        (
            'draw = "1/2"',
            "draw = [1, 2, 3]",
            "measures.points.draw: expected a number, or [earned, possible]",
        ),
        ('kind = "outcomes"', 'kind = "wins"', "measures.points.kind: unknown value 'wins'"),
        ('floor = "1/3"', 'floor = "1/3"\ncap = "1/4"', "chain[1].floor: expected a floor not above the cap"),
        (
            'key = "strength"',
            'key = "points"',
            'chain[1].key: expected a name that no other key has, not "points"',
        ),
        ('key = "strength"', 'key = "lot"', 'chain[1].key: expected a name that no other key has, not "lot"'),
        (
            'measure = "points"\nof',
            'measure = "score"\nof',
            "chain[1].measure: expected a measure, or an earlier key",
        ),
        (
            'of = "opponents"',
            'of = "tablemates"',
            'chain[1].of: expected a measure of kind "scores" for tablemates',
        ),
        ('default_table = "short"', 'default_table = "long"', "plan.default_table: expected short"),
        (
            'formats = ["swiss", "swiss+elimination"]',
            "formats = []",
            "plan.formats: expected at least one format",
        ),
        (
            "rows = [\n  { to = 8",
            "rows = [\n  { to = 9, rounds = 3 },\n  { to = 8",
            "plan.tables.short.rows: expected rising",
        ),
        (
            "  { rounds = 4, cut = 4 },\n",
            "",
            "plan.tables.short.rows: expected rising values of `to`, and a last row without one",
        ),
        ("{ rounds = 4,", "{ rounds = 4, second_day = 2,", "plan.tables: expected a stage with rounds"),
        ('[cut]\nsource = "line 5"\npower_of_two = true\n', "", "plan.formats: expected a [cut] section"),
        (
            'chosen = "a"',
            'chosen = "c"',
            "measures.points.win: expected a reading of that id under [readings]: HR-A1",
        ),
        (
            'reading = "HR-A1"',
            'reading = "HR-A2"',
            "measures.points.win: expected a reading of that id under [readings]",
        ),
        ('source = "line 3"\nends_in', "ends_in", 'standings: expected the key "source"'),
    ],
)
def test_is_one_line_with_file_line_and_expectation(
    tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    assert HOUSE.count(right) >= 1
    said = mistake(tmp_path, HOUSE.replace(right, wrong, 1))
    file, line, rest = said.split(":", 2)
    assert file == "house.toml"
    assert rest.strip().startswith(says)
    assert "\n" not in said
    assert 1 <= int(line) <= HOUSE.count("\n") + 2


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("best_of = 3", "best_of = 2"),
        ('key = "strength"', 'key = "points"'),
        ('draw = "1/2"', "draw = 0.5"),
        ('default_table = "short"', 'default_table = "long"'),
        ("power_of_two = true", "power_of_two = 1"),
        ("win = { reading", "win = { readings"),
        ('edition = "first"', 'editions = "first"'),
    ],
)
def test_the_line_is_where_the_mistake_stands(tmp_path: Path, right: str, wrong: str) -> None:
    before, _, after = HOUSE.partition(right)
    said = mistake(tmp_path, before + wrong + after)
    assert said.startswith(f"house.toml:{before.count(chr(10)) + 1}: ")


def test_not_toml(tmp_path: Path) -> None:
    assert mistake(tmp_path, 'id = "house"\ntitle = \n') == "house.toml:2: not valid TOML: Invalid value"


def test_nested_too_deeply(tmp_path: Path) -> None:
    assert mistake(tmp_path, f"id = {'[' * 5_000}") == "house.toml: nested too deeply for a book"


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match=r"^house\.toml: expected text in UTF-8$"):
        load("house.toml", folder=tmp_path)


def test_too_large(tmp_path: Path) -> None:
    said = mistake(tmp_path, "#" * (LARGEST_BOOK + 1))
    assert said == "house.toml: too large for a book: expected at most 1,000,000 bytes"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^house\.toml: cannot read this book: No such file or directory$"):
        load("house.toml", folder=tmp_path)


def test_no_such_ruleset(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r'^no ruleset "hous": expected one of .*, or the path of a \.toml file$'
    ):
        load("hous", folder=tmp_path)


@pytest.mark.parametrize(
    ("readings", "says"),
    [
        ({"HR-A1": "z"}, 'no reading "z" of HR-A1: expected a, b'),
        ({"HR-A9": "a"}, 'no reading "a" of HR-A9: this book has HR-A1'),
    ],
)
def test_no_such_reading(tmp_path: Path, readings: dict[str, str], says: str) -> None:
    assert mistake(tmp_path, HOUSE, readings).endswith(says)


def test_a_wrong_choice_of_the_book(tmp_path: Path) -> None:
    text = HOUSE + '[choose]\nHR-A1 = "z"\n'
    line = text.count("\n")
    expected = f'house.toml:{line}: choose.HR-A1: no reading "z" of HR-A1: expected a, b'
    assert mistake(tmp_path, text) == expected
    assert 'choose.HR-A1: no reading "{}" of HR-A1' in mistake(tmp_path, text.replace('"z"', "{}"))


def test_a_book_based_on_itself(tmp_path: Path) -> None:
    said = mistake(tmp_path, 'id = "house"\nbase = "house.toml"\n')
    assert said == "house.toml: this book is based on itself"
    written(tmp_path, 'id = "b"\nbase = "house.toml"\n', "b.toml")
    said = mistake(tmp_path, 'id = "house"\nbase = "b.toml"\n')
    assert said == "house.toml: this book is based on itself"


def test_a_based_book_has_an_id_of_its_own(tmp_path: Path) -> None:
    said = mistake(tmp_path, '# mine\nbase = "mtr"\n')
    assert said == "house.toml:2: base: a book with a base needs an id of its own"
    said = mistake(tmp_path, 'id = "mtr"\nbase = "mtr"\n')
    assert said == "house.toml:1: id: expected an id of its own, not that of mtr"


def test_a_base_that_is_no_name(tmp_path: Path) -> None:
    assert mistake(tmp_path, "base = 3\n") == "house.toml:1: base: expected the id or the path of a book"


def test_a_mistake_in_the_base_is_looked_for_there(tmp_path: Path) -> None:
    written(tmp_path, HOUSE.replace("best_of = 3", "best_of = 2"), "base.toml")
    said = mistake(tmp_path, 'id = "mine"\nbase = "base.toml"\n')
    assert said == "base.toml:12: match.best_of: expected an odd number of games"


@pytest.mark.parametrize(
    ("section", "says"),
    [
        (
            "[tables]\nsource = 'x'\nrecommended_from = 3\nfewer = 'warned'",
            "match.table_sizes: expected two sizes of three or more players",
        ),
        (
            "[flights]\nsource = 'x'\ncounts = [1]\ndivision_from = 2\nflight_from = 1\nformats = ['swiss']\n"
            "per_flight_from = 1\nsizes = 'closest'\nrounds = 'largest flight'",
            "flights.counts: expected numbers of flights",
        ),
        (
            "[divisions]\nsource = 'x'\nlist = []\nseparate_from = 6\nempty = 'ignored'\nmerge = 'all'",
            "divisions.list: expected at least one division",
        ),
    ],
)
def test_sections_that_do_not_fit(tmp_path: Path, section: str, says: str) -> None:
    assert says in mistake(tmp_path, f"{HOUSE}\n{section}\n")
