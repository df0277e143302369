"""What the native program says and writes: the settings of a run, and what it starts from."""

import fcntl
import hashlib
import json
import os
import subprocess
import tempfile

KEPT = 3  # files of starting points; of the default model in fp32 each is 2 GB
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
    if answer.returncode != 0:
        raise Refused(answer.stderr.rstrip("\n"), max(answer.returncode, ASKED_WRONGLY))
    return answer.stdout


def settings(arguments):
    """What `perf-workloads run` with these arguments would go by: workloads/program/settings_command.h."""
    return json.loads(ask("settings", *arguments))


def require_supported(settings):
    """Throws Refused for what this peer has not."""

    def refuse(what, hint):
        raise Refused(f"error: not supported by PyTorch's side: {what}\n  try: {hint}", ASKED_WRONGLY)

    params = settings["params"]
    if "training" not in settings:
        refuse(settings["workload"], "training/full_finetune, training/lora_finetune, training/gradient")
    training = settings["training"]
    if training["dtype"] == "fp16":
        refuse("--dtype fp16: its CPU kernels lack products in it", "--dtype bf16")
    if not training["gradients_only"] and training["state_dtype"] != training["dtype"]:
        refuse("--state-dtype other than the weights'", "--state-dtype same")
    if training["loss_scale"] != 1:
        refuse("--loss-scale", "--loss-scale 1")
    if settings["planted"]:
        refuse("--plant-slowdown, --plant-allocation", "--implementation native")
    for name in SHAPE_PARAMETERS:
        if params.get(name, 0) != 0:
            refuse(f"--{name}: weights are exported for named models", "another --model")


SHAPE_PARAMETERS = (
    "layers", "hidden-size", "heads", "kv-heads", "head-size", "intermediate-size", "vocabulary"
)


def starting_point(settings):
    """The path of a file with the weights, batch and adapters that the run starts from: made now
    unless it is there. The name is a digest of all that decides what is in it, the program's own
    bytes among them, so that no stale file can be taken for it."""
    arguments = _export_arguments(settings)
    with open(program(), "rb") as file:
        digest = hashlib.sha256(file.read())
    digest.update("\0".join(arguments).encode())
    folder = _cache_folder()
    path = os.path.join(folder, f"{settings['params']['model']}-{digest.hexdigest()[:16]}.safetensors")
    # Two processes that want the same file: one makes it, the other waits.
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(path):
            os.utime(path)
        else:
            _make_room(folder)
            model, *options = arguments
            ask("export", model, path, *options)
    return path


def trace(arguments):
    """The path of what the native program computes with these arguments: trace_command.h."""
    handle, path = tempfile.mkstemp(suffix=".safetensors", dir=_cache_folder(), prefix=".trace-")
    os.close(handle)
    workload, *options = arguments
    try:
        ask("trace", workload, path, *options)
    except Refused:
        os.remove(path)
        raise
    return path


def _export_arguments(settings):
    params, training = settings["params"], settings["training"]
    options = {
        "seed": settings["seed"],
        "dtype": training["dtype"],
        "batch": training["batch"],
        "length": training["length"],
    }
    if "lora-rank" in params:
        options.update({name: params[name] for name in ("lora-rank", "lora-targets", "lora-layers")})
    return [params["model"], *(f"--{name}={value}" for name, value in options.items())]


def _cache_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "perf-compare", "peers")
    os.makedirs(folder, exist_ok=True)
    return folder


def _make_room(folder):
    """Removes the files that were not used for longest. One that is being read stays readable."""
    files = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    files = [entry for entry in files if entry.name.endswith(".safetensors")]
    files.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in files[KEPT - 1 :]:
        os.remove(entry.path)
