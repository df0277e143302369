"""The numbers that stand in a protocol output, a config, judge cases, series and report files."""

import re
import struct

from documents import Refused, number, parse, present, without_comments


def steps(text):
    read = []
    for line in text.split("\n"):
        if not line.strip(" \t\r"):
            continue
        record = parse(line)
        kind = record.get("type")
        if kind == "begin":
            following = 0
            read += [["param " + k, number(v)] for k, v in sorted((record.get("params") or {}).items()) if not isinstance(v, (str, bool))]
            if present(record, "tokens_per_step"):
                read.append(["tokens", number(record["tokens_per_step"])])
        elif kind == "step":
            index = number(record["index"]) if present(record, "index") else following
            following = index + 1
            read += [["index", float(index)], ["seconds", number(record["seconds"])]]
            if present(record, "rss") and record["rss"] != 0:
                read.append(["rss", number(record["rss"])])
            read += [["phase " + name, number(value)] for name, value in (record.get("phases") or {}).items()]
    for line in text.split("\n"):
        record = parse(line) if line.strip(" \t\r") else {}
        if record.get("type") == "metric":
            read.append(["metric " + record["name"], number(record["value"])])
        elif record.get("type") == "check":
            read += [[f"{name} of {record['name']}", number(record[name])] for name in ("error", "tolerance") if present(record, name)]
    return read


DURATIONS = {"ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}
SIZES = {"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def amount(text, units):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *([A-Za-z%]+)", text)
    if not match or match[2] not in units:
        raise Refused(text)
    return float(match[1]) * units[match[2]]


def share(text):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *%", text)
    if not match:
        raise Refused(text)
    return float(match[1]) / 100


# What stands in a record where the text says nothing; the test leaves them out as well.
DEFAULTS = {"build": 1800, "timeout": 300, "threshold": 0.10, "alpha": 0.01, "budget": 600}


def config(text):
    return [one for one in configured(text) if one[1] != DEFAULTS.get(one[0].split(" of ")[0].strip())]


def configured(text):
    root = parse(without_comments(text).encode("utf-8", "surrogateescape").decode("utf-8"))
    read = []
    if "timeout" in root.get("build", {}):
        read.append(["build", amount(root["build"]["timeout"], DURATIONS)])
    for entry in root["workloads"]:
        if "timeout" in entry:
            read.append(["timeout of " + entry["name"], amount(entry["timeout"], DURATIONS)])
        for name, value in sorted(entry.get("params", {}).items()):
            if not isinstance(value, (str, bool)):
                read.append([f"{name} of {entry['name']}", number(value)])
        for metric, rule in sorted(entry.get("metrics", {}).items()):
            read.append([f"threshold of {entry['name']} {metric}", share(rule["threshold"])])
    policy = root.get("policy", {})
    read += [[name, share(policy[name])] for name in ("threshold", "alpha") if name in policy]
    if "budget" in policy:
        read.append(["budget", amount(policy["budget"], DURATIONS)])
    for kind in ("metrics", "workloads"):
        read += [["rule " + name, share(rule["threshold"])] for name, rule in policy.get(kind, {}).items()]
    for target in root.get("targets", []):
        for bound in ("at_least", "at_most"):
            if bound in target:
                value = target[bound]
                if isinstance(value, str):
                    units = SIZES if re.sub(r"[0-9. ]", "", value) in SIZES else DURATIONS
                    value = amount(value, units)
                read.append([f"{bound} of {target['name']}", number(value)])
    return read


def judge(text):
    read = []
    for name, case in parse(text)["cases"].items():
        if case.get("threshold") is not None:
            read.append(["threshold of " + name, number(case["threshold"])])
        for side in ("base", "head"):
            read += [[f"{side} of {name}", number(value)] for invocation in case[side] for value in invocation]
    return read


GAPS = ("", "null", "na", "none", "n/a")


def point(field):
    if field.lower() in GAPS or re.fullmatch(r"\+?-?(nan(\([A-Za-z0-9_]*\))?|inf|infinity)", field, re.I):
        return None
    if not re.fullmatch(r"\+?-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", field, re.I):
        raise Refused(field)
    if re.fullmatch(r"\+?-?[0-9]+", field) and abs(int(field.lstrip("+"))) > 2**53:
        raise Refused(field)
    return float(field.lstrip("+"))


def fields_of(line):
    blanks = " \t\r\v\f"
    line, fields, more = line.strip(blanks), [], True
    if not line:
        return []
    while more:
        match = re.match(r'"((?:[^"]|"")*)(?:"|$)|[^, \t\r\v\f]*', line, re.S)
        fields.append(match[1].replace('""', '"') if match[1] is not None else match[0])
        line = line[match.end() :].lstrip(blanks)
        more = line != ""
        if line.startswith(","):
            line = line[1:].lstrip(blanks)
    return fields


def series(text):
    text = text.removeprefix("\ufeff")
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        return [[name, number(v)] for name, values in parse(text, True).items() for v in values if v is not None and v != ""]
    rows = [fields for fields in map(fields_of, text.split("\n")) if fields]
    header = [field.lower() for field in rows[0]] == ["series", "index", "value"] if rows else False
    three = all(len(row) == 3 for row in rows)
    if not header and not (three and len({row[0] for row in rows}) < len(rows)):
        return [[row[0], point(field)] for row in rows for field in row[1:] if point(field) is not None]
    points = {}
    for name, index, value in rows[1:] if header else rows:
        points.setdefault(name, []).append((float(index), point(value)))
    return [[name, value] for name, values in points.items() for _, value in sorted(values, key=lambda one: one[0]) if value is not None]


STATISTICS = ("median", "p90", "mean", "stddev", "min", "max", "cov", "invocations", "steps")


def report(text):
    read = []
    rows = parse(text)["comparisons"]
    failed = {row["workload"] for row in rows if row.get("verdict") == "failed"}
    for row in rows:
        if row.get("head") is not None and row["workload"] not in failed:
            read += [[f"{name} of {row['workload']} {row['metric']}", number(row["head"].get(name) or 0)] for name in STATISTICS]
    return read


BITS = {"F32": 32, "BF16": 16, "F16": 16}


def widened(kind, piece):
    if kind == "F32":
        return struct.unpack("<f", piece)[0]
    if kind == "F16":
        return struct.unpack("<e", piece)[0]
    return struct.unpack("<f", b"\0\0" + piece)[0]


def safetensors(data):
    (length,) = struct.unpack("<Q", data[:8])
    header = parse(data[8 : 8 + length].decode("utf-8"))
    body = data[8 + length :]
    read, end = [], 0
    tensors = [(name, entry) for name, entry in header.items() if name != "__metadata__"]
    for name, entry in sorted(tensors, key=lambda one: one[1]["data_offsets"]):
        begin, after = entry["data_offsets"]
        values = 1
        for dimension in entry["shape"]:
            values *= dimension
        if set(entry) != {"dtype", "shape", "data_offsets"} or begin != end or 8 * (after - begin) != values * BITS.get(entry["dtype"], 8):
            raise Refused(name)
        end = after
        width = BITS.get(entry["dtype"], 0) // 8
        if width:
            read += [[name, widened(entry["dtype"], body[at : at + width])] for at in range(begin, after, width)]
    if end != len(body):
        raise Refused("data that no tensor has")
    return read


ROPE = {"factor": ("factor", 1), "low": ("low_freq_factor", 1), "high": ("high_freq_factor", 4), "positions": ("original_max_position_embeddings", 8192)}


def whole(value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(f"no whole number: {value!r}")
    return value


def checkpoint_config(text):
    """config.json of a checkpoint, as transformers takes it."""
    config = parse(text.removeprefix("\ufeff"))
    kinds = {"LlamaForCausalLM": False, "Qwen2ForCausalLM": True, "llama": False, "qwen2": True}
    if config.get("architectures") is not None:
        (architecture,) = config["architectures"]
    else:
        architecture = config["model_type"]
    for name in ("use_sliding_window", "quantization_config"):
        if config.get(name):
            raise Refused(name)
    if any(kind != "full_attention" for kind in config.get("layer_types") or []) or config.get("hidden_act") not in (None, "silu"):
        raise Refused("another attention or activation")

    def first(*values):
        return next(value for value in values if value is not None)

    rope = config.get("rope_scaling") or config.get("rope_parameters") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind not in ("default", "llama3") or any(where.get("partial_rotary_factor") not in (None, 1) for where in (config, rope)):
        raise Refused("other frequencies")
    heads = whole(config["num_attention_heads"])
    return [
        ["layers", whole(config["num_hidden_layers"])],
        ["hidden", whole(config["hidden_size"])],
        ["heads", heads],
        ["kv_heads", whole(first(config.get("num_key_value_heads"), heads))],
        ["head_size", whole(first(config.get("head_dim"), config["hidden_size"] // heads))],
        ["intermediate", whole(config["intermediate_size"])],
        ["vocabulary", whole(config["vocab_size"])],
        ["tied", int(config.get("tie_word_embeddings") is True)],
        ["bias", int(kinds[architecture])],
        ["epsilon", number(first(config.get("rms_norm_eps"), 1e-6))],
        ["theta", number(first(rope.get("rope_theta"), config.get("rope_theta"), 10000))],
        *([key, number(rope[name] if kind == "llama3" else default)] for key, (name, default) in ROPE.items()),
    ]
