"""The folder of files that the native program wrote for PyTorch's side, shared by all runs."""

import contextlib
import fcntl
import os
import re

KEPT = 3  # files of starting points; of the default model in fp32 each is 2 GB

# What a process that is killed leaves behind: what perf-workloads was writing
# (workloads/model/safetensors.h), traces and inputs. Each has the number of the process that it is for.
_PARTIAL = re.compile(r"\.partial-(\d+)$")
_OWN = re.compile(r"^\.(?:trace|inputs)-(\d+)\.safetensors$")


@contextlib.contextmanager
def locked():
    """The folder, one process at a time; without what dead processes left in it."""
    folder = _folder()
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _remove_leftovers(folder)
        try:
            yield folder
        finally:
            _remove_leftovers(folder)


def make_room(folder):
    """Removes the files that were not used for longest. One that is being read stays readable."""
    files = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    files = [entry for entry in files if entry.name.endswith(".safetensors")]
    files.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in files[KEPT - 1 :]:
        remove(entry.path)


def own_path(what):
    """Where this process, and the program that it becomes, has its "trace" or "inputs". No such file
    is there."""
    path = os.path.join(_folder(), f".{what}-{os.getpid()}.safetensors")
    remove(path)  # of an earlier process of the same number
    return path


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


def _folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "perf-compare", "peers")
    os.makedirs(folder, exist_ok=True)
    return folder


def _remove_leftovers(folder):
    for entry in os.scandir(folder):
        owner = _PARTIAL.search(entry.name) or _OWN.match(entry.name)
        if owner and not _is_alive(int(owner[1])):
            remove(entry.path)


def _is_alive(process):
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return process > 0
