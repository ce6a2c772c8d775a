"""The browser of the desk's tests."""

from tests.desk.conftest import browser

__all__ = ["browser"]
