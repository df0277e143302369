// What perf-workloads does at its start, as if OpenBLAS had fallen back to an old core on an
// AVX-512 machine; prints the core before exec would be of use, and what the new process found.
#include <cblas.h>

#include <cstdio>
#include <cstdlib>

#include "workloads/kernels/instruction_set.h"
#include "workloads/program/restart.h"

int main(int, char** argv) {
  perf::workloads::restart_as({perf::workloads::instruction_set(),
                               {{"OPENBLAS_CORETYPE", "Haswell"}, {"PROBE_VARIABLE", "set"}}},
                              argv);
  const char* variable = std::getenv("PROBE_VARIABLE");
  std::printf("%s %s %s\n", openblas_get_corename(), variable != nullptr ? variable : "unset",
              argv[1]);
}
