"""The decoder for inference, in plain PyTorch: keys and values of the tokens before are kept in memory
that is taken once, nothing is recorded for a way back, and only the last tokens' logits are made."""

import math

import torch
import torch.nn.functional as F

from .decoder import causal_attention, rms_norm, rotary_table, rotate


class Generator:
    """B sequences, all of the same length. Call everything under torch.inference_mode()."""

    def __init__(self, shape, weights, sequences, capacity):
        """`weights` as decoder.Weights has them, with matrices of matrices.py."""
        self.shape, self.weights, self.sequences = shape, weights, sequences
        dtype = weights.final_norm.dtype
        size = (sequences * shape.kv_heads, capacity, shape.head_size)
        self.keys = [torch.zeros(size, dtype=dtype) for _ in weights.layers]
        self.values = [torch.zeros(size, dtype=dtype) for _ in weights.layers]
        self.table = rotary_table(shape, capacity, dtype)
        self.length = 0

    def reset(self):
        self.length = 0

    def advance(self, tokens):
        """tokens (B, count) to each sequence: logits (B, V) after the last ones. More than one only
        from the beginning."""
        count = tokens.shape[1]
        if count > 1 and self.length > 0:
            raise ValueError("a prompt can only be read from the beginning")
        epsilon, start = self.shape.norm_epsilon, self.length
        x = self.weights.embedding.rows(tokens.flatten())
        table = tuple(part[start : start + count] for part in self.table)
        for layer, keys, values in zip(self.weights.layers, self.keys, self.values):
            y = self._attention(layer, rms_norm(x, layer.attention_norm, epsilon), table, keys, values)
            x = layer.out.add_product(x, y)
            gate_up = layer.gate_up.product(rms_norm(x, layer.mlp_norm, epsilon))
            gate, up = gate_up.split(self.shape.intermediate, dim=-1)
            x = layer.down.add_product(x, F.silu(gate).mul_(up))
        self.length += count
        last = x.view(self.sequences, count, -1)[:, -1]
        return self.weights.output.product(rms_norm(last, self.weights.final_norm, epsilon))

    def bytes_read(self):
        """What the next token of each sequence reads: all matrices, and keys and values so far."""
        matrices = [
            matrix.bytes()
            for layer in self.weights.layers
            for matrix in (layer.qkv, layer.out, layer.gate_up, layer.down)
        ]
        position = sum(part[:, 0].numel() * part.element_size() for part in (*self.keys, *self.values))
        return sum(matrices) + self.weights.output.bytes() + self.length * position

    def cache_bytes(self):
        return sum(part.numel() * part.element_size() for part in (*self.keys, *self.values))

    def _attention(self, layer, x, table, keys, values):
        shape, batch = self.shape, self.sequences
        count = x.shape[0] // batch
        widths = (shape.query_width, shape.kv_width, shape.kv_width)
        qkv = layer.qkv.product(x, layer.qkv_bias).split(widths, dim=-1)
        q, k, v = (y.view(batch, count, -1, shape.head_size).transpose(1, 2) for y in qkv)
        q, k = rotate(q, table), rotate(k, table)
        end = self.length + count
        keys[:, self.length : end] = k.reshape(-1, count, shape.head_size)
        values[:, self.length : end] = v.reshape(-1, count, shape.head_size)
        group = shape.heads // shape.kv_heads
        if count > 1:
            k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
            y = causal_attention(q, k, v)
        else:  # heads that share keys are the rows of one product: nothing is repeated
            q = q.reshape(-1, group, shape.head_size)
            scores = torch.bmm(q, keys[:, :end].transpose(1, 2)).mul_(1 / math.sqrt(shape.head_size))
            y = torch.bmm(scores.softmax(-1), values[:, :end]).view(batch, shape.heads, 1, -1)
        return y.transpose(1, 2).reshape(batch * count, shape.query_width)
