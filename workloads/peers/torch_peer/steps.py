"""Writes the format `steps` (docs/protocol.md), as workloads/step_emitter.h does in C++."""

import json
import os
import statistics
import time

PAGE = os.sysconf("SC_PAGESIZE")


class StepEmitter:
    """Times steps and holds everything in memory until finish()."""

    def __init__(self, workload, params, steps, warmup):
        self._begin = {"type": "begin", "protocol": 1, "workload": workload, "params": params}
        self._environment = {"type": "environment"}
        self._wanted, self._warmup = steps + warmup, warmup
        self._steps, self._metrics, self._checks = [], [], []
        self._running = False
        self._statm = open("/proc/self/statm", "rb", buffering=0)

    def begin_field(self, name, value):
        self._begin[name] = value

    def environment(self, **facts):
        self._environment.update(facts)

    def next_step(self):
        """Ends the running step and starts the next; false when all have been taken."""
        self.stop()
        if len(self._steps) == self._wanted:
            return False
        index = len(self._steps)
        self._steps.append(
            {"type": "step", "index": index, "warmup": index < self._warmup, "phases": {}}
        )
        self._running = True
        self._start = self._phase_start = time.monotonic()
        return True

    def phase(self, name):
        """Ends it; its seconds."""
        now = time.monotonic()
        phases = self._steps[-1]["phases"]
        phases[name] = phases.get(name, 0.0) + now - self._phase_start
        seconds, self._phase_start = now - self._phase_start, now
        return seconds

    def metric(self, name, unit, better, value):
        self._metrics.append(
            {"type": "metric", "name": name, "unit": unit, "better": better, "value": value}
        )

    def check(self, name, error, tolerance):
        passed = error <= tolerance  # false for NaN, which JSON does not know
        line = {"type": "check", "name": name, "passed": passed, "tolerance": tolerance}
        if error == error and abs(error) != float("inf"):
            line["error"] = error
        self._checks.append(line)

    def timed_seconds(self):
        return [step["seconds"] for step in self._steps if not step["warmup"]]

    def median_seconds(self):
        return statistics.median(self.timed_seconds())

    def median_phases(self):
        timed = [step["phases"] for step in self._steps if not step["warmup"]]
        return {name: statistics.median(phases[name] for phases in timed) for name in timed[0]}

    def most_resident(self):
        """Bytes, of all steps, warm-up included."""
        return max(step["rss"] for step in self._steps)

    @property
    def metrics(self):
        return {metric["name"]: metric["value"] for metric in self._metrics}

    @property
    def steps(self):
        return self._steps

    @property
    def checks(self):
        return self._checks

    def finish(self):
        """Appends the lines to the file that PERF_COMPARE_OUT names, if it names one."""
        self.stop()
        self._statm.close()
        path = os.environ.get("PERF_COMPARE_OUT")
        if not path:
            return
        lines = [self._begin, self._environment, *self._steps, *self._metrics, *self._checks]
        lines.append({"type": "end"})
        with open(path, "a", encoding="utf-8") as out:
            out.write("".join(json.dumps(line, allow_nan=False) + "\n" for line in lines))

    def stop(self):
        """Ends the running step, before the next one or finish() does."""
        if not self._running:
            return
        self._steps[-1]["seconds"] = time.monotonic() - self._start
        self._steps[-1]["rss"] = int(os.pread(self._statm.fileno(), 128, 0).split()[1]) * PAGE
        self._running = False
