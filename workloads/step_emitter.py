# SPDX-License-Identifier: Apache-2.0
"""One file to copy into a Python benchmark, so that perf-compare can judge it. It times the steps
and writes them as JSON Lines (format `steps`) to the file that PERF_COMPARE_OUT names. Python 3.8,
the standard library only. The wheel has it as the module perf_compare.

    from step_emitter import Steps

    with Steps("train", params={"batch": 8}, tokens_per_step=4096) as steps:
        torch.manual_seed(steps.seed)
        for step in steps:  # warm-up steps first
            with step.phase("forward"):
                loss = model(x)
            with step.phase("backward"):
                loss.backward()
            step.result(loss)  # what must be finished before the step ends
        steps.metric("loss", float(loss), better="lower")
        steps.check("loss_is_finite", error=0.0 if math.isfinite(loss) else 1.0)

A step ends when the devices have finished: frameworks that the program has imported are
synchronised (torch cuda, xpu, mps; jax, mlx and tinygrad: the values given to `result`; cupy).
None is imported here. Beside the time of each step, these are written where they are known:

    device_seconds    of a step, between two CUDA events on the current stream; phases, too
    first_step_time   seconds of the first step, which compiles and loads; it has a verdict where
                      a threshold names it
    device_memory     bytes: the peak that the framework's allocator had allocated, not reserved

Nothing is written if the loop raises or ends early, so an incomplete run is a failed run. Of
several processes (torchrun, fork) the first one writes. Without PERF_COMPARE_OUT a table is
printed and no file is written.
"""

import os
import sys
import time

__all__ = ["Step", "Steps"]

_clock = time.perf_counter_ns


class Steps:
    """The steps of one workload. `steps` and `warmup` are the counts where PERF_COMPARE_STEPS and
    PERF_COMPARE_WARMUP are not set."""

    def __init__(self, name, params=None, tokens_per_step=None, steps=8, warmup=2):
        self.name = name
        self.steps = _count("PERF_COMPARE_STEPS", steps, 1, 1000000)
        self.warmup = _count("PERF_COMPARE_WARMUP", warmup, 0, 1000000)
        self.seed = _count("PERF_COMPARE_SEED", 1, 0, 2**64 - 1)
        self._begin = {"type": "begin", "protocol": 1, "workload": name}
        self._begin["params"] = {key: _plain(value) for key, value in (params or {}).items()}
        if tokens_per_step is not None:
            self._begin["tokens_per_step"] = _plain(tokens_per_step)
        self._facts = {}
        self._metrics = []
        self._checks = []
        self._taken = []
        self._devices = _Devices()
        self._memory = _ResidentMemory()
        self._pid = os.getpid()
        self._begun = self._complete = self._finished = False

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.finish()

    def __iter__(self):
        if self._begun:
            raise RuntimeError("%s: the steps can be taken only once" % self.name)
        self._begun = True
        for index in range(self.warmup + self.steps):
            step = Step(index, index < self.warmup, self._devices.cuda_events())
            step._mark(None)
            yield step
            self._devices.wait(step)
            self._taken.append(step._stop(self._memory.bytes()))
        self._complete = True

    def environment(self, name, value):
        """A fact about the build or the program: a version, the number of threads."""
        if name == "type":
            raise ValueError("a fact cannot have the name 'type'")
        self._facts[name] = _plain(value)

    def metric(self, name, value, unit="", better="lower", judge=False):
        """One value of this run, in a base unit (s, B, 1/s). judge: it gets a verdict."""
        if better not in ("lower", "higher"):
            raise ValueError("better must be 'lower' or 'higher', got %r" % (better,))
        self._metrics.append(_metric(name, unit, better, float(value), bool(judge)))

    def check(self, name, error, tolerance=0.0):
        """The program's own test of its result: passes if error <= tolerance, never for NaN."""
        check = {"type": "check", "name": name, "error": float(error)}
        check["tolerance"] = float(tolerance)
        check["passed"] = check["error"] <= check["tolerance"]
        self._checks.append(check)

    def finish(self):
        """Appends the lines to the file that PERF_COMPARE_OUT names, or prints a table. `with`
        calls it. Raises OSError if the file cannot be written completely."""
        if self._finished or os.getpid() != self._pid:
            return
        if not self._complete:
            counts = (self.name, len(self._taken), self.warmup + self.steps)
            raise RuntimeError("%s: the loop ended after %d of %d steps: not written" % counts)
        self._finished = True
        self._memory.close()
        if os.environ.get("WORLD_SIZE") and os.environ.get("RANK", "0") != "0":
            return  # torchrun: the process of rank 0 writes
        self._add_own_metrics()
        path = os.environ.get("PERF_COMPARE_OUT")
        if not path:
            sys.stdout.write(self._table())
            return
        rest = self._lines().encode()
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            while rest:
                rest = rest[os.write(file, rest) :]
        finally:
            os.close(file)

    def _add_own_metrics(self):
        own = [_metric("first_step_time", "s", "lower", self._taken[0]["seconds"], False)]
        peak = self._devices.peak_memory()
        if peak:
            own.append(_metric("device_memory", "B", "lower", peak, True))
        reported = [metric["name"] for metric in self._metrics]
        self._metrics = [metric for metric in own if metric["name"] not in reported] + self._metrics
        if not all("device_seconds" in step for step in self._taken[self.warmup :]):
            for step in self._taken:
                step.pop("device_seconds", None)

    def _lines(self):
        import json  # 4 ms, not spent at import

        facts = {"type": "environment", **_versions(), **self._facts}
        records = [self._begin, facts] + self._taken + self._metrics + self._checks
        records.append({"type": "end"})
        return "".join(
            json.dumps(_finite(record), separators=(",", ":"), allow_nan=False) + "\n"
            for record in records
        )

    def _table(self):
        timed = self._taken[self.warmup :]
        rows = [("step", [step["seconds"] for step in timed])]
        if "device_seconds" in timed[0]:
            rows.append(("on the device", [step["device_seconds"] for step in timed]))
        for name in dict.fromkeys(name for step in timed for name in step.get("phases", ())):
            rows.append(("  %s" % name, [step.get("phases", {}).get(name, 0) for step in timed]))
        out = "%s: %d steps after %d warm-ups\n" % (self.name, self.steps, self.warmup)
        out += "%-20s %11s %11s %11s\n" % ("", "median", "min", "max")
        for name, values in rows:
            values = sorted(values)
            middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
            out += "%-20s" % name
            out += "".join(" %8.3f ms" % (1e3 * x) for x in (middle, values[0], values[-1])) + "\n"
        for metric in self._metrics:
            out += "%-20s %11.6g %s\n" % (metric["name"], metric["value"], metric["unit"])
        for check in self._checks:
            out += "%-20s %11s\n" % (check["name"], "passed" if check["passed"] else "FAILED")
        return out


class Step:
    """One step of the loop. `index` counts from 0, warm-up steps included."""

    __slots__ = ("index", "warmup", "_marks", "_open", "_results", "_events")

    def __init__(self, index, warmup, events):
        self.index = index
        self.warmup = warmup
        self._marks = []  # (phase from here on or None, clock, CUDA event or None)
        self._open = []  # names of the open phases
        self._results = []
        self._events = events

    def phase(self, name):
        """`with step.phase(name):` gives that time to `name`. Time of an inner phase is not that
        of the outer one."""
        return _Phase(self, name)

    def result(self, value):
        """A value, or a list, tuple or dict of values, that must be finished when the step ends."""
        self._results.append(value)

    def _mark(self, phase):
        event = None
        if self._events is not None:
            event = self._events.next(len(self._marks))
            event.record()
        self._marks.append((phase, _clock(), event))

    def _stop(self, rss):
        """The step's line. Its last mark is that of its end."""
        marks = self._marks
        self._marks = None  # a step that has ended has no phases
        self._results = []
        record = {"type": "step", "index": self.index, "warmup": self.warmup}
        record["seconds"] = _seconds(marks[-1][1] - marks[0][1])
        length = [_seconds(after[1] - mark[1]) for mark, after in zip(marks, marks[1:])]
        if self._events is not None:
            try:
                between = self._events.seconds_between
                record["device_seconds"] = between(marks[0][2], marks[-1][2])
                length = [between(mark[2], after[2]) for mark, after in zip(marks, marks[1:])]
            except RuntimeError:  # of different devices, or recorded into a graph
                record.pop("device_seconds", None)
        if rss:
            record["rss"] = rss
        phases = {}
        for (name, _, _), seconds in zip(marks, length):
            if name is not None:
                phases[name] = phases.get(name, 0.0) + seconds
        if phases:
            record["phases"] = phases
        return record


class _Phase:
    __slots__ = ("_step", "_name")

    def __init__(self, step, name):
        self._step = step
        self._name = name

    def __enter__(self):
        step = self._step
        if step._marks is None:
            raise RuntimeError("phase %r outside its step" % (self._name,))
        step._open.append(self._name)
        step._mark(self._name)

    def __exit__(self, kind, error, trace):
        step = self._step
        step._open.pop()
        step._mark(step._open[-1] if step._open else None)


class _CudaEvents:
    """Events of a framework, used again by each step."""

    def __init__(self, new, milliseconds):
        self._new = new
        self._milliseconds = milliseconds
        self._events = []

    def next(self, index):
        if index == len(self._events):
            self._events.append(self._new())
        return self._events[index]

    def seconds_between(self, begin, end):
        return self._milliseconds(begin, end) / 1e3


class _Devices:
    """The devices of the frameworks that the program has imported."""

    def __init__(self):
        self._cuda = None
        self._others = {}  # "cuda", "xpu": numbers of devices in use beside the current one
        self._jax_is_used = False

    def cuda_events(self):
        """Timing events, if a framework uses CUDA."""
        if self._cuda is None:
            torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
            if torch is not None and torch.cuda.is_initialized():
                self._cuda = _CudaEvents(
                    lambda: torch.cuda.Event(enable_timing=True),
                    lambda begin, end: begin.elapsed_time(end),
                )
            elif cupy is not None and cupy.cuda.is_available():
                self._cuda = _CudaEvents(cupy.cuda.Event, cupy.cuda.get_elapsed_time)
        return self._cuda

    def wait(self, step):
        """Waits for the devices, and marks the end of the step: of the CUDA events before the wait,
        of the clock after it."""
        modules = sys.modules
        end = None
        if step._events is not None:
            end = step._events.next(len(step._marks))
            end.record()
        torch = modules.get("torch")
        if torch is not None:
            for name in ("cuda", "xpu"):
                device = getattr(torch, name, None)
                if device is not None and device.is_initialized():
                    device.synchronize()
                    for number in self._others.get(name, ()):
                        device.synchronize(number)
            if hasattr(torch, "mps") and torch.backends.mps.is_available():
                torch.mps.synchronize()
        if step._results:
            _finish(step._results)
        cupy = modules.get("cupy")
        if cupy is not None and cupy.cuda.is_available():
            cupy.cuda.Device().synchronize()
        step._marks.append((None, _clock(), end))
        if step.warmup or step.index == 0:
            self._find_used(step._results)

    def _find_used(self, results):
        """Devices beside the current one are known by their memory: to synchronise one that the
        program does not use would set it up."""
        torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
        for name in ("cuda", "xpu"):
            device = getattr(torch, name, None)
            if device is not None and device.is_initialized():
                current = device.current_device()
                self._others[name] = [
                    number
                    for number in range(device.device_count())
                    if number != current and device.max_memory_allocated(number) > 0
                ]
        if jax is not None and results:
            arrays = getattr(jax, "Array", ())
            leaves = jax.tree_util.tree_leaves(results)
            self._jax_is_used |= any(isinstance(leaf, arrays) for leaf in leaves)

    def peak_memory(self):
        """Bytes that the allocators had allocated at most, added up; 0 if that is not known (mps,
        cupy and tinygrad keep no peak)."""
        total = 0
        torch, jax, mlx = (sys.modules.get(name) for name in ("torch", "jax", "mlx.core"))
        for name in ("cuda", "xpu"):
            device = getattr(torch, name, None)
            if device is not None and device.is_initialized():
                for number in range(device.device_count()):
                    total += device.max_memory_allocated(number)
        if self._jax_is_used:
            for device in jax.local_devices():
                total += (device.memory_stats() or {}).get("peak_bytes_in_use", 0)
        if mlx is not None:
            total += (mlx if hasattr(mlx, "get_peak_memory") else mlx.metal).get_peak_memory()
        return total


class _ResidentMemory:
    """Resident memory of this process. The file stays open, so that a reading is one call."""

    def __init__(self):
        try:
            self._file = os.open("/proc/self/statm", os.O_RDONLY)
            self._page = os.sysconf("SC_PAGE_SIZE")
        except OSError:
            self._file = -1

    def bytes(self):
        """0 where the system does not tell."""
        if self._file < 0:
            return 0
        try:  # "total resident shared ..."
            return int(os.pread(self._file, 128, 0).split()[1]) * self._page
        except (OSError, ValueError, IndexError):  # the program has closed all files
            return 0

    def close(self):
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _finish(results):
    """Waits for values of frameworks that compute them later."""
    jax, mlx = sys.modules.get("jax"), sys.modules.get("mlx.core")
    if jax is not None:
        jax.block_until_ready(results)
    if mlx is not None:
        mlx.eval(results)
    tinygrad = sys.modules.get("tinygrad")
    if tinygrad is not None:
        tensors = [leaf for leaf in _leaves(results) if isinstance(leaf, tinygrad.Tensor)]
        for tensor in tensors:
            tensor.realize()
        for name in {name for tensor in tensors for name in _leaves(tensor.device)}:
            tinygrad.Device[name].synchronize()


def _metric(name, unit, better, value, judge):
    metric = {"type": "metric", "name": name, "unit": unit, "better": better}
    return dict(metric, value=value, judge=judge)


def _count(variable, default, least, most):
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise ValueError("%s is not a usable number: %s" % (variable, text))
    return int(text)


def _seconds(nanoseconds):
    """To the next 2^-30 s: many such numbers pack into half the room of decimal fractions."""
    return round(nanoseconds * 2**30 / 1e9) / 2**30


def _leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _plain(value):
    """A value that JSON has: numbers of numpy become numbers, anything else text."""
    if isinstance(value, (bool, int, float, str)):
        return value
    for convert in ("__index__", "__float__"):
        try:
            return getattr(value, convert)()
        except (AttributeError, TypeError, ValueError):
            pass
    return str(value)


def _finite(value):
    """With null for NaN and infinities, which perf-compare records as a failure."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return None if isinstance(value, float) and value - value != 0 else value


def _versions():
    versions = {"python": "%d.%d.%d" % sys.version_info[:3]}
    for name in ("torch", "jax", "mlx.core", "tinygrad", "cupy", "numpy"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if version is not None:
            versions[name.split(".")[0]] = str(version)
    return versions
