"""Starts a program in PyTorch, or numpy, as it runs best: asks perf-workloads what to run, has it write
the weights, sets what must be set before a process starts, and becomes that program.

    torch_launch.py run WORKLOAD [--PARAM VALUE]...                     for `run`
    torch_launch.py compare WORKLOAD [--each-layer] [--PARAM VALUE]...  for `compare`

With `--implementation numpy` it is numpy, of quantizations alone.
"""

import json
import os
import sys

from torch_peer import environment, memory, native

FOLDER = os.path.dirname(os.path.abspath(__file__))
EACH_LAYER = "--each-layer"
PROGRAMS = {
    ("training", "run"): "torch_finetune.py",
    ("training", "compare"): "torch_compare.py",
    ("inference", "run"): "torch_inference.py",
    ("inference", "compare"): "torch_inference_compare.py",
    ("quantization", "run"): "quantization_run.py",
    ("quantization", "compare"): "quantization_compare.py",
    ("micro", "run"): "torch_micro.py",
}


def taken_implementation(arguments):
    """(which, the other arguments)"""
    implementation, others = "torch", []
    arguments = iter(arguments)
    for one in arguments:
        if one.split("=")[0] != "--implementation":
            others.append(one)
        else:
            implementation = one.split("=", 1)[1] if "=" in one else next(arguments, "")
    if implementation not in ("torch", "numpy"):
        raise native.Refused(
            f"error: no such implementation: {implementation}\nhint: torch or numpy", native.ASKED_WRONGLY
        )
    return implementation, others


def program_of(family, verb):
    if (family, verb) not in PROGRAMS:
        raise native.Refused(
            f"error: nothing to {verb}: {family}\nhint: workloads/peers/run, whose result says "
            "whether it matches double precision",
            native.ASKED_WRONGLY,
        )
    return os.path.join(FOLDER, PROGRAMS[family, verb])


def prepare(verb, arguments):
    """The settings, and the command that goes by them."""
    implementation, arguments = taken_implementation(arguments)
    options = []
    if verb == "compare":
        options = [EACH_LAYER] if EACH_LAYER in arguments else []
        arguments = [one for one in arguments if one != EACH_LAYER]
    if not arguments or arguments[0].startswith("-"):
        raise native.Refused(
            f"error: no workload named\nhint: workloads/peers/{verb} training/full_finetune; its name comes first",
            native.ASKED_WRONGLY,
        )
    if verb == "compare" and not any(one.split("=")[0] == "--steps" for one in arguments):
        arguments += ["--steps", "3"]
    settings = native.settings(arguments)
    native.require_supported(settings, implementation)
    memory.require_fit(settings)
    what = settings["workload"].split("/")[0]
    command = [program_of(what, verb), json.dumps(settings)]
    if what in ("quantization", "micro"):
        if what == "quantization":
            command.insert(1, implementation)
            if verb == "compare":
                command.append(native.quantized(arguments))
        return settings, [sys.executable, *command]
    if what == "training":
        command.append(native.starting_point(settings))
    else:
        command.append(native.inputs(arguments))
    if verb == "compare":
        command.append(native.trace(arguments))
    if what == "inference" and "model" in settings:
        command.append(native.starting_point(settings))
    if verb == "compare":
        command += options
    return settings, [sys.executable, *command]


def main(verb, *arguments):
    try:
        settings, command = prepare(verb, list(arguments))
    except native.Refused as refusal:
        print(refusal, file=sys.stderr)
        return refusal.status
    os.execve(sys.executable, command, environment.best(settings, os.environ))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
