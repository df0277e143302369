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
    training = settings["training"]
    logits = training["batch"] * training["length"] * settings["model"]["vocabulary"] * BYTES[training["dtype"]]
    return settings["memory"]["predicted"] + COPIES_OF_LOGITS * logits + LIBRARIES


def require_fit(settings):
    """Throws Refused where less is available, with both figures and what takes less."""
    available = settings["memory"]["available"]
    wanted = needed(settings)
    if available == 0 or wanted <= available:
        return
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
        f"  try: {', '.join([*ways, 'a smaller --model'])}",
        ASKED_WRONGLY,
    )
