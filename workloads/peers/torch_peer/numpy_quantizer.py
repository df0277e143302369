"""Quantizes a matrix with numpy, as one writes it there: all of a matrix at once."""

import numpy

from .quantization import NF4_BORDERS, SMALLEST_NORMAL, TYPES, group_columns


class NumpyQuantizer:
    def __init__(self, scheme, _):
        self._scheme, self._type = scheme, TYPES[scheme["type"]]

    def output(self, rows, columns):
        """Nothing is kept for it: numpy's expressions return new arrays."""
        return None

    def __call__(self, values, _):
        """(codes, scales) of values (rows,columns)."""
        rows, columns = values.shape
        grouped = values.reshape(rows, -1, group_columns(self._scheme, columns))
        scales = self._scales(grouped)
        inverse = numpy.zeros_like(scales)
        numpy.divide(1, scales, out=inverse, where=numpy.abs(scales) >= SMALLEST_NORMAL)
        x = grouped * inverse[:, :, None]
        if self._scheme["type"] == "nf4":
            codes = numpy.searchsorted(NF4_BORDERS, x).astype(numpy.uint8)
        else:
            codes = numpy.clip(numpy.rint(x), self._type["lowest"], self._type["highest"])
            codes = codes.astype(numpy.int8).view(numpy.uint8)
        return self._packed(codes.reshape(rows, columns)), self._stored(scales)

    def _scales(self, grouped):
        high, low = grouped.max(2), grouped.min(2)
        largest = numpy.where(high > -low, high, low)  # of opposite ones the negative
        if not self._type["signed"]:
            largest = numpy.abs(largest)
        scales = largest / numpy.float32(self._type["divisor"])
        return scales if self._scheme["group"] == 0 else _rounded_to_bf16(scales)

    def _stored(self, scales):
        return scales if self._scheme["group"] == 0 else (scales.view(numpy.uint32) >> 16).astype(numpy.uint16)

    def _packed(self, codes):
        bits = self._scheme["bits"]
        if bits == 8:
            return codes
        each = 8 // bits
        mask = (1 << bits) - 1
        packed = codes[:, ::each] & mask
        for place in range(1, each):
            packed |= (codes[:, place::each] & mask) << (place * bits)
        return packed


def _rounded_to_bf16(scales):
    """To the nearest, ties to even, still as float32."""
    bits = scales.view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & numpy.uint32(0xFFFF0000)).view(numpy.float32)
