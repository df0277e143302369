"""A decoder's matrices for inference, (outputs, inputs) each, in the forms that PyTorch multiplies
fastest on a CPU. docs/peers.md has what was measured."""

import torch
import torch.nn.functional as F

INT8_ENGINES = ("fbgemm", "onednn")  # in the order in which they are taken


class Matrix:
    """Plain rows of fp32 or bf16."""

    def __init__(self, values):
        self.values = values
        self._by_vector = values.dtype == torch.float32

    def bytes(self):
        """What a product reads."""
        return self.values.numel() * self.values.element_size()

    def rows(self, tokens):
        """Those of so many tokens: the embedding."""
        return F.embedding(tokens, self.values)

    def product(self, x, bias=None):
        """(rows, outputs) of x (rows, inputs). One row of fp32 is a matrix-vector product: BLAS
        streams the matrix twice as fast for it. bf16 has oneDNN's product for any rows."""
        if self._by_vector and x.shape[0] == 1:
            y = torch.mv(self.values, x[0]) if bias is None else torch.addmv(bias, self.values, x[0])
            return y.unsqueeze(0)
        return F.linear(x, self.values, bias)

    def add_product(self, sum_, x):
        """sum_ + product(x)"""
        if self._by_vector:
            if x.shape[0] == 1:
                return torch.addmv(sum_[0], self.values, x[0]).unsqueeze(0)
            return torch.addmm(sum_, x, self.values.t())
        return sum_ + F.linear(x, self.values)


class Int8Matrix:
    """PyTorch's own dynamic quantization: int8 with a scale for each row, inputs rounded as they
    come; what torch.quantization.quantize_dynamic makes of a linear layer, its reduce_range
    included. Inputs have 7 bits: without VNNI, FBGEMM adds two products of 8 bits in a signed
    16-bit number (vpmaddubsw), which saturates."""

    def __init__(self, values):
        largest = values.abs().amax(1).clamp(min=1e-12)
        zeros = torch.zeros(values.shape[0], dtype=torch.int64)
        stored = torch.quantize_per_channel(values, largest.double() / 127, zeros, 0, torch.qint8)
        self._packed = torch.ops.quantized.linear_prepack(stored, None)
        self._bytes = values.numel() + 4 * values.shape[0]

    def bytes(self):
        return self._bytes

    def product(self, x, bias=None):
        y = torch.ops.quantized.linear_dynamic(x, self._packed, reduce_range=True)
        return y if bias is None else y.add_(bias)

    def add_product(self, sum_, x):
        return self.product(x).add_(sum_)


class Int8Embedding(Int8Matrix):
    """The one that is read by rows as well: a copy beside the packed one."""

    def __init__(self, values):
        super().__init__(values)
        self._scales = values.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
        self._rows = torch.round(values / self._scales).to(torch.int8)

    def rows(self, tokens):
        return self._rows[tokens].float() * self._scales[tokens]


def int8_engine():
    """Which of this PyTorch's engines multiplies int8 on this CPU, or None."""
    supported = torch.backends.quantized.supported_engines
    return next((name for name in INT8_ENGINES if name in supported), None)


def forms(weights):
    """(of the embedding, of the other matrices) for `weights`: fp32, bf16, int8."""
    if weights != "int8":
        return Matrix, Matrix
    torch.backends.quantized.engine = int8_engine()
    return Int8Embedding, Int8Matrix
