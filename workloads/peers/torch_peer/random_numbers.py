"""The numbers of workloads/kernels/random.h, bit for bit, in numpy: what both sides start from."""

import numpy

BLOCK = 1 << 16  # values made at once: what is needed on the way stays in a cache
U32 = numpy.uint32


def random_bits(seed, index):
    """`index`: an array of uint32, which stays as it is. Products wrap around."""
    x = index ^ U32(seed * 0x9E3779B9 & 0xFFFFFFFF)
    x ^= x >> U32(16)
    x *= U32(0x7FEB352D)
    x ^= x >> U32(15)
    x *= U32(0x846CA68B)
    x ^= x >> U32(16)
    return x


def derived_seed(seed, stream):
    one = lambda value, index: int(random_bits(value, numpy.array([index], U32))[0])
    return one(one(seed & 0xFFFFFFFF, seed >> 32), stream + 1)


def _blocks(values):
    flat = values.reshape(-1)
    for begin in range(0, flat.size, BLOCK):
        part = flat[begin : begin + BLOCK]
        # Positions are of 32 bits there, too, and start again behind 2^32.
        yield part, (numpy.arange(begin, begin + part.size, dtype=numpy.uint64) & 0xFFFFFFFF).astype(U32)


def fill_uniform(values, seed, bound):
    """In [-bound, bound)."""
    for part, index in _blocks(values):
        unit = (random_bits(seed, index) >> U32(8)).astype(numpy.float32) * numpy.float32(2.0**-24)
        part[:] = (2 * unit - 1) * numpy.float32(bound)


def fill_normal(values, seed, deviation):
    """Nearly normal with mean 0: the sum of four uniforms of 16 bits."""
    third = numpy.sqrt(numpy.float32(1) / numpy.float32(3))
    scale = numpy.float32(deviation) / (numpy.float32(65536) * third)
    for part, index in _blocks(values):
        a, b = random_bits(seed, index), random_bits(seed ^ 0x5BD1E995, index)
        low = U32(0xFFFF)
        total = (a >> U32(16)) + (a & low) + (b >> U32(16)) + (b & low)
        part[:] = (total.astype(numpy.int32) - 131070).astype(numpy.float32) * scale
