"""Quantizes a model in memory with PyTorch or numpy, in the format `steps`.

Started by torch_launch.py with the implementation and the settings (one JSON object)."""

import json
import sys

import numpy

from torch_peer.random_numbers import derived_seed, fill_normal
from torch_peer.steps import PAGE, StepEmitter


def synthetic(settings, index):
    """The values of tensor `index`, as workloads/quantization/synthetic_model.h has them."""
    work = settings["quantization"]
    tensor = work["tensors"][index]
    values = numpy.empty((tensor["rows"], tensor["columns"]), numpy.float32)
    fill_normal(values, derived_seed(settings["seed"], index), work["deviation"])
    return values


def library(implementation, settings):
    """(its quantizer, from numpy's arrays to its own, facts for the environment line)"""
    threads = settings["environment"]["threads"]
    if implementation == "numpy":
        from torch_peer.numpy_quantizer import NumpyQuantizer

        return NumpyQuantizer, lambda values: values, {"numpy": numpy.__version__, "threads": 1}
    import torch

    from torch_peer.facts import facts
    from torch_peer.torch_quantizer import TorchQuantizer

    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)
    return TorchQuantizer, torch.from_numpy, facts("fp32")


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * PAGE


def peak():
    """The process's, from its start on: as the system counts it."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))


def size(arrays):
    """Bytes of numpy's arrays or PyTorch's tensors."""
    return sum(a.nbytes if hasattr(a, "nbytes") else a.numel() * a.element_size() for a in arrays)


def main(implementation, settings_text):
    settings = json.loads(settings_text)
    work = settings["quantization"]
    tensors = work["tensors"]
    make, own, facts = library(implementation, settings)
    params = {**settings["params"], "implementation": implementation}
    out = StepEmitter(settings["workload"], params, settings["steps"], settings["warmup"])
    out.begin_field("parameters", work["parameters"])
    out.environment(**facts)
    values = [own(synthetic(settings, index)) for index in range(len(tensors))]
    baseline = resident()
    quantizer = make(work, tensors)
    results = [quantizer.output(tensor["rows"], tensor["columns"]) for tensor in tensors]
    while out.next_step():
        for index, tensor in enumerate(tensors):
            results[index] = quantizer(values[index], results[index])
            if index + 1 == len(tensors) or tensors[index + 1]["part"] != tensor["part"]:
                out.phase(tensor["part"])
    report(out, 4 * work["parameters"], sum(size(result) for result in results), baseline)
    out.finish()
    print(f"{settings['workload']} in {implementation}: step {out.median_seconds():.4g} s")
    for name, value in out.metrics.items():
        print(f"  {name:<26}{value:.4g}")


def report(out, input_bytes, output_bytes, baseline):
    """As workloads/quantization/quantization_report.cpp names them."""
    most = peak()
    out.metric("total_time", "s", "lower", out.median_seconds())
    out.metric("input_bytes_per_second", "B/s", "higher", input_bytes / out.median_seconds())
    out.metric("input_bytes", "B", "lower", input_bytes)
    out.metric("output_bytes", "B", "lower", output_bytes)
    out.metric("baseline_memory", "B", "lower", baseline)
    out.metric("peak_memory", "B", "lower", most)
    out.metric("quantization_memory", "B", "lower", most - baseline)
    out.metric("memory_ratio", "1", "lower", most / (input_bytes + output_bytes))


if __name__ == "__main__":
    main(*sys.argv[1:])
