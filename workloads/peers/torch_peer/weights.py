"""The model's weights, a batch and the adapters, from a file that `perf-workloads export` wrote."""

import math

import torch

from .decoder import PROJECTIONS, Layer, Weights
from .safetensors import BadFile

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
NAMES_IN_FILE = {torch.float32: "F32", torch.bfloat16: "BF16", torch.int32: "I32"}


def _as_it_is(matrix):
    return matrix


def read_weights(file, shape, dtype, forms=(_as_it_is, _as_it_is)):
    """Everything in its own memory. Parts of one product (q, k, v; gate, up) become one matrix.
    `forms` make of the embedding, and of another matrix, what is kept of it."""
    embedding_form, form = forms
    layers = [_layer(file, shape, dtype, form, f"model.layers.{i}.") for i in range(shape.layers)]
    embedding = _joined(file, dtype, shape.hidden, "model.embed_tokens.weight")
    norm = _vector(file, dtype, "model.norm.weight")
    output = None if shape.is_tied else form(_joined(file, dtype, shape.hidden, "lm_head.weight"))
    return Weights(embedding_form(embedding), layers, norm, output)


def read_adapters(file, weights, dtype):
    """Puts each layer's (A, B) where it belongs."""
    for index, layer in enumerate(weights.layers):
        for name in PROJECTIONS:
            a, b = f"lora.{index}.{name}.A", f"lora.{index}.{name}.B"
            if a in file:
                layer.adapters[name] = tuple(
                    _joined(file, dtype, file.shape(part)[1], part) for part in (a, b)
                )


def read_batch(file):
    """tokens and targets (B, L)."""
    return tuple(read_whole(file, name).long() for name in ("tokens", "targets"))


def read_whole(file, name):
    """One tensor of whole numbers."""
    return _filled(file, torch.empty(file.shape(name), dtype=torch.int32), [name])


def read_tensor(file, name):
    """One tensor of single precision."""
    return _filled(file, torch.empty(file.shape(name)), [name])


def _layer(file, shape, dtype, form, prefix):
    attention = [f"{prefix}self_attn.{name}_proj." for name in "qkv"]
    return Layer(
        attention_norm=_vector(file, dtype, prefix + "input_layernorm.weight"),
        qkv=form(_joined(file, dtype, shape.hidden, *(name + "weight" for name in attention))),
        qkv_bias=_vector(file, dtype, *(name + "bias" for name in attention))
        if shape.has_qkv_bias
        else None,
        out=form(_joined(file, dtype, shape.query_width, prefix + "self_attn.o_proj.weight")),
        mlp_norm=_vector(file, dtype, prefix + "post_attention_layernorm.weight"),
        gate_up=form(
            _joined(
                file,
                dtype,
                shape.hidden,
                *(f"{prefix}mlp.{name}_proj.weight" for name in ("gate", "up")),
            )
        ),
        down=form(_joined(file, dtype, shape.intermediate, prefix + "mlp.down_proj.weight")),
    )


def _joined(file, dtype, columns, *names):
    """The matrices (rows, columns) of these names, one below the other."""
    for name in names:
        if file.shape(name)[1:] != (columns,):
            raise BadFile(f"{file.path}: {name} is {file.shape(name)}, not of {columns} columns")
    rows = sum(file.shape(name)[0] for name in names)
    return _filled(file, torch.empty(rows, columns, dtype=dtype), names)


def _vector(file, dtype, *names):
    length = sum(file.shape(name)[0] for name in names)
    return _filled(file, torch.empty(length, dtype=dtype), names)


def _filled(file, tensor, names):
    address = tensor.data_ptr()
    for name in names:
        if file.dtype(name) != NAMES_IN_FILE[tensor.dtype]:
            raise BadFile(f"{file.path}: {name} is {file.dtype(name)}, not {tensor.dtype}")
        size = tensor.element_size() * math.prod(file.shape(name))
        file.read_into(name, address, size)
        address += size
    return tensor
