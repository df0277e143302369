"""Reads the format safetensors (https://github.com/huggingface/safetensors, "Format"): eight bytes
with the length of a JSON header, little-endian, the header, then the tensors' bytes."""

import ctypes
import json
import math
import os
import struct

LARGEST_HEADER = 100_000_000  # bytes; the format's own bound


class BadFile(Exception):
    """What is wrong with a file, with its path."""


class Safetensors:
    """An open file. `metadata` holds its texts.

    Tensors are read into memory of the caller's, each byte once, and not mapped: mapped pages
    would count as resident beside the tensor that was made of them.
    """

    def __init__(self, path):
        self.path = path
        self._file = open(path, "rb", buffering=0)
        try:
            self._read_header()
        except BadFile:
            self._file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def dtype(self, name):
        """ "F32", "BF16", "F16", "I32", ... """
        return self._entry(name)["dtype"]

    def shape(self, name):
        return tuple(self._entry(name)["shape"])

    def names(self):
        return list(self._tensors)

    def __contains__(self, name):
        return name in self._tensors

    def read_into(self, name, address, size):
        """Fills `size` bytes at `address`, which must be as many as the tensor has."""
        begin, end = self._entry(name)["data_offsets"]
        if size != end - begin:
            raise BadFile(f"{self.path}: {name} has {end - begin} bytes, not {size}")
        target = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
        self._file.seek(self._data + begin)
        done = 0
        while done < size:  # one read() gives 2 GiB at most
            count = self._file.readinto(target[done:])
            if not count:
                raise BadFile(f"{self.path}: ends within {name}")
            done += count

    def _entry(self, name):
        if name not in self._tensors:
            raise BadFile(f"{self.path}: has no tensor {name}")
        return self._tensors[name]

    def _read_header(self):
        size = os.fstat(self._file.fileno()).st_size
        prefix = self._file.read(8)
        if len(prefix) < 8:
            raise BadFile(f"{self.path}: no safetensors: {size} bytes")
        (length,) = struct.unpack("<Q", prefix)
        if length > min(size - 8, LARGEST_HEADER):
            raise BadFile(f"{self.path}: no safetensors: a header of {length} bytes in {size}")
        try:
            header = json.loads(self._file.read(length))
        except ValueError as error:
            raise BadFile(f"{self.path}: its header is no JSON: {error}") from error
        self._data = 8 + length
        self.metadata = header.pop("__metadata__", {})
        self._tensors = header
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= size - self._data:
                raise BadFile(f"{self.path}: {name} lies outside the file")
            if end - begin != math.prod(entry["shape"]) * _bytes_of(entry["dtype"], self.path):
                raise BadFile(f"{self.path}: {name} has {end - begin} bytes, which its shape has not")


def _bytes_of(dtype, path):
    sizes = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1}
    if dtype not in sizes:
        raise BadFile(f"{path}: type {dtype} is not known")
    return sizes[dtype]
