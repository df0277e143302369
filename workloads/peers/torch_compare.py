"""Takes the steps that `perf-workloads trace` took and says how far the numbers are apart.

Started by torch_launch.py with the settings, the file of the starting point and that of the trace."""

import json
import os
import sys

import torch

from torch_peer.decoder import PROJECTIONS
from torch_peer.parity import TOLERANCES, largest_error, moved_error, relative_error
from torch_peer.safetensors import Safetensors
from torch_peer.setup import make_trainer
from torch_peer.weights import read_tensor


def steps(trainer, count):
    """What the trace has, of PyTorch: losses, and of the first step layers, hidden rows' logits and
    gradients; at last what was trained."""
    seen = {"losses": [], "layers": [], "start": [t.detach().clone() for t in trainer.trained]}
    for step in range(count):
        if step == 0:
            keep = lambda x: seen["layers"].append(x.detach().float().clone())
            trainer.forward(sees=keep)
            with torch.no_grad():
                hidden = seen["layers"][-1].to(trainer.dtype)
                seen["logits"] = trainer.decoder.logits(hidden.flatten(0, 1)).float()
        else:
            trainer.forward()
        seen["losses"].append(trainer.loss())
        trainer.backward()
        if step == 0:
            seen["gradients"] = [t.grad.detach().float() for t in trainer.trained]
        trainer.update()
    seen["trained"] = [t.detach().float() for t in trainer.trained]
    return seen


def names_of(trainer, has_adapters):
    """Of what is trained, in its order."""
    layers = trainer.decoder.weights.layers
    if has_adapters:
        return [
            f"layer {index} {name} {part}"
            for index, layer in enumerate(layers)
            for name in PROJECTIONS
            if name in layer.adapters
            for part in "AB"
        ]
    shape = trainer.decoder.shape
    bias = ["qkv bias"] if shape.has_qkv_bias else []
    parts = ("attention norm", "qkv", *bias, "out", "mlp norm", "gate, up", "down")
    inner = [f"layer {index} {part}" for index in range(len(layers)) for part in parts]
    return ["embedding", *inner, "final norm", *([] if shape.is_tied else ["output"])]


def pieces(values, like):
    """A flat tensor cut as those of `like` are shaped."""
    parts = values.split([tensor.numel() for tensor in like])
    return [part.view(tensor.shape) for part, tensor in zip(parts, like)]


def errors_of(seen, trace, names):
    """{what: [(its part, error)]}, the native numbers being the measure."""
    native = {name: read_tensor(trace, name) for name in trace.names() if not name.startswith("layer.")}
    found = {
        "losses": [
            (f"step {i}", abs(a - b) / abs(b))
            for i, (a, b) in enumerate(zip(seen["losses"], native["losses"].tolist()))
        ],
        "layers": [
            (f"layer {i} input", largest_error(x.flatten(0, 1), read_tensor(trace, f"layer.{i}")))
            for i, x in enumerate(seen["layers"])
        ],
    }
    rows = native["logit_rows"].long()
    found["logits"] = [("rows", largest_error(seen["logits"][rows], native["logits"]))]
    if "gradients" in native:
        expected = pieces(native["gradients"], seen["gradients"])
        found["gradients"] = [
            (name, relative_error(a, b)) for name, a, b in zip(names, seen["gradients"], expected)
        ]
    if "trained" in native:
        expected = pieces(native["trained"], seen["trained"])
        epsilon, roundings = torch.finfo(seen["start"][0].dtype).eps, 2 * len(seen["losses"])
        found["moved"] = [
            (name, moved_error(a, b, s.float(), roundings, epsilon))
            for name, s, a, b in zip(names, seen["start"], seen["trained"], expected)
        ]
    return found


def main(settings_text, start, trace_path, *options):
    settings = json.loads(settings_text)
    torch.set_num_threads(settings["environment"]["threads"])
    training = settings["training"]
    try:
        trace = Safetensors(trace_path)
    finally:
        os.remove(trace_path)  # open is enough: nothing is left behind, whatever happens
    with trace:
        trainer = make_trainer(settings, start)
        seen = steps(trainer, settings["steps"])
        names = names_of(trainer, "lora-rank" in settings["params"])
        errors = errors_of(seen, trace, names)
    if training["gradients_only"]:
        errors.pop("moved", None)
    all_agree = True
    for what, found in errors.items():
        where, worst = max(found, key=lambda one: one[1])
        allowed = TOLERANCES[training["dtype"]][what]
        agrees = worst <= allowed  # false for NaN
        all_agree &= agrees
        print(f"{what:<12}{'agree' if agrees else 'DIFFER':<8}error {worst:.1e} ({where}), allowed {allowed:.0e}")
        if "--each-layer" in options:
            for where, error in found:
                print(f"    {where:<28}{error:.1e}")
    return 0 if all_agree else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
