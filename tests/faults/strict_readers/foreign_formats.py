"""The measurements that stand in files of other tools: [benchmark, metric, value] in base units."""

import math
import re

from documents import Refused, measured, number, parse, present, told_apart, usable

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
NO_METRICS = {
    "family_index", "per_family_instance_index", "repetitions", "repetition_index",
    "threads", "iterations", "real_time", "cpu_time", "step_time",
}  # fmt: skip


def google_row(name, run):
    unit = SECONDS[run["time_unit"]]
    read = [[name, "step_time", measured(run["real_time"]) * unit]]
    if "cpu_time" in run:
        read.append([name, "cpu_time", measured(run["cpu_time"]) * unit])
    for key, value in run.items():
        if key not in NO_METRICS and isinstance(value, (int, float)) and not isinstance(value, bool):
            read.append([name, key, float(value)])
    return read


def google_benchmark(text):
    read, aggregates, failed = [], {}, set()
    for run in parse(text, True)["benchmarks"]:
        name = run["run_name"] if "run_name" in run else run["name"]
        statistic = run.get("aggregate_name")
        if run.get("run_type") == "aggregate" or {"aggregate_name", "big_o", "rms"} & set(run):
            if statistic in ("mean", "median"):
                name = name if "run_name" in run else name.removesuffix("_" + statistic)
                aggregates.setdefault(name, {}).setdefault(statistic, []).append(run)
        elif run.get("error_occurred") is True:
            failed.add(name)
        elif run.get("skipped") is not True and name:
            read += google_row(name, run)
    for name, statistics in aggregates.items():
        if name not in failed and name not in {record[0] for record in read}:
            for run in statistics[max(statistics)]:
                read += google_row(name, run)
    return usable(read)


def hyperfine(text):
    read, names = [], []
    for result in parse(text, True)["results"]:
        name = result["command"]
        names.append(name)
        failed = [code != 0 for code in result.get("exit_codes") or []]

        def good(key):
            values = result.get(key) or []
            return [value for value, bad in zip(values, failed) if not bad] if len(values) == len(failed) else values

        times = good("times")
        if any(failed) and (not times or all(failed)):
            continue
        times = times or [next(result[key] for key in ("median", "mean") if present(result, key))]
        read += [[name, "step_time", measured(value)] for value in times]
        memory = [measured(value) for value in good("memory_usage_byte")]
        read += [[name, "memory_usage", value] for value in memory if value != 0]
        for key, metric in (("user", "user_time"), ("system", "system_time")):
            if present(result, key) and not any(failed):
                read.append([name, metric, measured(result[key])])
    return usable(told_apart(read, names))


def pytest_benchmark(text):
    read = []
    for benchmark in parse(text, True)["benchmarks"]:
        name = benchmark["fullname"] if present(benchmark, "fullname") else benchmark["name"]
        stats = benchmark["stats"]
        rounds = stats.get("data") or [stats[key] for key in ("median", "mean") if present(stats, key)][:1]
        read += [[name, "step_time", measured(value)] for value in rounds]
    return usable(read)


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
            if math.isnan(measured(result)):
                continue
            own = samples[i] if i < len(samples) else None
            for value in own or [result]:
                read.append([name, asv_metric(name), measured(value)])
    return usable(read)


def bencher(text):
    read, names = [], []
    for line in text.replace("\r\n", "\n").split("\n"):
        name, _, says = line.removeprefix("test ").partition(" ... ")
        match = re.match(r" *bench: *([0-9,.eE+-]+) +(\S+)/iter(.*)$", says)
        if not line.startswith("test ") or not name.strip(" ") or not match:
            continue
        name, value, unit, rest = name.strip(" "), match[1], match[2], match[3]
        names.append(name)
        if not re.fullmatch(r"([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+", value):
            raise Refused(value)
        amount = float(value.replace(",", ""))
        read.append([name, "step_time", amount * SECONDS[unit]] if unit in SECONDS else [name, "value", amount])
        equals = rest.find("= ")
        if equals >= 0 and rest.rstrip(" ").endswith(" MB/s"):
            read.append([name, "bytes_per_second", float(rest[equals + 2 :].split()[0].replace(",", "")) * 1e6])
    return usable(told_apart(read, names))


def criterion(text):
    if text.lstrip(" \t\r\n")[:1] != "{":
        return bencher(text)
    read, names = [], []
    for line in text.split("\n"):
        message = parse(line, True) if line.startswith("{") else {}
        if message.get("reason") != "benchmark-complete":
            continue
        name, unit = message["id"], SECONDS.get(message["unit"])
        names.append(name)
        values = [number(total) / number(count) * (unit or 1) for total, count in zip(message["measured_values"], message["iteration_count"], strict=True)]
        read += [[name, "step_time" if unit else "value", value] for value in values]
    return usable(told_apart(read, names))


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
    return usable(read)
