"""What this process computes with and how much memory it has, for the lines of a result."""

import torch

from . import libraries


def facts(dtype):
    """Of the environment line, for products over `dtype`."""
    blas = libraries.openblas()
    said = {"torch": torch.__version__, "threads": torch.get_num_threads()}
    said["blas"] = blas.get("blas", "MKL" if torch.backends.mkl.is_available() else "unknown")
    if blas:
        said["blas_core"] = blas["blas_core"]
    # fp32 products go to BLAS; those of 16 bits to oneDNN.
    said["backend"] = "onednn" if dtype == "bf16" else "openblas" if blas else "mkl"
    config = torch.__config__.show().splitlines()
    said["compiler"] = next((line.strip(" -") for line in config if "GCC" in line), "unknown")
    said["simd"] = next((line.split(":")[1].strip() for line in config if "capability" in line), "unknown")
    said["thread_pools"] = ", ".join(libraries.thread_pools())
    return said


def kibibytes(path, field):
    """Of a line such as `VmHWM:   1234 kB`, in bytes."""
    with open(path, encoding="utf-8") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(field + ":"))
