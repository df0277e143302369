"""The decoder (Qwen2 or Llama kind) and its LoRA adapters, in plain PyTorch.

Written as one would who wants it fast: the projections of a layer that read the same input are one
product, the scores go through PyTorch's own attention, and nothing frozen asks for a gradient.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

PROJECTIONS = ("q", "k", "v", "o", "gate", "up", "down")


@dataclasses.dataclass
class Shape:
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_size: int
    intermediate: int
    vocabulary: int
    rope_theta: float
    norm_epsilon: float
    is_tied: bool
    has_qkv_bias: bool
    rope_factor: float
    rope_low_frequency: float
    rope_high_frequency: float
    rope_original_positions: float

    @property
    def query_width(self):
        return self.heads * self.head_size

    @property
    def kv_width(self):
        return self.kv_heads * self.head_size


@dataclasses.dataclass
class Layer:
    """Matrices are (outputs, inputs). qkv_bias may be None. `adapters` has (A, B) by projection, where there is one."""

    attention_norm: torch.Tensor
    qkv: torch.Tensor
    qkv_bias: torch.Tensor
    out: torch.Tensor
    mlp_norm: torch.Tensor
    gate_up: torch.Tensor
    down: torch.Tensor
    adapters: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Weights:
    embedding: torch.Tensor
    layers: list
    final_norm: torch.Tensor
    own_output: torch.Tensor = None  # of a tied model the output is the embedding

    @property
    def output(self):
        return self.embedding if self.own_output is None else self.own_output

    def tensors(self):
        """All of the model's own, adapters left out."""
        names = [field.name for field in dataclasses.fields(Layer) if field.name != "adapters"]
        inner = [getattr(layer, name) for layer in self.layers for name in names]
        all_of_them = [self.embedding, *inner, self.final_norm, self.own_output]
        return [tensor for tensor in all_of_them if tensor is not None]

    def adapters(self):
        return [
            tensor
            for layer in self.layers
            for name in PROJECTIONS
            for tensor in layer.adapters.get(name, ())
        ]


def rms_norm(x, gain, epsilon):
    """In single precision, rounded before the gain, as the published model has it."""
    wide = x.float()
    wide = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon)
    return gain * wide.to(x.dtype)


def scaled_frequencies(shape, frequencies):
    """As transformers' _compute_llama3_parameters() has them."""
    turns = frequencies * shape.rope_original_positions / (2 * math.pi)
    low, high = shape.rope_low_frequency, shape.rope_high_frequency
    fast = ((turns - low) / (high - low)).clamp(0, 1)
    return frequencies * (fast + (1 - fast) / shape.rope_factor)


def rotary_table(shape, length, dtype):
    frequencies = shape.rope_theta ** (
        -torch.arange(0, shape.head_size, 2, dtype=torch.float64) / shape.head_size
    )
    frequencies = scaled_frequencies(shape, frequencies)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), frequencies)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x, table):
    """x (B, heads, L, size): the pair (i, i + size/2) turned by its position's angle."""
    cosines, sines = table
    low, high = x.chunk(2, dim=-1)
    return x * cosines + torch.cat((-high, low), dim=-1) * sines


def causal_attention(q, k, v):
    """PyTorch's own: public since 2.0, before that under another name."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return F._scaled_dot_product_attention(q, k, v, None, 0.0, False, True)[0]


class Decoder:
    def __init__(self, shape, weights, lora_scale=0.0, checkpointing=False):
        self.shape, self.weights = shape, weights
        self.lora_scale, self.checkpointing = lora_scale, checkpointing

    def hidden(self, tokens, sees=None):
        """(B, L, H): the last layer's output. `sees` is called with each layer's input, then that."""
        weights = self.weights
        # A sparse gradient touches the rows of the batch's tokens, and no others; optimizers take none
        # that is not added to a dense one, the output's.
        x = F.embedding(tokens, weights.embedding, sparse=self.shape.is_tied)
        table = rotary_table(self.shape, tokens.shape[1], x.dtype)
        for layer in weights.layers:
            if sees is not None:
                sees(x)
            if self.checkpointing and torch.is_grad_enabled():
                # Not the reentrant kind: what goes into the first layer may need no gradient.
                x = checkpoint(self._layer, layer, x, table, use_reentrant=False)
            else:
                x = self._layer(layer, x, table)
        if sees is not None:
            sees(x)
        return x

    def logits(self, hidden):
        """(rows, V) of the last layer's output (rows, H)."""
        normed = rms_norm(hidden, self.weights.final_norm, self.shape.norm_epsilon)
        return F.linear(normed, self.weights.output)

    def _layer(self, layer, x, table):
        epsilon = self.shape.norm_epsilon
        x = x + self._attention(layer, rms_norm(x, layer.attention_norm, epsilon), table)
        return x + self._mlp(layer, rms_norm(x, layer.mlp_norm, epsilon))

    def _attention(self, layer, x, table):
        shape, (batch, length, _) = self.shape, x.shape
        widths = (shape.query_width, shape.kv_width, shape.kv_width)
        q, k, v = F.linear(x, layer.qkv, layer.qkv_bias).split(widths, dim=-1)
        q, k, v = (self._adapted(layer, name, x, y) for name, y in zip("qkv", (q, k, v)))
        q, k, v = (
            y.view(batch, length, -1, shape.head_size).transpose(1, 2) for y in (q, k, v)
        )
        q, k = rotate(q, table), rotate(k, table)
        group = shape.heads // shape.kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        y = causal_attention(q, k, v)
        y = y.transpose(1, 2).reshape(batch, length, shape.query_width)
        return self._adapted(layer, "o", y, F.linear(y, layer.out))

    def _mlp(self, layer, x):
        gate, up = F.linear(x, layer.gate_up).split(self.shape.intermediate, dim=-1)
        gate, up = self._adapted(layer, "gate", x, gate), self._adapted(layer, "up", x, up)
        y = F.silu(gate) * up
        return self._adapted(layer, "down", y, F.linear(y, layer.down))

    def _adapted(self, layer, name, x, y):
        if name not in layer.adapters:
            return y
        a, b = layer.adapters[name]
        return y + F.linear(F.linear(x, a), b) * self.lora_scale
