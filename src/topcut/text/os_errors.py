"""Say what the system answered, in the language in use: its own words follow the machine's settings."""

import errno

from topcut.text.messages import Message, say, to_message

_MEANINGS = {
    errno.ENOENT: say("No such file or directory"),
    errno.EACCES: say("Permission denied"),
    errno.EPERM: say("Operation not permitted"),
    errno.EEXIST: say("File exists"),
    errno.EISDIR: say("Is a directory"),
    errno.ENOTDIR: say("Not a directory"),
    errno.ENOSPC: say("No space left on device"),
    errno.EROFS: say("Read-only file system"),
    errno.ENAMETOOLONG: say("File name too long"),
    errno.EADDRINUSE: say("Address already in use"),
    errno.EADDRNOTAVAIL: say("Cannot assign requested address"),
}
"""The errors that people meet, in the words of Linux."""


def describe_os_error(error: OSError) -> Message:
    """Return why a file or an address could not be used.

    >>> describe_os_error(FileNotFoundError(2, "ENOENT"))
    'No such file or directory'
    """
    if isinstance(error.strerror, Message):
        return error.strerror
    return _MEANINGS.get(error.errno or 0) or to_message(error.strerror or "")
