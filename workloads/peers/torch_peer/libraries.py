"""What this process has loaded to compute with: asked of the process itself, not of its settings."""

import ctypes
import re


def loaded():
    """Paths of the shared libraries mapped here."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        names = (line.split(maxsplit=5) for line in maps)
        return sorted({parts[5].strip() for parts in names if len(parts) == 6 and ".so" in parts[5]})


def openblas():
    """The OpenBLAS here: its name with version, the kernels ("core") it selected, whether it takes
    its threads from OpenMP, its path. {} where there is none (PyTorch's own builds bring MKL)."""
    for path in loaded():
        if "openblas" not in path.rsplit("/", 1)[-1]:
            continue
        library = ctypes.CDLL(path)
        library.openblas_get_config.restype = ctypes.c_char_p
        library.openblas_get_corename.restype = ctypes.c_char_p
        name = " ".join(library.openblas_get_config().decode().split()[:2])
        return {
            "blas": name,
            "blas_core": library.openblas_get_corename().decode(),
            "openmp": library.openblas_get_parallel() == 2,
            "path": path,
        }
    return {}


def thread_pools():
    """Thread pools that could spin against each other: libraries, by kind."""
    kinds = {"libgomp": "GNU OpenMP", "libiomp5": "Intel OpenMP", "libomp": "LLVM OpenMP"}
    found = set()
    for path in loaded():
        stem = re.split(r"[-.]", path.rsplit("/", 1)[-1])[0]  # wheels bring libgomp-SUFFIX.so.1
        if stem in kinds:
            found.add(kinds[stem])
    blas = openblas()
    if blas and not blas["openmp"]:
        found.add("OpenBLAS")
    return sorted(found)
