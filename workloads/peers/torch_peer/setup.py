"""From settings and a starting point to something that can take steps."""

from .decoder import Decoder, Shape
from .safetensors import Safetensors
from .trainer import Trainer, make_optimizer
from .weights import DTYPES, read_adapters, read_batch, read_weights


def make_trainer(settings, path):
    params, training = settings["params"], settings["training"]
    shape, dtype = Shape(**settings["model"]), DTYPES[training["dtype"]]
    with Safetensors(path) as file:
        weights = read_weights(file, shape, dtype)
        read_adapters(file, weights, dtype)
        tokens, targets = read_batch(file)
    has_adapters = "lora-rank" in params
    scale = params["lora-alpha"] / params["lora-rank"] if has_adapters else 0.0
    decoder = Decoder(shape, weights, scale, params["checkpointing"] == "on")
    trained = weights.adapters() if has_adapters else weights.tensors()
    optimizer = None
    if not training["gradients_only"]:
        optimizer = make_optimizer(
            training["optimizer"], trained, params["learning-rate"], params["weight-decay"]
        )
    return Trainer(decoder, tokens, targets, trained, optimizer)
