"""Parameters of agents: what can be set from outside, so that it can be studied.

An agent declares them once, in its class::

    class Agent(GameAgent):
        parameters = {"tt": Int(20, 0, 26), "ordering": Choice("none", "history")}

and finds their values in ``self.parameters["tt"]``.
"""

import difflib
import math
from typing import Any, Dict, Optional


class ParameterError(ValueError):
    """A parameter that there is not, or a value that does not fit."""


class Parameter:
    """What all kinds of parameters have: a default, a declaration and a way to read values."""

    default: Any

    def declaration(self) -> Dict[str, Any]:
        """The parameter as the ready message declares it."""
        raise NotImplementedError

    def read(self, value: Any) -> Any:
        """The value in the type of the parameter, given as such or as text. Raises ParameterError if it does not fit."""
        raise NotImplementedError


class _Number(Parameter):
    kind = ""

    def __init__(self, default: Any, minimum: Any = None, maximum: Any = None) -> None:
        self.minimum, self.maximum = minimum, maximum
        self.default = self.read(default)

    def declaration(self) -> Dict[str, Any]:
        bounds = {"min": self.minimum, "max": self.maximum}
        found = {"type": self.kind, "default": self.default}
        found.update({key: bound for key, bound in bounds.items() if bound is not None})
        return found

    def _number(self, text: str) -> Any:
        raise NotImplementedError

    def read(self, value: Any) -> Any:
        try:
            number = self._number(_text(value))
        except ValueError:
            number = None
        is_within = number is not None and (
            (self.minimum is None or number >= self.minimum) and (self.maximum is None or number <= self.maximum)
        )
        if not is_within:
            raise ParameterError("%s does not fit; expected %s" % (_text(value), self._expected()))
        return number

    def _expected(self) -> str:
        what = "a whole number" if self.kind == "int" else "a number"
        if self.minimum is not None and self.maximum is not None:
            return "%s from %s to %s" % (what, self.minimum, self.maximum)
        if self.minimum is not None:
            return "%s of at least %s" % (what, self.minimum)
        return what if self.maximum is None else "%s of at most %s" % (what, self.maximum)


class Int(_Number):
    """A whole number: ``Int(20, 0, 26)`` is 20 if nobody sets it, and 0 to 26."""

    kind = "int"

    def _number(self, text: str) -> int:
        return int(text)


class Float(_Number):
    """A number: ``Float(0.7, 0.1, 0.95)``."""

    kind = "float"

    def _number(self, text: str) -> Optional[float]:
        number = float(text)
        return number if math.isfinite(number) else None


class Bool(Parameter):
    """Yes or no: ``Bool(True)``."""

    def __init__(self, default: bool) -> None:
        self.default = bool(default)

    def declaration(self) -> Dict[str, Any]:
        return {"type": "bool", "default": self.default}

    def read(self, value: Any) -> bool:
        text = _text(value)
        if text in ("true", "on"):
            return True
        if text in ("false", "off"):
            return False
        raise ParameterError("%s does not fit; expected true or false" % text)


class Choice(Parameter):
    """One of a few words, the first of which is the default: ``Choice("none", "history")``."""

    def __init__(self, *choices: str) -> None:
        if not choices or len(set(choices)) != len(choices):
            raise ValueError("a Choice needs different words, the default first")
        self.choices = [str(choice) for choice in choices]
        self.default = self.choices[0]

    def declaration(self) -> Dict[str, Any]:
        return {"type": "choice", "default": self.default, "choices": self.choices}

    def read(self, value: Any) -> str:
        text = _text(value)
        if text in self.choices:
            return text
        raise ParameterError("%s does not fit; expected %s" % (text, _advice(text, self.choices)))


class Text(Parameter):
    """Any text on one line: ``Text("")``."""

    def __init__(self, default: str = "") -> None:
        self.default = str(default)

    def declaration(self) -> Dict[str, Any]:
        return {"type": "text", "default": self.default}

    def read(self, value: Any) -> str:
        return _text(value)


def _text(value: Any) -> str:
    """A value as people write it."""
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)


def _advice(name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return near[0] if near else " or ".join(known)


def declared_by(agent_class: Any) -> Dict[str, Parameter]:
    """The parameters of a class. Raises ParameterError if they are not declared as such."""
    declared = agent_class.parameters
    if not isinstance(declared, dict) or not all(isinstance(one, Parameter) for one in declared.values()):
        raise ParameterError(
            '%s.parameters is no declaration; expected such as {"tt": Int(20, 0, 26)}' % agent_class.__name__
        )
    return declared


def declarations(declared: Dict[str, Parameter]) -> Dict[str, Any]:
    """All parameters as the ready message declares them."""
    return {name: parameter.declaration() for name, parameter in declared.items()}


def values(declared: Dict[str, Parameter], *settings: Dict[str, Any]) -> Dict[str, Any]:
    """The value of every parameter: its default, or what the last of the settings that names it says."""
    found = {name: parameter.default for name, parameter in declared.items()}
    for setting in settings:
        for name, value in setting.items():
            if name not in declared:
                known = "it has none" if not declared else "expected %s" % _advice(name, list(declared))
                raise ParameterError("the agent has no parameter %s; %s" % (name, known))
            try:
                found[name] = declared[name].read(value)
            except ParameterError as error:
                raise ParameterError("parameter %s: %s" % (name, error)) from None
    return found
