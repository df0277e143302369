"""Computes what `perf-workloads trace` did of an inference workload and says how far it is apart.

Started by torch_launch.py with the settings, the files of the inputs and of the trace, and, where there
is a model, that of its weights."""

import json
import os
import sys

import torch

from torch_peer.inference import Inputs, make_generator, make_weights
from torch_peer.parity import INFERENCE_TOLERANCES, largest_error
from torch_peer.safetensors import Safetensors
from torch_peer.sampling import Sampler
from torch_peer.weights import read_tensor


class Draws:
    """The native draws, held against the logits and random numbers of this side."""

    def __init__(self, sampler):
        self._sampler, self._others = sampler, 0
        self.places = []  # (which, how far off)

    def add(self, which, logits, unit, token):
        self.places.append((which, self._sampler.distance(logits, unit, token)))
        self._others += self._sampler.choose(logits, unit) != token

    def note(self):
        return f"{self._others} of {len(self.places)} differ"


def generation_errors(settings, series, inputs, weights, traced):
    """The native tokens are what goes in, so that one that is drawn otherwise changes nothing behind it."""
    work = series["inference"]
    generator, draws, units = make_generator(settings, series, weights), Draws(Sampler(work)), inputs.units()
    tokens, logits = traced("tokens").long(), traced("logits")
    length, sequences = work["length"], work["sequences"]
    if not torch.equal(tokens[:, :length], inputs.tokens()):
        return {"prompt": [("all", 1.0)]}, {}
    steps, errors = traced("logit_steps").long().tolist(), []
    for step in range(work["new_tokens"]):
        fed = tokens[:, :length] if step == 0 else tokens[:, length + step - 1 : length + step]
        rows = generator.advance(fed)
        for drawn in zip(rows, units[:, step].tolist(), tokens[:, length + step].tolist()):
            draws.add(f"token {step + 1}", *drawn)
        if step in steps:
            at = steps.index(step) * sequences
            errors.append((f"token {step + 1}", largest_error(rows.float(), logits[at : at + sequences])))
    return {"logits": errors, "tokens": draws.places}, {"tokens": draws.note()}


def forward_errors(settings, series, inputs, weights, traced):
    rows = make_generator(settings, series, weights).advance(inputs.tokens()).float()
    pairs = zip(rows, traced("logits"))
    return {"logits": [(f"sequence {i}", largest_error(a, b)) for i, (a, b) in enumerate(pairs)]}, {}


def sampling_errors(_, series, inputs, __, traced):
    draws, logits, units = Draws(Sampler(series["inference"])), inputs.logits(), inputs.units().tolist()
    tokens = traced("tokens").long().tolist()
    for i, (unit, token) in enumerate(zip(units, tokens)):
        draws.add(f"draw {i + 1}", logits[i % len(logits)], unit, token)
    return {"tokens": draws.places}, {"tokens": draws.note()}


ERRORS = {"generate": generation_errors, "forward": forward_errors, "sampling": sampling_errors}


def main(settings_text, inputs_path, trace_path, *weights_and_options):
    settings = json.loads(settings_text)
    torch.set_num_threads(settings["environment"]["threads"])
    options = [one for one in weights_and_options if one.startswith("--")]
    paths = [one for one in weights_and_options if not one.startswith("--")]
    try:
        inputs_file, trace_file = Safetensors(inputs_path), Safetensors(trace_path)
    finally:
        os.remove(inputs_path)
        os.remove(trace_path)
    weights, all_agree = None, True
    with torch.inference_mode(), inputs_file, trace_file:
        for path in paths:
            with Safetensors(path) as stored:
                weights = make_weights(settings, settings["series"][0], stored)
        for series in settings["series"]:
            traced = lambda name: read_tensor(trace_file, f"{series['name']}/{name}")
            kind = series["inference"]["kind"]
            errors, notes = ERRORS[kind](settings, series, Inputs(inputs_file, series), weights, traced)
            tolerances = INFERENCE_TOLERANCES[series["inference"].get("weights", "fp32")]
            print(series["name"])
            all_agree &= print_errors(errors, notes, tolerances, "--each-layer" in options)
    return 0 if all_agree else 1


def print_errors(errors, notes, tolerances, each):
    """`notes`: what else is said of some of them."""
    all_agree = True
    for what, found in errors.items():
        where, worst = max(found, key=lambda one: one[1])
        allowed = tolerances[what]
        agrees = worst <= allowed  # false for NaN
        all_agree &= agrees
        said = f"error {worst:.1e} ({where}), allowed {allowed:.0e}"
        if what in notes:
            said += f"; {notes[what]}"
        print(f"  {what:<10}{'agree' if agrees else 'DIFFER':<8}{said}")
        for place, error in found if each else ():
            print(f"    {place:<28}{error:.1e}")
    return all_agree


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
