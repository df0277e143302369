"""The micro workloads softmax, layer_norm, rms_norm, attention and matmul in PyTorch, in the format `steps`.

Started by torch_launch.py with the settings (one JSON object). Inputs are those of the native side,
and the result of what was timed is held against the same in double precision."""

import json
import math
import sys

import numpy
import torch
import torch.nn.functional as F

from torch_peer.facts import facts
from torch_peer.parity import largest_error
from torch_peer.random_numbers import derived_seed, fill_normal, fill_uniform
from torch_peer.steps import StepEmitter

EPSILON = 1e-5  # workloads/micro/row_work.h
TOLERANCE = 1e-5


def filled(fill, shape, seed, stream, width):
    values = numpy.empty(shape, numpy.float32)
    fill(values, derived_seed(seed, stream), width)
    return torch.from_numpy(values)


class Rows:
    """As workloads/micro/row_work.cpp fills them."""

    def __init__(self, params, seed):
        columns = params["columns"]
        self.inputs = [
            filled(fill_normal, (params["rows"], columns), seed, 1, 2.0),
            filled(fill_uniform, columns, seed, 2, 1.0),
            filled(fill_uniform, columns, seed, 3, 1.0),
        ]


class Softmax(Rows):
    def __call__(self, x, *_):
        return torch.softmax(x, 1)


class LayerNorm(Rows):
    def __call__(self, x, gain, bias):
        return F.layer_norm(x, x.shape[1:], gain, bias, EPSILON)


class RmsNorm(Rows):
    """PyTorch 1.13 has none of its own: the fewest passes that its operations make, and one result that is
    written over. As models write it, x * rsqrt(mean(x^2) + epsilon) * gain, takes two thirds longer."""

    _out = None

    def __call__(self, x, gain, _):
        if self._out is None or self._out.dtype != x.dtype:
            self._out = torch.empty_like(x)
        norm = torch.linalg.vector_norm(x, dim=1, keepdim=True)
        factor = norm.square_().div_(x.shape[1]).add_(EPSILON).rsqrt_()
        return torch.mul(x, factor, out=self._out).mul_(gain)


class Attention:
    """What nn.MultiheadAttention computes of these heads: two products of all heads, softmax in
    place. The fused kernel of this PyTorch is for inputs that are projected with them."""

    def __init__(self, params, seed):
        self._sequences, self._length = params["batch-size"], params["seq-len"]
        self._heads, self._size = params["heads"], params["head-size"]
        width = 3 * self._heads * self._size
        # q, k, v side by side, as kernels/qkv_rows.h; in double precision below, too.
        self.inputs = [filled(fill_normal, (self._sequences * self._length, width), seed, 0, 1.5)]
        self._mask = None
        if params["causal"] == "on":
            self._mask = torch.full((self._length, self._length), -math.inf).triu_(1)

    def __call__(self, qkv):
        shape = (self._sequences, self._length, 3, self._heads, self._size)
        q, k, v = qkv.view(shape).permute(2, 0, 3, 1, 4).flatten(1, 2).unbind(0)
        scale = 1 / math.sqrt(self._size)
        if self._mask is None:
            scores = torch.bmm(q, k.transpose(1, 2)).mul_(scale)
        else:
            scores = torch.baddbmm(self._mask.to(q.dtype), q, k.transpose(1, 2), alpha=scale)
        out = torch.bmm(torch.softmax(scores, -1), v)
        return out.view(self._sequences, self._heads, self._length, self._size).transpose(1, 2).reshape(len(qkv), -1)


class Matmul:
    """Uniform values in [-1, 1): workloads/micro/matmul.cpp."""

    def __init__(self, params, seed):
        m, n, k = params["m"], params["n"], params["k"]
        self.inputs = [filled(fill_uniform, (m, k), seed, 1, 1.0), filled(fill_uniform, (k, n), seed, 2, 1.0)]

    def __call__(self, a, b):
        return torch.mm(a, b)


WORK = {"softmax": Softmax, "layer_norm": LayerNorm, "rms_norm": RmsNorm, "attention": Attention, "matmul": Matmul}


def main(settings_text):
    settings = json.loads(settings_text)
    torch.set_num_threads(settings["environment"]["threads"])
    torch.set_num_interop_threads(1)
    params = settings["params"]
    out = StepEmitter(
        settings["workload"], {**params, "implementation": "torch"}, settings["steps"], settings["warmup"]
    )
    out.environment(**facts("fp32"))
    with torch.inference_mode():
        work = WORK[settings["workload"].split("/")[1]](params, settings["seed"])
        work(*work.inputs)
        while out.next_step():
            for _ in range(params["calls"]):
                result = work(*work.inputs)
            out.phase("forward")
        out.metric("call_time", "s", "lower", out.median_seconds() / params["calls"])
        expected = work(*(values.double() for values in work.inputs))
        out.check("output_matches_reference", largest_error(result.double(), expected), TOLERANCE)
    out.finish()
    print(f"{settings['workload']} in PyTorch {torch.__version__}: call {out.metrics['call_time']:.4g} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
