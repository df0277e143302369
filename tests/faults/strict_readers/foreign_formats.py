"""The measurements that stand in files of other tools: [benchmark, metric, value] in base units."""

import re

from documents import Refused, number, parse, present

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
NO_METRICS = {
    "family_index", "per_family_instance_index", "repetitions", "repetition_index",
    "threads", "iterations", "real_time", "cpu_time", "step_time",
}  # fmt: skip


def google_benchmark(text):
    read = []
    for run in parse(text, True)["benchmarks"]:
        if run.get("run_type") == "aggregate" or {"aggregate_name", "big_o", "rms"} & set(run):
            continue
        if run.get("error_occurred") is True or run.get("skipped") is True:
            continue
        name = run["run_name"] if "run_name" in run else run["name"]
        unit = SECONDS[run["time_unit"]]
        read.append([name, "step_time", number(run["real_time"]) * unit])
        if "cpu_time" in run:
            read.append([name, "cpu_time", number(run["cpu_time"]) * unit])
        for key, value in run.items():
            if key not in NO_METRICS and isinstance(value, (int, float)) and not isinstance(value, bool):
                read.append([name, key, float(value)])
    return read


def hyperfine(text):
    read = []
    for result in parse(text, True)["results"]:
        name = result["command"]
        if any(code != 0 for code in result.get("exit_codes") or []):
            continue
        times = result.get("times") or [result["median"]]
        read += [[name, "step_time", number(value)] for value in times]
        read += [[name, "memory_usage", number(value)] for value in result.get("memory_usage_byte") or []]
        for key, metric in (("user", "user_time"), ("system", "system_time")):
            if present(result, key):
                read.append([name, metric, number(result[key])])
    return read


def pytest_benchmark(text):
    read = []
    for benchmark in parse(text, True)["benchmarks"]:
        name = benchmark["fullname"] if present(benchmark, "fullname") else benchmark["name"]
        stats = benchmark["stats"]
        read += [[name, "step_time", number(value)] for value in stats.get("data") or [stats["median"]]]
    return read


ASV = [("timeraw", "step_time"), ("time", "step_time"), ("peakmem", "peak_memory"), ("mem", "object_size"), ("track", "value")]


def asv_metric(name):
    last = name[name.rfind(".") + 1 :]
    for word, metric in ASV:
        after = last[len(word) : len(word) + 1]
        if last[: len(word)].lower() == word and (after == "_" or ("A" <= after <= "Z" and last[0] != word[0])):
            return metric
    return "value"


def asv(text):
    root, read = parse(text, True), []
    columns = root["result_columns"]
    for name, cells in root["results"].items():
        # The first of two columns of one name counts.
        row = {}
        for column, cell in zip(columns, cells):
            row.setdefault(column, cell)
        samples = row.get("samples") or []
        for i, result in enumerate(row.get("result") or []):
            if result is None:
                continue
            own = samples[i] if i < len(samples) else None
            for value in own or [result]:
                read.append([name, asv_metric(name), number(value)])
    return read


def bencher(text):
    read = []
    for line in text.replace("\r\n", "\n").split("\n"):
        name, _, says = line.removeprefix("test ").partition(" ... ")
        match = re.match(r" *bench: *([0-9,.eE+-]+) +(\S+)/iter(.*)$", says)
        if not line.startswith("test ") or not name.strip(" ") or not match:
            continue
        name, value, unit, rest = name.strip(" "), match[1], match[2], match[3]
        if not re.fullmatch(r"([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+", value):
            raise Refused(value)
        amount = float(value.replace(",", ""))
        read.append([name, "step_time", amount * SECONDS[unit]] if unit in SECONDS else [name, "value", amount])
        equals = rest.find("= ")
        if equals >= 0 and rest.rstrip(" ").endswith(" MB/s"):
            read.append([name, "bytes_per_second", float(rest[equals + 2 :].split()[0].replace(",", "")) * 1e6])
    return read


def criterion(text):
    if text.lstrip(" \t\r\n")[:1] != "{":
        return bencher(text)
    read = []
    for line in text.split("\n"):
        message = parse(line, True) if line.startswith("{") else {}
        if message.get("reason") != "benchmark-complete":
            continue
        name, unit = message["id"], SECONDS.get(message["unit"])
        values = [number(total) / number(count) * (unit or 1) for total, count in zip(message["measured_values"], message["iteration_count"], strict=True)]
        read += [[name, "step_time" if unit else "value", value] for value in values]
    return read


GO = {"ns/op": ("step_time", 1e-9), "sec/op": ("step_time", 1), "B/op": ("bytes_per_op", 1), "allocs/op": ("allocs_per_op", 1), "MB/s": ("bytes_per_second", 1e6)}


def go(text):
    read = []
    for line in text.split("\n"):
        fields = [field for field in re.split(r"[ \t\r\v\f]+", line) if field]
        if not fields or not re.match(r"Benchmark(?![a-z])", line) or len(fields) < 2:
            continue
        if not re.fullmatch(r"[0-9]+", fields[1]) or not 0 < int(fields[1]) < 2**63:
            continue
        for value, unit in zip(fields[2::2], fields[3::2], strict=True):
            if not re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", value):
                raise Refused(value)
            metric, factor = GO.get(unit, (unit, 1e-9 if unit.endswith(("-ns/op", "-ns")) else 1))
            read.append([fields[0], metric, float(value) * factor])
    return read
