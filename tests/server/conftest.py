"""A server for each test, as for tests of pages."""

from tests.web.conftest import site

__all__ = ["site"]
