// A libFuzzer program (https://llvm.org/docs/LibFuzzer.html) for the target PERF_FUZZ_TARGET.
// `--seeds FOLDER` only writes its seeds.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/fuzz/target.h"

namespace {

const perf::fuzz::FuzzTarget& target() {
  static const perf::fuzz::FuzzTarget made = perf::fuzz::PERF_FUZZ_TARGET();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 3 || std::string_view((*argv)[1]) != "--seeds") {
    return 0;
  }
  int number = 0;
  for (const std::string& seed : target().seeds()) {
    std::ofstream((*argv)[2] + ("/seed_" + std::to_string(number++)), std::ios::binary) << seed;
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    target().run({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& broken) {  // said before libFuzzer says where
    std::fprintf(stderr, "finding: %s\n", broken.what());
    std::abort();
  }
  return 0;
}
