#pragma once

// The few operations that quantizing whole groups needs, in registers of AVX-512 or AVX2: one
// source above them for both. Only for the sources of kernels that are compiled for one of the two.
// Sums and products are the compiler's own operators.

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#include "workloads/kernels/quantize_registers_avx512.h"
#else
#include "workloads/kernels/quantize_registers_avx2.h"
#endif
