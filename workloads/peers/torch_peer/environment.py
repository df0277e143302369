"""What has to be set before PyTorch's process starts, so that it is at its best. What the user has
set stands. docs/peers.md has what each is worth."""

import glob
import os


def best(settings, given):
    """The environment for torch_finetune.py, from the one given."""
    wanted = {
        "OMP_NUM_THREADS": str(settings["environment"]["threads"]),
        # The kernels that perf-workloads runs with, chosen by its rule (workloads/program/restart.h).
        "OPENBLAS_CORETYPE": settings["environment"]["blas_core"],
        # How long a thread that waits spins. The default, 30 times as long, is no faster and costs
        # a factor wherever something else runs.
        "GOMP_SPINCOUNT": "10000",
        # A malloc that keeps its pages: nothing is mapped anew in each step, nothing given back...
        "MALLOC_MMAP_MAX_": "0",
        "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
        "MALLOC_TOP_PAD_": str(1 << 28),
        # ... and in huge pages (glibc 2.35 and newer).
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    }
    if _has_avx512():
        wanted["ATEN_CPU_CAPABILITY"] = "avx512"
    environment = {**{name: value for name, value in wanted.items() if value}, **given}
    # OpenBLAS in its OpenMP flavour: PyTorch and BLAS then share one pool of threads.
    folders = glob.glob("/usr/lib/*/openblas-openmp")
    before = [given["LD_LIBRARY_PATH"]] if given.get("LD_LIBRARY_PATH") else []
    if folders:
        environment["LD_LIBRARY_PATH"] = os.pathsep.join([*folders, *before])
    return environment


def _has_avx512():
    wanted = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as cpus:
            flags = next((line for line in cpus if line.startswith("flags")), "")
    except OSError:
        return False
    return wanted <= set(flags.split())
