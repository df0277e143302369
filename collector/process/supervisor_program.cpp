// The supervisor's program, `perf-supervisor SOCKET PROC_ROOT BUILD`, executed by Spawner.
#include <cstdlib>
#include <string_view>

#include "collector/process/supervisor.h"

int main(int argc, char** argv) {
  if (argc != 4 || std::string_view(argv[3]) != PERF_COMPARE_SUPERVISOR) {
    return perf::wire::kOtherBuild;
  }
  perf::wire::supervise(std::atoi(argv[1]), argv[2]);
}
