"""The rate at which PyTorch reads memory, the yardstick of what is bound by it: each step beside the
probes just before and just after, as workloads/inference/inference_report.h has it."""

import statistics
import time

import torch

TIMES = 2  # that a probe reads


class ReadShare:
    def __init__(self, size):
        """Probes read so many bytes; 0: none."""
        self._values = torch.ones(size // 4)
        self._rates, self._steps, self._beside = [], [], []

    def bytes(self):
        return 4 * self._values.numel()

    def probe(self):
        """The rate over both readings, not the better one's, as workloads/kernels/read_rate.h has it."""
        if not self._values.numel():
            return
        start = time.monotonic()
        for _ in range(TIMES):
            self._values.sum()
        self._rates.append(TIMES * self.bytes() / (time.monotonic() - start))

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
