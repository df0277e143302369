"""What the quantizers of both libraries share: the scheme, as workloads/kernels/quantize.h states it."""

import numpy

# m / divisor is the scale, with m the value of largest magnitude, or with `signed` off its magnitude.
TYPES = {
    "int8": {"divisor": 127, "signed": False, "lowest": -127, "highest": 127},
    "int4": {"divisor": -8, "signed": True, "lowest": -8, "highest": 7},
    "int2": {"divisor": -2, "signed": True, "lowest": -2, "highest": 1},
    "nf4": {"divisor": 1, "signed": False},
}
SMALLEST_NORMAL = float(numpy.finfo(numpy.float32).tiny)  # what has a scale below becomes zeros

# workloads/kernels/quantized_group.h: arXiv:2305.14314, appendix E.
NF4_LEVELS = numpy.array(
    [
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453,
        -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
        0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
        0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ],
    numpy.float32,
)  # fmt: skip
NF4_BORDERS = (NF4_LEVELS[:-1] + NF4_LEVELS[1:]) / 2


def group_columns(scheme, columns):
    """How many columns share a scale; None where the last group of a row would be shorter."""
    group = scheme["group"] or columns
    return group if columns % group == 0 else None


def largest_matrix(tensors):
    return max(tensor["rows"] * tensor["columns"] for tensor in tensors)
