"""From settings and files to something that can generate, read or draw."""

import torch

from .decoder import Shape
from .generator import Generator
from .matrices import forms
from .weights import DTYPES, read_tensor, read_weights, read_whole


def dtype_of(weights):
    """Of activations, keys and values: int8 has only its matrices in it."""
    return DTYPES["fp32" if weights == "int8" else weights]


def units_from(bits):
    """Numbers in [0,1) of 32 bits, as perf-workloads draws them."""
    return (bits.long() & 0xFFFFFFFF).double() / 2.0**32


class Inputs:
    """What `perf-workloads export WORKLOAD` wrote of one series."""

    def __init__(self, file, series):
        self._file, self._prefix = file, series["name"] + "/"

    def tokens(self):
        return read_whole(self._file, self._prefix + "tokens").long()

    def units(self):
        return units_from(read_whole(self._file, self._prefix + "unit_bits"))

    def logits(self):
        return read_tensor(self._file, self._prefix + "logits")


def make_weights(settings, series, file):
    weights = series["inference"]["weights"]
    return read_weights(file, Shape(**settings["model"]), dtype_of(weights), forms(weights))


def make_generator(settings, series, weights):
    work = series["inference"]
    return Generator(Shape(**settings["model"]), weights, work["sequences"], work["capacity"])


def generate(generator, prompt, units, sampler, phase):
    """New tokens (B, N), one by one; `phase(name)` ends a part and says its seconds. Returns them
    and each one's seconds: the first from the beginning on, the others from the one before on."""
    generator.reset()
    next_, tokens, seconds = prompt, [], []
    for index in range(units.shape[1]):
        logits = generator.advance(next_)
        took = phase("prefill" if index == 0 else "decode")
        chosen = [[sampler.choose(row, unit)] for row, unit in zip(logits, units[:, index].tolist())]
        next_ = torch.tensor(chosen)
        tokens.append(next_)
        seconds.append(took + phase("sample"))
    return torch.cat(tokens, dim=1), seconds
