"""Options of a game: what the owner of a private room may set, with types, ranges and defaults."""

from collections.abc import Mapping
from typing import Any

import msgspec

OptionValue = int | bool | str | tuple[str, ...]


class BadOption(ValueError):
    """An option that the game does not have, or a value that it does not allow; says which and why."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option. Its type is that of its default: whole number, on/off, word, or list of words."""

    name: str
    default: OptionValue
    about: str
    choices: tuple[int | str, ...] = ()  # allowed values, or allowed words of a list; empty: the range
    minimum: int = 0
    maximum: int = 0  # of a number without choices; of a list, its greatest length
    fixed_against_computer: bool = False  # keeps its default at a table against the computer (TBL-5)

    def check(self, value: object) -> OptionValue:
        """Return the value in the option's own type; text from a command line is understood too.

        Raises :class:`BadOption` for any other value.
        """
        if isinstance(self.default, bool):
            return self._switch(value)
        if isinstance(self.default, int):
            return self._number(value)
        if isinstance(self.default, str):
            word = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
            if isinstance(word, str) and word in self.choices:
                return word
            raise self._bad(value)
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list | tuple) or not 0 < len(words) <= self.maximum:
            raise self._bad(value)
        if any(word not in self.choices for word in words):
            raise self._bad(value)
        return tuple(str(word) for word in words)

    def _switch(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        match value:
            case "on" | "true":
                return True
            case "off" | "false":
                return False
        raise self._bad(value)

    def _number(self, value: object) -> int:
        if value == "off" and 0 in self.choices:
            return 0
        if isinstance(value, str) and value.removeprefix("-").isascii() and value.removeprefix("-").isdigit():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._bad(value)
        if self.choices and value not in self.choices:
            raise self._bad(value)
        if not self.choices and not self.minimum <= value <= self.maximum:
            raise self._bad(value)
        return value

    def _bad(self, value: object) -> BadOption:
        return BadOption(f"option {self.name} is {self.allowed()}, not {value!r}")

    def allowed(self) -> str:
        """Say in words what values the option takes."""
        if isinstance(self.default, bool):
            return "on or off"
        words = " | ".join(str(choice) for choice in self.choices)
        if isinstance(self.default, tuple):
            return f"a list of 1 to {self.maximum} of {words}"
        return words or f"{self.minimum} to {self.maximum}"


def worded(value: OptionValue) -> str:
    """Return a value as a command line takes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


Options = Mapping[str, Any]  # by name, complete and checked; the type of each value is its option's


def checked(
    options: tuple[Option, ...], given: Mapping[str, object], *, against_computer: bool = False
) -> dict[str, OptionValue]:
    """Return every option's value: those given, checked, and the defaults of the rest.

    Raises :class:`BadOption` for a name that the game does not have or a value that it does not allow, at such a table.
    """
    unknown = given.keys() - {option.name for option in options}
    if unknown:
        message = f"there is no option {min(unknown)}"
        raise BadOption(message)
    values = {
        option.name: option.check(given[option.name]) if option.name in given else option.default for option in options
    }
    for option in options:
        if against_computer and option.fixed_against_computer and values[option.name] != option.default:
            message = f"option {option.name} stays {worded(option.default)} at a table against the computer"
            raise BadOption(message)
    return values
