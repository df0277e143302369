"""The rate of PyTorch's own square product, the yardstick of a step (workloads/kernels/gemm_rate.h)."""

import time

import torch

from .weights import DTYPES


class GemmRate:
    def __init__(self, size, dtype):
        self._size, self._best = size, float("inf")
        if size > 0:
            self._a, self._b = (torch.randn(size, size).to(DTYPES[dtype]) for _ in range(2))
            self._c = torch.empty_like(self._a)

    def bytes(self):
        return 0 if self._size == 0 else 3 * self._a.nelement() * self._a.element_size()

    def measure(self, times):
        """The fastest of so many, and of those before."""
        if self._size == 0:
            return
        torch.mm(self._a, self._b, out=self._c)
        for _ in range(times):
            start = time.monotonic()
            torch.mm(self._a, self._b, out=self._c)
            self._best = min(self._best, time.monotonic() - start)

    def rate(self):
        """Operations per second; 0 where there is no yardstick."""
        return 0.0 if self._size == 0 else 2.0 * self._size**3 / self._best
