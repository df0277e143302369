#pragma once

namespace perf::workloads {

/// The instructions that the kernels of this program were compiled for: "avx512" (F, DQ, BW, VL, CD
/// and VNNI: most servers since 2019), "avx2" (x86-64-v3, with FMA); "" on other processors.
const char* instruction_set();

/// The compiler and the flags that they were compiled with.
const char* compiler();
const char* compiler_flags();

/// Whether this CPU runs what kernels for "avx512" need. Asks the CPU each time, so that under
/// valgrind it is the emulated one that answers.
bool cpu_has_avx512();

/// What this program was compiled for and this CPU lacks, for people; "" where nothing is.
const char* missing_instructions();

}  // namespace perf::workloads
