#pragma once

namespace perf::workloads {

/// The level of x86-64 that this program was compiled for, e.g. "x86-64-v3" (the System V ABI's
/// levels: v3 has AVX2 and FMA, v4 has AVX-512); "" on other processors.
const char* instruction_set();

/// What this program was compiled for and this CPU lacks, for people; "" where nothing is. Asks the
/// CPU each time, so that under valgrind it is the emulated one that answers.
const char* missing_instructions();

/// Goes on as the program that lies beside this one and needs no more than x86-64-v3: the same
/// sources, built where this program needs more. Returns where there is none.
void go_on_with_fewer_instructions(char** argv);

}  // namespace perf::workloads
