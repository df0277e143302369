"""The rate at which PyTorch reads memory, the yardstick of what is bound by it: each step beside the
probes just before and just after, as workloads/inference/inference_report.h has it."""

import statistics
import time

import torch


class ReadShare:
    def __init__(self, size):
        """Probes read so many bytes; 0: none."""
        self._values = torch.ones(size // 4)
        self._rates, self._steps, self._beside = [], [], []

    def probe(self):
        best = 0.0
        for _ in range(2 if self._values.numel() else 0):
            start = time.monotonic()
            self._values.sum()
            best = max(best, 4 * self._values.numel() / (time.monotonic() - start))
        self._rates.append(best)

    def step(self, size, seconds):
        """What the timed step that ended last read; the probe behind it comes next."""
        self._steps.append(size / seconds)
        self._beside.append(len(self._rates))

    def report(self, out):
        if not self._steps:
            return
        out.metric("bytes_per_second", "B/s", "higher", statistics.median(self._steps))
        if not self._values.numel():
            return
        out.metric("read_rate", "B/s", "higher", statistics.median(self._rates))
        shares = [
            2 * rate / (self._rates[at - 1] + self._rates[at]) for rate, at in zip(self._steps, self._beside)
        ]
        out.metric("read_share", "1", "higher", statistics.median(shares))
