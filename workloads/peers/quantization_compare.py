"""Holds codes and scales of PyTorch or numpy against those that perf-workloads writes into a file.

Started by torch_launch.py with the implementation, the settings and that file, which is removed. All
scales have to be the same; a code may differ only where x / scale is next to the middle between two
codes: both sides multiply with the inverse in single precision (workloads/kernels/quantize.h)."""

import json
import os
import sys

import numpy

from quantization_run import library, synthetic
from torch_peer.quantization import NF4_BORDERS, NF4_LEVELS, group_columns
from torch_peer.safetensors import Safetensors

NEAR = 2.0**-20  # of the larger of 1 and |x / scale|: two sides' 2^-21


def stored(file, name):
    """A tensor of bytes or scales; BF16 as uint16."""
    kind = {"U8": numpy.uint8, "F32": numpy.float32, "BF16": numpy.uint16}[file.dtype(name)]
    values = numpy.empty(file.shape(name), kind)
    file.read_into(name, values.ctypes.data, values.nbytes)
    return values


def as_numpy(result):
    """(codes, scales) of either library, scales as they are stored."""
    if isinstance(result[0], numpy.ndarray):
        return result
    import torch

    codes, scales = result
    return codes.numpy(), (scales.view(torch.int16) if scales.dtype == torch.bfloat16 else scales).numpy()


def as_floats(scales):
    if scales.dtype == numpy.float32:
        return scales
    return (scales.astype(numpy.uint32) << 16).view(numpy.float32)


def unpacked(codes, scheme):
    """One number each: 0 .. 15 of nf4, the integers of the others."""
    bits = scheme["bits"]
    if bits == 8:
        return codes.view(numpy.int8).astype(numpy.int32)
    each = 8 // bits
    values = numpy.empty((codes.shape[0], codes.shape[1] * each), numpy.int32)
    for place in range(each):
        values[:, place::each] = codes >> (place * bits) & ((1 << bits) - 1)
    return values if scheme["type"] == "nf4" else values - ((values >> (bits - 1)) << bits)


def wrong_codes(values, scales, own, native, scheme):
    """(how many differ, how many of them are no tie)"""
    at = numpy.nonzero(own != native)
    columns = values.shape[1]
    scale = as_floats(scales).astype(numpy.float64)[at[0], at[1] // group_columns(scheme, columns)]
    x = values[at].astype(numpy.float64) / scale
    low, high = numpy.minimum(own[at], native[at]), numpy.maximum(own[at], native[at])
    if scheme["type"] == "nf4":
        middle = NF4_BORDERS.astype(numpy.float64)[numpy.minimum(low, len(NF4_LEVELS) - 2)]
    else:
        middle = low + 0.5
    tie = (high - low == 1) & (numpy.abs(x - middle) <= NEAR * numpy.maximum(1, numpy.abs(x)))
    return len(x), int(numpy.count_nonzero(~tie))


def compare(settings, file, implementation):
    """Prints a line for each part of the model; whether all agree."""
    work = settings["quantization"]
    make, own, _ = library(implementation, settings)
    quantizer = make(work, work["tensors"])
    parts = {}
    for index, tensor in enumerate(work["tensors"]):
        values = synthetic(settings, index)
        codes, scales = as_numpy(quantizer(own(values), quantizer.output(*values.shape)))
        native = stored(file, tensor["name"] + ".codes")
        native_scales = stored(file, tensor["name"] + ".scales")
        sums = parts.setdefault(tensor["part"], [0, 0, 0, 0])
        sums[0] += values.size
        sums[3] += int(numpy.count_nonzero(scales.view(f"u{scales.itemsize}") != native_scales.view(f"u{scales.itemsize}")))
        differ = wrong_codes(values, native_scales, unpacked(codes, work), unpacked(native, work), work)
        sums[1] += differ[0]
        sums[2] += differ[1]
    print(f"{settings['workload']}: {implementation}")
    for part, (values, differ, wrong, scales) in parts.items():
        agree = "agree" if wrong == 0 and scales == 0 else "DIFFER"
        print(f"  {part:<10}{agree:<8}{differ} of {values} codes differ, {wrong} of them no ties; {scales} scales differ")
    return all(sums[2] == 0 and sums[3] == 0 for sums in parts.values())


def main(implementation, settings_text, path):
    settings = json.loads(settings_text)
    try:
        file = Safetensors(path)
    finally:
        os.remove(path)
    with file:
        return 0 if compare(settings, file, implementation) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
