"""The measurements that stand in files of other tools: [benchmark, metric, value] in base units."""

import math
import re
from xml.etree import ElementTree

from documents import Refused, measured, number, parse, present, records, told_apart, usable, written

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
        name = run["run_name"] if "run_name" in run else run.get("name")
        statistic = run.get("aggregate_name")
        if run.get("run_type") == "aggregate" or {"aggregate_name", "big_o", "rms"} & set(run):
            if statistic in ("mean", "median") and name:
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
    benchmarks = []
    for result in parse(text, True)["results"]:
        name, read = result["command"], []
        benchmarks.append(((name, result.get("parameters") or {}), read))
        failed = [code != 0 for code in result.get("exit_codes") or []]

        def good(key):
            values = result.get(key) or []
            return [value for value, bad in zip(values, failed) if not bad] if len(values) == len(failed) else values

        times = good("times")
        if any(failed) and (not times or all(failed)):
            continue
        times = times or [result[key] for key in ("median", "mean") if present(result, key)][:1]
        read += [[name, "step_time", measured(value)] for value in times]
        memory = [measured(value) for value in good("memory_usage_byte")]
        read += [[name, "memory_usage", value] for value in memory if value != 0]
        for key, metric in (("user", "user_time"), ("system", "system_time")):
            if present(result, key) and not any(failed):
                read.append([name, metric, measured(result[key])])
    return usable(told_apart(benchmarks))


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
    benchmarks = []
    for line in text.replace("\r\n", "\n").split("\n"):
        name, _, says = line.removeprefix("test ").partition(" ... ")
        match = re.match(r" *bench:[ \t\r]*([^ \t\r]*)(.*)$", says)
        if not line.startswith("test ") or not name.strip(" ") or not match:
            continue
        name, value, rest = name.strip(" "), match[1], match[2]
        read = []
        benchmarks.append((name, read))
        unit, is_complete, _ = rest.partition("/iter")
        unit = unit.strip(" []")
        if not re.fullmatch(r"([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+", value) or not is_complete:
            continue
        amount = float(value.replace(",", ""))
        read.append([name, "step_time", amount * SECONDS[unit]] if unit in SECONDS else [name, "value", amount])
        equals = rest.find("= ")
        if equals >= 0 and rest.rstrip(" ").endswith(" MB/s"):
            rate = rest[equals + 2 :].split()[0].replace(",", "")
            if re.fullmatch(r"[0-9.]+", rate):
                read.append([name, "bytes_per_second", float(rate) * 1e6])
    return usable(told_apart(benchmarks))


def criterion(text):
    if text.lstrip(" \t\r\n")[:1] != "{":
        return bencher(text)
    benchmarks = []
    for line in text.split("\n"):
        message = parse(line, True) if line.startswith("{") else {}
        if message.get("reason") != "benchmark-complete":
            continue
        name, unit = message["id"], SECONDS.get(message["unit"])
        read = []
        benchmarks.append((name, read))
        values = [number(total) / number(count) * (unit or 1) for total, count in zip(message["measured_values"], message["iteration_count"], strict=True)]
        read += [[name, "step_time" if unit else "value", value] for value in values]
    return usable(told_apart(benchmarks))


GO = {"ns/op": ("step_time", 1e-9), "sec/op": ("step_time", 1), "B/op": ("bytes_per_op", 1), "allocs/op": ("allocs_per_op", 1), "MB/s": ("bytes_per_second", 1e6)}


def go(text):
    read = []
    for line in text.split("\n"):
        fields = [field for field in re.split(r"[ \t\r\v\f]+", line) if field]
        if not fields or not re.match(r"Benchmark(?![a-z])", line) or len(fields) < 2:
            continue
        if not re.fullmatch(r"[0-9]+", fields[1]) or not 0 < int(fields[1]) < 2**63:
            continue
        row = [[fields[0], *GO.get(unit, (unit, 1e-9 if unit.endswith(("-ns/op", "-ns")) else 1)), value] for value, unit in zip(fields[2::2], fields[3::2])]
        numbers = [re.fullmatch(r"\+?-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", one[3]) for one in row]
        if len(fields) % 2 == 0 and len(row) == len({one[1] for one in row}) > 0 and all(numbers):
            read += [[name, metric, float(value) * factor] for name, metric, factor, value in row]
    return usable(read)


def said(value):
    """A text, a number or a truth value as text; nothing for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"{value:.17g}" if isinstance(value, (int, float)) else ""


def jmh_scores(result):
    read = []
    for key in ("rawData", "rawDataHistogram"):
        for iteration in sum(result.get(key) or [], []):
            if isinstance(iteration, list):
                counts = [number(count) for _, count in iteration]
                total = sum(measured(time) * count for (time, _), count in zip(iteration, counts))
                iteration = total / sum(counts) if sum(counts) else None
            read.append(measured(iteration))
    return read or [measured(result["score"])]


def jmh(text):
    read, names = [], []
    for run in parse(text, True):
        threads = said(run["threads"]) if present(run, "threads") else "1"
        name = "".join([run["benchmark"]] + [f"/{key}={said(value)}" for key, value in (run.get("params") or {}).items()])
        name += "/" + run["mode"] + ("" if threads == "1" else "/threads=" + threads)
        names.append(name)
        unit = run["primaryMetric"]["scoreUnit"]
        time, rate = unit.removesuffix("/op"), unit.removeprefix("ops/")
        if time != unit and time in SECONDS:
            read += [[name, "step_time", score * SECONDS[time]] for score in jmh_scores(run["primaryMetric"])]
        elif rate != unit and rate in SECONDS:
            read += [[name, "ops_per_second", score * (1 / SECONDS[rate])] for score in jmh_scores(run["primaryMetric"])]
        for key, result in (run.get("secondaryMetrics") or {}).items():
            metric = key.removeprefix("\xb7")
            metric = "bytes_per_op" if metric == "gc.alloc.rate.norm" else metric
            read += [[name, metric, score] for score in jmh_scores(result)]
    return usable(told_apart([(name, [record for record in read if record[0] == name]) for name in names]))


def benchmarkdotnet(text):
    benchmarks, read, names = parse(text, True)["Benchmarks"], [], []
    full_names = [one["FullName"] for one in benchmarks]
    for one in benchmarks:
        name = one["FullName"]
        if full_names.count(name) > 1:
            info = one.get("DisplayInfo") or ""
            _, _, job = info.partition(": ")
            name += "/" + (job[: job.rfind(" [")] if " [" in job else job)
        names.append(name)
        stats = one.get("Statistics") or {}
        values = [measured(value) for value in stats.get("OriginalValues") or []]
        for run in one.get("Measurements") or [] if stats and not values else []:
            kind = (run.get("IterationMode"), run.get("IterationStage"))
            if kind[0] == "Result" or kind == ("Workload", "Result"):
                values.append(measured(run["Nanoseconds"]) / number(run["Operations"]))
        if not values and "Median" in stats:
            values = [measured(stats["Median"])]
        read += [[name, "step_time", value * 1e-9] for value in values]
        memory = one.get("Memory") or {}
        if values and present(memory, "BytesAllocatedPerOperation"):
            read.append([name, "bytes_per_op", measured(memory["BytesAllocatedPerOperation"])])
    return usable(told_apart([(name, [record for record in read if record[0] == name]) for name in names]))


COUNTERS = ["instructions", "cpucycles", "branchinstructions", "branchmisses", "pagefaults", "contextswitches"]


def nanobench(text):
    read, names = [], []
    for result in parse(text, True)["results"]:
        name = result["title"] + "/" + result["name"]
        for key, unset in (("complexityN", "-1"), ("batch", "1")):
            value = said(result[key]) if present(result, key) else ""
            name += f"/{key}={value}" if value not in ("", unset) else ""
        names.append(name)
        epochs = result["measurements"]
        read += [[name, "step_time", measured(epoch["elapsed"])] for epoch in epochs]
        if not epochs:
            read.append([name, "step_time", measured(result["median(elapsed)"])])
        for counter in COUNTERS:
            counts = [measured(epoch[counter]) for epoch in epochs if present(epoch, counter)]
            read += [[name, counter, count] for count in counts] if any(count != 0 for count in counts) else []
    return usable(told_apart([(name, [record for record in read if record[0] == name]) for name in names]))


def catch2(text):
    root = ElementTree.fromstring(text)
    if root.tag not in ("Catch", "Catch2TestRun"):
        raise Refused(root.tag)
    read, refused, failed, seen, place = [], set(), set(), set(), []

    def walk(element):
        nonlocal place, seen
        outer = place
        if element.tag == "TestCase":
            place, seen = [element.get("name", "")], set()
        elif element.tag == "Section":
            place = place + [element.get("name", "")]
        elif element.tag == "BenchmarkResults":
            name = "/".join(place + [element.get("name", "")])
            refused.update({name} & seen)
            seen.add(name)
            read.extend([name, "step_time", float(mean.get("value")) * 1e-9] for mean in element.iter("mean"))
            has_mean, has_failed = (element.find(".//" + tag) is not None for tag in ("mean", "failed"))
            failed.update({name} if has_failed or not has_mean else set())
        for child in element:
            walk(child)
        if element.tag == "Section" and outer:
            place, seen = outer, set()

    walk(root)
    return usable([record for record in read if record[0] not in refused | failed])


def llama_bench(text):
    read = []
    for test in records(text):
        prompt, generated, depth = (int(test.get(key) or 0) for key in ("n_prompt", "n_gen", "n_depth"))
        parts = [f"pp{prompt}"] * (prompt != 0 or generated <= 0) + [f"tg{generated}"] * (generated > 0)
        name = "+".join(parts) + (f" @ d{depth}" if depth > 0 else "")
        read += [[name, "step_time", measured(sample) * 1e-9] for sample in test["samples_ns"]]
        read += [[name, "tokens_per_second", measured(rate)] for rate in test.get("samples_ts") or []]
    return usable(read)


def vllm_latency(text):
    return usable([["latency", "step_time", measured(latency)] for latency in parse(text, True)["latencies"]])


def vllm_serve(text):
    read = []
    for result in records(text):
        name = result["model_id"]
        for key in ("output_throughput", "total_token_throughput", "request_throughput", "request_goodput"):
            if present(result, key):
                read.append([name, key, measured(result[key])])
        for key, value in result.items():
            match = re.fullmatch(r"(median|mean|p[0-9.eE+-]+)_(.+)_ms", key)
            if match:
                metric = match[2] if match[1] == "median" else match[2] + "." + match[1]
                read.append([name, metric, measured(value) * 1e-3])
    return usable(read)


def pytorch_benchmark(text):
    read = []
    for record in records(text):
        metric, names = record["metric"], []
        for part in (record.get("benchmark"), record.get("model")):
            one = part.get("name") if isinstance(part, dict) else None
            names += [one] if isinstance(one, str) and one else []
        name = "/".join(names)
        unit = metric.get("unit")
        for value in metric["benchmark_values"]:
            read.append([name, metric["name"], written(value)])
            if metric["name"] == "latency":
                unit = unit if isinstance(unit, str) and unit else "s"
                read += [[name, "step_time", written(value) * SECONDS[unit]]] if unit in SECONDS else []
    return [record for record in read if usable([record])]


NVBENCH = {"nv/cold/time/cpu/mean": "cpu_time", "nv/batch/time/gpu/mean": "batch_time", "nv/cold/sm_clock_rate/mean": "sm_clock_rate"}
NVBENCH |= {kind + "/bw/global/bytes_per_second": "bytes_per_second" for kind in ("nv/cold", "nv/cpu_only")}
NVBENCH |= {kind + "/bw/item_rate": "elements_per_second" for kind in ("nv/cold", "nv/cpu_only")}
NVBENCH |= {f"{kind}/{one}": "step_time" for kind in ("nv/cold/time/gpu", "nv/cpu_only/time/cpu") for one in ("mean", "median")}


def nvbench(text):
    read = []
    for benchmark in parse(text, True)["benchmarks"]:
        for state in benchmark.get("states") or []:
            name = benchmark["name"] + ("/" if state["name"] else "") + state["name"]
            for summary in state.get("summaries") or []:
                for datum in summary.get("data") or []:
                    if datum.get("name") == "value" and summary.get("tag") in NVBENCH:
                        read.append([name, NVBENCH[summary["tag"]], written(datum["value"])])
    return [record for record in read if usable([record])]


OPTIMUM_UNITS = {"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def optimum_benchmark(text):
    root, read = parse(text, True), []
    for name, target in root.get("report", root).items():
        if present(target, "latency"):
            unit = SECONDS[target["latency"]["unit"]]
            for value in target["latency"].get("values") or []:
                read += [[name, metric, measured(value) * unit] for metric in ("step_time", "latency")]
        if present(target, "memory"):
            unit = OPTIMUM_UNITS[target["memory"]["unit"]]
            read += [[name, key, measured(value) * unit] for key, value in target["memory"].items() if key.startswith("max_") and value]
        for member, key in (("throughput", "value"), ("energy", "total")):
            if present(target, member):
                read.append([name, member, measured(target[member][key])])
    return [record for record in read if usable([record])]
