"""The inference workloads of perf-workloads in PyTorch, in the format `steps`.

Started by torch_launch.py with the settings (one JSON object), the file of the inputs and, where there
is a model, that of its weights."""

import json
import math
import os
import statistics
import sys

import torch

from torch_peer.facts import facts
from torch_peer.gemm_rate import GemmRate
from torch_peer.inference import Inputs, generate, make_generator, make_weights
from torch_peer.matrices import int8_engine
from torch_peer.read_rate import ReadShare
from torch_peer.safetensors import Safetensors
from torch_peer.sampling import Sampler
from torch_peer.steps import StepEmitter

RATE_TIMES = 5
GIGA = 1e9  # bytes of tokens_per_second_per_gb


def run_generate(settings, series, inputs, weights, out):
    work, params = series["inference"], series["params"]
    generator = make_generator(settings, series, weights)
    sampler, prompt, units = Sampler(work), inputs.tokens(), inputs.units()
    gemm = GemmRate(params.get("peak-size", 0), product_dtype(work))
    gemm.measure(RATE_TIMES)
    reading = ReadShare(params.get("read-probe-size", 0) << 20)
    reading.probe()
    timed, prefills, shares = [], [], []
    while out.next_step():
        spent = {}

        def phase(name):
            seconds = out.phase(name)
            spent[name] = spent.get(name, 0.0) + seconds
            return seconds

        _, seconds = generate(generator, prompt, units, sampler, phase)
        out.stop()
        if not out.steps[-1]["warmup"]:
            timed.append(seconds)
            prefills.append(spent["prefill"])
            shares.append(spent["sample"] / out.steps[-1]["seconds"])
            if "decode" in spent:
                read = decode_bytes(generator, work)
                reading.step(read, spent["decode"])
        reading.probe()
    gemm.measure(RATE_TIMES)
    report_tokens(work, timed, shares, gemm.bytes() + reading.bytes(), out)
    report_products("prefill_rate", work["operations"], statistics.median(prefills), gemm, out)
    reading.report(out)
    out.metric("kv_cache_bytes", "B", "lower", generator.cache_bytes())


def decode_bytes(generator, work):
    """What decoding one text reads: every token but the first, each with the keys and values so far."""
    total = 0
    for index in range(1, work["new_tokens"]):
        generator.length = work["length"] + index - 1
        total += generator.bytes_read()
    return total


def percentile(ordered, share):
    """The value at rank ceil(share n), as workloads/inference/generation_report.cpp has it."""
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def report_tokens(work, timed, shares, yardsticks, out):
    """Of each timed step its tokens' seconds. `yardsticks`: bytes that are not the generator's."""
    later = sorted(one for seconds in timed for one in seconds[1:])
    total = statistics.median(sum(seconds) for seconds in timed)
    rate = work["sequences"] * work["new_tokens"] / total
    out.metric("first_token_time", "s", "lower", statistics.median(seconds[0] for seconds in timed))
    if later:
        out.metric("token_time", "s", "lower", statistics.median(later))
        out.metric("token_time_p99", "s", "lower", percentile(later, 0.99))
    out.metric("total_time", "s", "lower", total)
    out.metric("tokens_per_second", "1/s", "higher", rate)
    memory = (out.most_resident() - yardsticks) / GIGA
    out.metric("tokens_per_second_per_gb", "1/s/GB", "higher", rate / memory)
    out.metric("sample_share", "1", "lower", statistics.median(shares))


def run_forward(settings, series, inputs, weights, out):
    work = series["inference"]
    generator, tokens = make_generator(settings, series, weights), inputs.tokens()
    gemm = GemmRate(series["params"].get("peak-size", 0), product_dtype(work))
    gemm.measure(RATE_TIMES)
    while out.next_step():
        generator.reset()
        generator.advance(tokens)
        out.phase("forward")
    gemm.measure(RATE_TIMES)
    seconds = out.median_seconds()
    out.metric("tokens_per_second", "1/s", "higher", tokens.numel() / seconds)
    report_products("flop_rate", work["operations"], seconds, gemm, out)


def run_sampling(_, series, inputs, __, out):
    work = series["inference"]
    sampler, logits, units = Sampler(work), inputs.logits(), inputs.units().tolist()
    drawn = 0
    while out.next_step():
        for _ in range(work["samples"]):
            sampler.choose(logits[drawn % len(logits)], units[drawn])
            drawn += 1
        out.phase("sample")
    token = out.median_seconds() / work["samples"]
    out.metric("sample_time", "s", "lower", token)
    out.metric("samples_per_second", "1/s", "higher", 1 / token)


def product_dtype(work):
    """Of the square product that is the yardstick: int8 has fp32's, as its results are."""
    return "bf16" if work["weights"] == "bf16" else "fp32"


def report_products(name, operations, seconds, gemm, out):
    out.metric(name, "flop/s", "higher", operations / seconds)
    if gemm.rate() > 0:
        out.metric("gemm_rate", "flop/s", "higher", gemm.rate())
        out.metric("gemm_share", "1", "higher", operations / seconds / gemm.rate())


RUNS = {"generate": run_generate, "forward": run_forward, "sampling": run_sampling}


def tokens_per_step(work):
    if work["kind"] == "sampling":
        return work["samples"]
    return work["new_tokens"] if work["kind"] == "generate" else work["sequences"] * work["length"]


def run_series(settings, series, inputs, weights):
    work = series["inference"]
    params = {**series["params"], "implementation": "torch"}
    out = StepEmitter(series["name"], params, settings["steps"], settings["warmup"])
    out.begin_field("tokens_per_step", tokens_per_step(work))
    said = facts(work.get("weights", "fp32"))
    if "weights" in work:
        out.begin_field("parameters", work["parameters"])
        said["cache-dtype"] = "bf16" if work["weights"] == "bf16" else "fp32"
        if work["weights"] == "int8":
            said["backend"] = int8_engine()
    out.environment(**said)
    RUNS[work["kind"]](settings, series, inputs, weights, out)
    out.finish()
    return out


def main(settings_text, inputs_path, weights_path=None):
    settings = json.loads(settings_text)
    torch.set_num_threads(settings["environment"]["threads"])
    torch.set_num_interop_threads(1)
    weights = None
    try:
        file = Safetensors(inputs_path)
    finally:
        os.remove(inputs_path)  # open is enough: nothing is left behind, whatever happens
    with torch.inference_mode(), file:
        if weights_path is not None:
            with Safetensors(weights_path) as stored:
                weights = make_weights(settings, settings["series"][0], stored)
        for series in settings["series"]:
            out = run_series(settings, series, Inputs(file, series), weights)
            print(table(series, out))


def table(series, out):
    lines = [f"{series['name']} in PyTorch {torch.__version__}: step {out.median_seconds():.4g} s"]
    lines += [f"  {name:<26}{seconds:.4g} s" for name, seconds in out.median_phases().items()]
    lines += [f"  {name:<26}{value:.4g}" for name, value in out.metrics.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
