"""What the native program says and writes: the settings of a run, and what it starts from."""

import hashlib
import json
import os
import signal
import subprocess

from . import cache

ASKED_WRONGLY, COULD_NOT_RUN = 2, 3


class Refused(Exception):
    """Why nothing runs, as a line for people, with the exit status."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def program():
    here = os.path.dirname(os.path.abspath(__file__))
    return os.environ.get("PERF_WORKLOADS") or os.path.normpath(
        os.path.join(here, "../../../build/bin/perf-workloads")
    )


def ask(*arguments):
    """The program's standard output; its refusal becomes ours."""
    try:
        answer = subprocess.run([program(), *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Refused(f"error: {program()}: {error.strerror}", COULD_NOT_RUN) from error
    if answer.returncode == 0:
        return answer.stdout
    said = answer.stderr
    if answer.returncode < 0 or not said:
        said += f"error: {program()} {arguments[0]}: {_ending(answer.returncode)}"
    status = ASKED_WRONGLY if answer.returncode == ASKED_WRONGLY else COULD_NOT_RUN
    raise Refused(said.rstrip("\n"), status)


def _ending(status):
    if status == -signal.SIGKILL:
        return f"killed by signal {-status}, as the system does where memory runs out"
    return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def settings(arguments):
    """What `perf-workloads run` with these arguments would go by: workloads/commands/settings_command.h."""
    return json.loads(ask("settings", *arguments))


def require_supported(settings, implementation="torch"):
    """Throws Refused for what this peer has not."""
    side = "PyTorch's" if implementation == "torch" else "numpy's"

    def refuse(what, hint):
        raise Refused(f"error: not supported by {side} side: {what}\nhint: {hint}", ASKED_WRONGLY)

    params = settings["params"]
    if implementation == "numpy" and not settings["workload"].startswith("quantization/"):
        refuse(settings["workload"], "quantization/int8, or --implementation torch")
    if params.get("checkpoint"):
        refuse("--checkpoint", "--model")
    if "training" in settings:
        _require_training(settings["training"], refuse)
    elif "series" in settings:
        for series in settings["series"]:
            _require_inference(series, refuse)
    elif settings["workload"].startswith("quantization/"):
        _require_quantization(settings, refuse)
    elif settings["workload"] in MICRO:
        _require_micro(params, refuse)
    else:
        refuse(settings["workload"], f"one of: {', '.join(WORKLOADS + MICRO)}")
    if settings["planted"]:
        refuse("--plant-slowdown, --plant-allocation", "--implementation native")
    for name in SHAPE_PARAMETERS:
        if "model" in settings and params.get(name, 0) != 0:
            refuse(f"--{name}: weights are exported for named models", "another --model")


def _require_training(training, refuse):
    if training["dtype"] == "fp16":
        refuse("--dtype fp16: its CPU kernels lack products in it", "--dtype bf16")
    if not training["gradients_only"] and training["state_dtype"] != training["dtype"]:
        refuse("--state-dtype other than the weights'", "--state-dtype same")
    if training["loss_scale"] != 1:
        refuse("--loss-scale", "--loss-scale 1")


def _require_inference(series, refuse):
    params, weights = series["params"], series["inference"].get("weights")
    if weights is None:  # sampling
        return
    why = {
        "fp16": "its CPU kernels lack products in it",
        "int4": "it has no such matrices for CPUs",
        "nf4": "it has no such matrices for CPUs",
    }
    if weights in why:
        refuse(f"--weights {weights}: {why[weights]}", "--weights fp32, bf16 or int8")
    if params.get("cache-dtype") not in ("auto", "bf16" if weights == "bf16" else "fp32"):
        refuse("--cache-dtype other than what it computes in", "--cache-dtype auto")


def _require_quantization(settings, refuse):
    if settings["params"]["mode"] != "in_memory":
        refuse("--mode streaming", "--mode in_memory")
    work = settings["quantization"]
    for tensor in work["tensors"]:
        if tensor["columns"] % (work["group"] or 8) != 0:
            refuse(f"{tensor['columns']} columns, not whole groups or bytes", "--group channel, or a multiple")


def _require_micro(params, refuse):
    for name in ("causal", "variant"):
        if "," in params.get(name, ""):
            refuse(f"--{name} {params[name]}: one process, one series", f"--{name} {params[name].split(',')[0]}")
    if params.get("variant", "tiled") != "tiled":
        refuse("--variant: PyTorch has one", "--variant tiled")
    if params.get("dtype", "fp32") != "fp32":
        refuse("--dtype other than fp32", "--dtype fp32")


MICRO = ("micro/softmax", "micro/layer_norm", "micro/rms_norm", "micro/attention", "micro/matmul")
WORKLOADS = (
    "quantization/int8", "quantization/int4", "quantization/int2", "quantization/nf4",
    "training/full_finetune", "training/lora_finetune", "training/gradient",
    "inference/generate", "inference/forward", "inference/sampling",
)  # fmt: skip
SHAPE_PARAMETERS = (
    "layers", "hidden-size", "heads", "kv-heads", "head-size", "intermediate-size", "vocabulary"
)


def starting_point(settings):
    """The path of a file with the weights, batch and adapters that the run starts from, of an
    inference the weights alone: made now
    unless it is there. The name is a digest of all that decides what is in it, the program's own
    bytes among them, so that no stale file can be taken for it."""
    arguments = _export_arguments(settings)
    with open(program(), "rb") as file:
        digest = hashlib.sha256(file.read())
    digest.update("\0".join(arguments).encode())
    name = f"{settings['params']['model']}-{digest.hexdigest()[:16]}.safetensors"
    # Two processes that want the same file: one makes it, the other waits.
    with cache.locked() as folder:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            os.utime(path)
        else:
            cache.make_room(folder)
            model, *options = arguments
            ask("export", model, path, *options)
    return path


def trace(arguments):
    """The path of what the native program computes with these arguments: trace_command.h. Who
    reads it removes it."""
    return _written("trace", arguments)


def quantized(arguments):
    """The path of what a quantization makes, by streaming: the same kernel and the same weights, into
    a file. Who reads it removes it."""
    path = cache.own_path("trace")
    wanted = {"mode": "streaming", "output": path, "steps": 1, "warmup": 0, "read-probe-size": 0}
    others = _without(arguments, wanted)
    try:
        ask("run", *others, *(f"--{name}={value}" for name, value in wanted.items()))
    except BaseException:
        cache.remove(path)
        raise
    return path


def _without(arguments, names):
    """Options of these names left out, each with its value."""
    kept, arguments = [], iter(arguments)
    for one in arguments:
        name = one.split("=")[0]
        if not (name.startswith("--") and name[2:] in names):
            kept.append(one)
        elif "=" not in one:
            next(arguments, None)
    return kept


def inputs(arguments):
    """The path of what an inference workload is fed with these arguments: inference_answers.h. Who
    reads it removes it."""
    return _written("inputs", arguments)


def _written(what, arguments):
    path = cache.own_path(what)
    workload, *options = arguments
    try:
        ask("trace" if what == "trace" else "export", workload, path, *options, "--force")
    except BaseException:
        with cache.locked():  # which removes what the program left, too
            cache.remove(path)
        raise
    return path


def _export_arguments(settings):
    params = settings["params"]
    if "series" in settings:
        stored = settings["series"][0]["inference"]["weights"]
        dtype = "bf16" if stored == "bf16" else "fp32"
        return [params["model"], f"--seed={settings['seed']}", f"--dtype={dtype}"]
    training = settings["training"]
    options = {
        "seed": settings["seed"],
        "dtype": training["dtype"],
        "batch": training["batch"],
        "length": training["length"],
    }
    if "lora-rank" in params:
        options.update({name: params[name] for name in ("lora-rank", "lora-targets", "lora-layers")})
    return [params["model"], *(f"--{name}={value}" for name, value in options.items())]
