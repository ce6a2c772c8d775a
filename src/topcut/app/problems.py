"""Define the errors of use cases that pages and programs share."""

from topcut.errors import TopcutError


class NotHere(TopcutError):
    """The address names something that does not exist, or not for the sender of the request."""


class BadRequest(TopcutError):
    """The request itself cannot be read, such as a header."""


class TooMany(TopcutError):
    """One link, account or player asks for more than its share."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"this is too much at once: try again in {seconds} s")
