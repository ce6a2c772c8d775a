"""Write messages into JSON and read them: with their templates, or as text in one language."""

from typing import Any

import msgspec

from topcut.text.messages import Message, message_from_json

LONGEST = 10_000
"""Letters of a text, at most."""
_KINDS = {
    bool: "bool",
    int: "int",
    float: "float",
    list: "array",
    dict: "object",
    type(None): "null",
}
"""What decoders call the kinds of values in JSON."""


def write_json(value: object) -> bytes:
    """Return a value as JSON, with messages in the language in use."""
    return msgspec.json.encode(value, enc_hook=encode_rendered)


def to_plain(value: object) -> Any:
    """Return a value as dicts, lists and plain values, with messages in the language in use."""
    return msgspec.to_builtins(value, str_keys=True, enc_hook=encode_rendered)


def encode_message(value: object) -> Any:
    """Write messages into JSON with their templates and fields: a hook for encoders."""
    if isinstance(value, Message):
        return value.to_json()
    raise TypeError(f"not for JSON: {type(value).__name__}")


def encode_rendered(value: object) -> str:
    """Write messages into JSON in the language in use: a hook for encoders."""
    if isinstance(value, Message):
        return value.render()
    raise TypeError(f"not for JSON: {type(value).__name__}")


def encode_in_english(value: object) -> str:
    """Write messages into JSON in English: a hook for encoders."""
    if isinstance(value, Message):
        return value.in_english()
    raise TypeError(f"not for JSON: {type(value).__name__}")


def decode_message(kind: type, found: Any) -> Any:
    """Read messages from JSON, with or without templates: a hook for decoders."""
    if issubclass(kind, Message):
        return message_from_json(found)
    raise NotImplementedError


def decode_text(kind: type, found: Any) -> Any:
    """Read messages from JSON that holds text: a hook for decoders."""
    if not issubclass(kind, Message):
        raise NotImplementedError
    if not isinstance(found, str):
        raise ValueError(f"Expected `str`, got `{_KINDS[type(found)]}`")
    if len(found) > LONGEST:
        raise ValueError(f"Expected `str` of length <= {LONGEST}")
    return message_from_json(found)
