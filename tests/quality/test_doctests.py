"""Do the examples in docstrings tell the truth?"""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import topcut

MODULES = [
    module.name for module in walk_packages(topcut.__path__, "topcut.") if module.name != "topcut.__main__"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    assert sum(bool(found.examples) for name in MODULES for found in finder.find(import_module(name))) > 10
