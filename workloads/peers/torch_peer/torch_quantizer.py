"""Quantizes a matrix with PyTorch, by all its threads. What is needed on the way is taken once, for
the largest matrix, and the results are written where they stay."""

import torch

from .quantization import NF4_BORDERS, SMALLEST_NORMAL, TYPES, group_columns, largest_matrix


class TorchQuantizer:
    def __init__(self, scheme, tensors):
        self._scheme, self._type = scheme, TYPES[scheme["type"]]
        largest = largest_matrix(tensors)
        self._scaled = torch.empty(largest)
        self._codes = torch.empty(largest if scheme["bits"] < 8 else 0, dtype=torch.uint8)
        self._shifted = torch.empty(largest * scheme["bits"] // 8 if scheme["bits"] < 8 else 0, dtype=torch.uint8)
        self._indices = torch.empty(largest if scheme["type"] == "nf4" else 0, dtype=torch.int32)
        self._borders = torch.from_numpy(NF4_BORDERS)

    def output(self, rows, columns):
        groups = columns // group_columns(self._scheme, columns)
        stored = torch.float32 if self._scheme["group"] == 0 else torch.bfloat16
        codes = torch.empty(rows, columns * self._scheme["bits"] // 8, dtype=torch.uint8)
        return codes, torch.empty(rows, groups, dtype=stored)

    def __call__(self, values, output):
        """Fills output, (codes, scales), from values (rows,columns); and returns it."""
        codes, stored = output
        rows, columns = values.shape
        grouped = values.view(rows, stored.shape[1], -1)
        stored.copy_(self._scales(grouped))
        scales = stored.float()
        inverse = torch.where(scales.abs() >= SMALLEST_NORMAL, scales.reciprocal(), torch.zeros(()))
        x = self._scaled[: values.numel()].view(grouped.shape)
        torch.mul(grouped, inverse.unsqueeze(2), out=x)
        x = x.view(rows, columns)
        if self._scheme["type"] == "nf4":
            indices = self._indices[: values.numel()].view(rows, columns)
            x = torch.bucketize(x, self._borders, out_int32=True, out=indices)
        else:
            x.round_().clamp_(self._type["lowest"], self._type["highest"])
        if self._scheme["bits"] == 8:
            codes.view(torch.int8).copy_(x)
        else:
            self._pack(x, codes)
        return output

    def _scales(self, grouped):
        high, low = grouped.amax(2), grouped.amin(2)
        largest = torch.where(high > -low, high, low)  # of opposite ones the negative
        if not self._type["signed"]:
            largest = largest.abs()
        return largest / self._type["divisor"]

    def _pack(self, x, packed):
        bits = self._scheme["bits"]
        each, mask = 8 // bits, (1 << bits) - 1
        codes = self._codes[: x.numel()].view(x.shape)
        codes.view(torch.int8).copy_(x)
        codes.bitwise_and_(mask)
        packed.copy_(codes[:, ::each])
        shifted = self._shifted[: packed.numel()].view(packed.shape)
        for place in range(1, each):
            torch.bitwise_left_shift(codes[:, place::each], place * bits, out=shifted)
            packed.bitwise_or_(shifted)
