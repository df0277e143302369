#include "workloads/decoder/decoder_in_memory.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "workloads/program/error.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

// The program with its libraries takes 0.1 GiB, what else a workload holds (samples, tokens)
// little.
constexpr double kReserve = 0.15 * kGibi;

double bytes_for(const DecoderSetup& setup) {
  Ledger counted;
  count_memory(setup, counted);
  return static_cast<double>(counted.total());
}

/// A setup that takes less than another, and how to ask for it.
struct Smaller {
  std::string how;
  DecoderSetup setup;
};

std::vector<Smaller> ways_out(const DecoderSetup& setup) {
  std::vector<Smaller> ways;
  for (const WeightType type : {WeightType::bf16, WeightType::int8, WeightType::int4}) {
    DecoderSetup smaller = setup;
    smaller.weights = type;
    ways.push_back({"--weights " + name_of(type), smaller});
  }
  if (setup.cache == DType::fp32) {
    ways.push_back({"--cache-dtype fp16", setup});
    ways.back().setup.cache = DType::fp16;
  }
  if (setup.sequences > 1) {
    DecoderSetup half = setup;
    half.sequences = (setup.sequences + 1) / 2;
    half.most_rows = setup.most_rows * half.sequences / setup.sequences;
    half.logit_rows = setup.logit_rows * half.sequences / setup.sequences;
    ways.push_back({fmt::format("--batch-size {}", half.sequences), half});
  }
  if (setup.capacity > 1) {
    DecoderSetup half = setup;
    half.capacity = (setup.capacity + 1) / 2;
    half.most_rows = std::max(setup.sequences, setup.most_rows / 2);
    ways.push_back({"sequences half as long", half});
  }
  return ways;
}

Ledger room_for(const DecoderSetup& setup) {
  require_fit(setup, available_memory());
  Ledger counted;
  count_memory(setup, counted);
  return Ledger(counted);
}

}  // namespace

void count_memory(const DecoderSetup& setup, Ledger& counted) {
  const Decoder decoder(setup, counted);
}

void require_fit(const DecoderSetup& setup, std::size_t available) {
  const double needed = bytes_for(setup);
  const auto fits = [available](double bytes) {
    return bytes + kReserve <= static_cast<double>(available);
  };
  if (available == 0 || fits(needed)) {
    return;
  }
  std::vector<std::string> fitting, smaller;
  for (const Smaller& way : ways_out(setup)) {
    const double bytes = bytes_for(way.setup);
    if (bytes < needed) {
      (fits(bytes) ? fitting : smaller).push_back(fmt::format("{} ({})", way.how, in_gib(bytes)));
    }
  }
  throw Error("not enough memory",
              fmt::format("{} parameters in {} with a cache of {} x {} positions would take {}, {} "
                          "are available",
                          setup.shape.parameters(), name_of(setup.weights), setup.sequences,
                          setup.capacity, in_gib(needed), in_gib(static_cast<double>(available))),
              !fitting.empty() ? fmt::format("{}", fmt::join(fitting, ", or "))
              : smaller.empty()
                  ? std::string("fewer tokens, or a smaller --model")
                  : fmt::format("fewer tokens, or a smaller --model; too much still: {}",
                                fmt::join(smaller, ", ")));
}

DecoderInMemory::DecoderInMemory(const DecoderSetup& setup, const ParameterSource& source)
    : memory_(room_for(setup)), decoder_(std::make_unique<Decoder>(setup, memory_)) {
  decoder_->load(source);
}

}  // namespace perf::workloads
