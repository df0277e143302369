// A store of so many runs, each of 24 invocations, for hub_trials.sh:
//
//     many_runs STORE FIRST COUNT     runs FIRST, FIRST + 1, ...

#include <cstdlib>
#include <string>

#include "schema/store/store.h"
#include "tests/schema/store/example.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  perf::Store store(argv[1]);
  const int first = std::atoi(argv[2]);
  for (int i = first; i < first + std::atoi(argv[3]); ++i) {
    perf::example::add_run(store, "run-" + std::to_string(i), 24);
  }
}
