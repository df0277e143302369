"""The training workloads of perf-workloads in PyTorch, in the format `steps`.

Started by torch_launch.py with the settings (one JSON object) and the file of the starting point."""

import json
import sys

import torch

from torch_peer.facts import facts, kibibytes
from torch_peer.gemm_rate import GemmRate
from torch_peer.setup import make_trainer
from torch_peer.steps import StepEmitter

RATE_TIMES = 5


def describe(settings, out):
    training = settings["training"]
    out.begin_field("tokens_per_step", training["batch"] * training["length"])
    out.begin_field("parameters", training["parameters"])
    out.begin_field("trained_parameters", training["trained_parameters"])
    out.environment(**facts(training["dtype"]))


def train(trainer, out):
    first = last = None
    while out.next_step():
        trainer.forward()
        out.phase("forward")
        last = trainer.loss()
        out.phase("loss")
        trainer.backward()
        out.phase("backward")
        trainer.update()
        if trainer.optimizer is not None:
            out.phase("optimizer")
        first = last if first is None else first
    return first, last


def report_memory(available, out):
    total = kibibytes("/proc/meminfo", "MemTotal")
    out.metric("memory_share", "1", "lower", kibibytes("/proc/self/status", "VmHWM") / total)
    out.metric("memory_available", "B", "higher", available)
    out.metric("memory_available_share", "1", "higher", available / total)


def report(settings, rate, last, out):
    training, seconds = settings["training"], out.median_seconds()
    out.metric("tokens_per_second", "1/s", "higher", training["batch"] * training["length"] / seconds)
    out.metric("flop_rate", "flop/s", "higher", training["operations"] / seconds)
    if rate > 0:
        out.metric("gemm_rate", "flop/s", "higher", rate)
        out.metric("gemm_share", "1", "higher", training["operations"] / seconds / rate)
    out.metric("loss", "1", "lower", last)


def main(settings_text, path):
    settings = json.loads(settings_text)
    torch.set_num_threads(settings["environment"]["threads"])
    torch.set_num_interop_threads(1)
    out = StepEmitter(
        settings["workload"],
        {**settings["params"], "implementation": "torch"},
        settings["steps"],
        settings["warmup"],
    )
    describe(settings, out)
    available = kibibytes("/proc/meminfo", "MemAvailable")
    rate = GemmRate(settings["params"].get("peak-size", 0), settings["training"]["dtype"])
    rate.measure(RATE_TIMES)
    trainer = make_trainer(settings, path)
    first, last = train(trainer, out)
    rate.measure(RATE_TIMES)
    report(settings, rate.rate(), last, out)
    report_memory(available, out)
    random = settings["training"]["first_loss"]
    out.check("first_loss_is_random", abs(first / random["expected"] - 1), random["tolerance"])
    out.finish()
    print(table(settings, out))


def table(settings, out):
    lines = [f"{settings['workload']} in PyTorch {torch.__version__}: step {out.median_seconds():.4g} s"]
    lines += [f"  {name:<20}{seconds:.4g} s" for name, seconds in out.median_phases().items()]
    lines += [f"  {name:<20}{value:.4g}" for name, value in out.metrics.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
