// The supervisor as a program of its own, `perf-supervisor SOCKET PROC_ROOT`: what the Spawner
// becomes in the process that it forks for it.
#include <cstdlib>

#include "collector/process/wire.h"

int main(int argc, char** argv) {
  constexpr int kWrongUse = 2;
  if (argc != 3) {
    return kWrongUse;
  }
  perf::wire::supervise(std::atoi(argv[1]), argv[2]);
}
