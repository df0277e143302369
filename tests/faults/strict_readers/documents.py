"""JSON as Python's own parser reads it, told to take nothing that is not to the letter."""

import json
import math
import re

LARGEST = 2**53


class Refused(Exception):
    """No strict reader takes this."""


class Large:
    """An integer that a double may not hold: whoever wants its number refuses it."""


def object_of(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Refused("a name twice")
    return dict(pairs)


def integer(text):
    return Large() if abs(int(text)) > LARGEST else int(text)


def constant(word):
    raise Refused(word)


NON_NUMBER = re.compile(r'("(?:[^"\\]|\\.)*")|(?<![\w.])[-+]?(?:nan(?:\(ind\))?|inf(?:inity)?)(?![\w(])', re.IGNORECASE)


def alone(text):
    """The one document of a text, without the lines around it."""
    for start in re.finditer(r"^[ \t]*(?=[{\[])", text, re.MULTILINE):
        try:
            _, end = json.JSONDecoder().raw_decode(text, start.end())
            return text[start.end() : end]
        except ValueError:
            pass
    return text


def parse(text, non_numbers=False):
    """`non_numbers`, of other tools: NaN and infinities may stand, as None, which is no number
    either, and other text around the document."""
    if non_numbers:
        text = alone(NON_NUMBER.sub(lambda found: found[1] or "null", text))
    try:
        return json.loads(
            text, object_pairs_hook=object_of, parse_int=integer, parse_constant=(lambda word: None) if non_numbers else constant
        )
    except (ValueError, RecursionError) as error:
        raise Refused(str(error)) from error


def records(text):
    """The objects of all documents of a text, JSON Lines or lists."""
    text, at = NON_NUMBER.sub(lambda found: found[1] or "null", text), 0
    decoder = json.JSONDecoder(object_pairs_hook=object_of, parse_int=integer, parse_constant=lambda word: None)
    while at < len(text):
        start = re.compile(r"[ \t\r]*").match(text, at).end()
        if re.compile(r'\{\s*"|\[\s*[\[{"]').match(text, start):
            document, at = decoder.raw_decode(text, start)
            yield from document if isinstance(document, list) else [document]
        else:
            at = text.find("\n", start) + 1 or len(text)


def written(value):
    """The same of a number that may stand as text: other text is none."""
    if not isinstance(value, str):
        return measured(value)
    return float(value) if re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", value) else math.nan


def number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f"no number: {value!r}")
    return float(value)


def measured(value):
    """A number of another tool: null, and NaN and infinities as text, are none."""
    if isinstance(value, str) and value.lstrip("+-") in ("", "NaN", "nan", "Infinity", "inf", "Inf"):
        return math.nan
    return math.nan if value is None else number(value)


def usable(read):
    """Without what is no value, and without benchmarks that have no time left."""

    def is_value(metric, value):
        low, high = (1e-15, 1e9) if metric == "step_time" else (1e-150, 1e150)
        size = value if metric == "step_time" else abs(value)
        return low <= size <= high or (value == 0 and metric != "step_time")

    good = [record for record in read if is_value(*record[1:])]
    timed = {name for name, metric, _ in read if metric == "step_time"}
    left = {name for name, metric, _ in good if metric == "step_time"}
    return [record for record in good if record[0] not in timed - left]


def told_apart(benchmarks):
    """The records of those whose identity comes once: a list of (identity, records)."""
    identities = [identity for identity, _ in benchmarks]
    return [record for identity, records in benchmarks if identities.count(identity) < 2 for record in records]


def present(record, name):
    return record.get(name) is not None


def without_comments(text):
    """JSON with its // and /* */ made blanks."""
    out, at, quoted = [], 0, False
    while at < len(text):
        if quoted and text[at] == "\\":
            out.append(text[at : at + 2])
            at += 2
            continue
        if text[at] == '"':
            quoted = not quoted
        end = None
        if not quoted and text.startswith("//", at):
            end = next((i for i in range(at, len(text)) if text[i] in "\n\r"), len(text))
        elif not quoted and text.startswith("/*", at):
            close = text.find("*/", at + 2)
            if close < 0:
                raise Refused("a comment without end")
            end = close + 2
        if end is None:
            out.append(text[at])
            at += 1
        else:
            out.append(" ")
            at = end
    return "".join(out)
