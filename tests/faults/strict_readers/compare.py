"""Holds what the readers took from damaged files against what stands there.

    compare.py FILE      of JSON lines: {"format": ..., "text": HEX, "read": [[KEY, HEXFLOAT], ...]}

Prints each text of which another number was read, or which no strict reader takes; then how many
were compared.
"""

import json
import math
import struct
import sys
from collections import Counter

import foreign_formats
import own_formats
from documents import Refused

READERS = {
    "steps": own_formats.steps, "config": own_formats.config, "judge": own_formats.judge,
    "series": own_formats.series, "report": own_formats.report, "safetensors": own_formats.safetensors,
    "checkpoint-config": own_formats.checkpoint_config,
    "google-benchmark": foreign_formats.google_benchmark, "hyperfine": foreign_formats.hyperfine,
    "pytest-benchmark": foreign_formats.pytest_benchmark, "criterion": foreign_formats.criterion,
    "go": foreign_formats.go, "asv": foreign_formats.asv, "jmh": foreign_formats.jmh,
    "benchmarkdotnet": foreign_formats.benchmarkdotnet, "nanobench": foreign_formats.nanobench,
    "catch2": foreign_formats.catch2, "llama-bench": foreign_formats.llama_bench,
    "vllm-latency": foreign_formats.vllm_latency, "vllm-serve": foreign_formats.vllm_serve,
    "pytorch-benchmark": foreign_formats.pytorch_benchmark, "nvbench": foreign_formats.nvbench,
    "optimum-benchmark": foreign_formats.optimum_benchmark,
}  # fmt: skip
LAWLESS = (Refused, KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError, struct.error, SyntaxError)


def bits(value):
    return "nan" if math.isnan(value) else struct.pack("<d", value)


def key(record):
    return json.dumps(record[:-1]), bits(record[-1])


def complaint(name, data, read):
    try:
        # Bytes of a config's comments may be anything: its reader decodes what is left.
        errors = "surrogateescape" if name == "config" else "strict"
        expected = READERS[name](data if name == "safetensors" else data.decode("utf-8", errors))
    except LAWLESS as error:
        if name == "series":
            return None  # the strict reader knows lines and series,index,value alone
        return f"no strict reader takes it: {error!r}"
    # Formats that list benchmarks in any order are compared benchmark by benchmark.
    own = ("steps", "config", "judge", "series", "report", "safetensors", "checkpoint-config")
    order = sorted if name not in own or name == "series" else list
    got, wanted = order(map(key, read)), order(map(key, expected))
    if name == "go" and any(line.startswith(b"Benchmark") and b"{" in line for line in data.split(b"\n")):
        return None  # a program prints into a result: the strict reader does not join the lines
    # Readers of other tools' files leave out what is odd: what they take must stand there.
    is_right = got == wanted if name in own else not Counter(got) - Counter(wanted)
    return None if is_right else f"read {read}, there stand {expected}"


def main():
    compared = wrong = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            data = bytes.fromhex(record["text"])
            read = [[*names, float.fromhex(value)] for *names, value in record["read"]]
            said = complaint(record["format"], data, read)
            compared += 1
            if said and (wrong := wrong + 1) <= 3:
                print(f"{record['format']}: {said}\n{data!r}\n")
    print(f"compared {compared} wrong {wrong}")
    return 1 if wrong else 0


sys.exit(main())
