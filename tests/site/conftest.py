"""The browser of the desk's tests."""

from tests.web.conftest import browser

__all__ = ["browser"]
