#include "workloads/inference/decode_time.h"

#include <chrono>
#include <vector>

#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/inference_report.h"
#include "workloads/model/parameter_source.h"
#include "workloads/program/median.h"

namespace perf::workloads {

double measured_decode_time(const DecoderSetup& setup, std::uint64_t seed) {
  constexpr int kTimes = 5;
  const SeededParameters source(setup.shape, seed);
  DecoderInMemory model(setup, source);
  const std::vector<int> tokens(setup.sequences);
  model.decoder().advance(tokens.data(), 1);
  std::vector<double> seconds;
  for (int i = 0; i < kTimes; ++i) {
    const auto start = std::chrono::steady_clock::now();
    model.decoder().advance(tokens.data(), 1);
    const auto end = std::chrono::steady_clock::now();
    seconds.push_back(std::chrono::duration<double>(end - start).count());
  }
  return median(seconds);
}

}  // namespace perf::workloads
