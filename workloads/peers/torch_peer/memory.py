"""Whether the memory that PyTorch's side takes is there: the system kills what takes more, and, now and
then, its neighbours."""

from .native import ASKED_WRONGLY, Refused

# Beyond what the native side is predicted to take: PyTorch makes the logits of all rows at once, and
# from them log probabilities, gradients and copies in its malloc; and its libraries. So predicted and
# resident after a step, in fp32: default model 11.4 and 11.3 GB, LoRA 5.2 and 6.0, tiny 0.87 and 0.88.
COPIES_OF_LOGITS = 6
LIBRARIES = 250e6  # bytes
BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
GIBI = 1024.0**3


def needed(settings):
    """Bytes that a run with these settings takes, about."""
    if "series" in settings:
        return settings["memory"]["predicted"] + max(_beside(one, settings.get("model")) for one in settings["series"]) + LIBRARIES
    if "training" not in settings:  # scratch for the largest matrix, several times over
        return settings.get("memory", {"predicted": 0})["predicted"] + _scratch(settings) + LIBRARIES
    training = settings["training"]
    logits = training["batch"] * training["length"] * settings["model"]["vocabulary"] * BYTES[training["dtype"]]
    return settings["memory"]["predicted"] + COPIES_OF_LOGITS * logits + LIBRARIES


def _scratch(settings):
    """Of a quantization, by numpy: as floats x, rounded and clipped, and codes; nf4's indices of 8 bytes."""
    tensors = settings.get("quantization", {"tensors": []})["tensors"]
    return 24 * max((tensor["rows"] * tensor["columns"] for tensor in tensors), default=0)


def _beside(series, model):
    """Beyond the native side's, of an inference: attention's scores of whole sequences with mask and
    softmax; of int8 the embedding twice more, and in fp32 while it is rounded."""
    work = series["inference"]
    if work["kind"] == "sampling":
        return 0
    model_scores = work["sequences"] * model["heads"] * work["length"] ** 2
    embedding = model["vocabulary"] * model["hidden"]
    return 4 * 4 * model_scores + (10 * embedding if work["weights"] == "int8" else 0)


def require_fit(settings):
    """Throws Refused where less is available, with both figures and what takes less."""
    available = settings.get("memory", {"available": 0})["available"]
    wanted = needed(settings)
    if available == 0 or wanted <= available:
        return
    if "series" in settings:
        raise Refused(
            f"error: not enough memory: in PyTorch, {settings['workload']} would take about {wanted:.0f} "
            f"bytes ({wanted / GIBI:.1f} GiB), {available:.0f} bytes ({available / GIBI:.1f} GiB) are "
            "available\nhint: a smaller --model, --batch-size or --seq-len, or --weights bf16",
            ASKED_WRONGLY,
        )
    if "training" not in settings:
        raise Refused(
            f"error: not enough memory: {settings['workload']} would take about {wanted / GIBI:.1f} GiB, "
            f"{available / GIBI:.1f} GiB are available\nhint: a smaller --model",
            ASKED_WRONGLY,
        )
    params, training = settings["params"], settings["training"]
    ways = []
    if params.get("checkpointing") == "off":
        ways.append("--checkpointing on")
    if training["dtype"] == "fp32":
        ways.append("--dtype bf16")
    if training["length"] > 1:
        ways.append(f"--seq-len {training['length'] // 2}")
    if settings["workload"] != "training/lora_finetune":
        ways.append("training/lora_finetune")
    raise Refused(
        f"error: not enough memory: in PyTorch, {params['model']} would take about {wanted:.0f} bytes "
        f"({wanted / GIBI:.1f} GiB), {available:.0f} bytes ({available / GIBI:.1f} GiB) are available\n"
        f"hint: {', '.join([*ways, 'a smaller --model'])}",
        ASKED_WRONGLY,
    )
