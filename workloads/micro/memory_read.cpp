#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "workloads/kernels/arena.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/read_rate.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/memory.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

// A step reads at least so much: what lies in a cache, many times.
constexpr std::int64_t kLeastRead = 256 << 20;

std::vector<Series> memory_read_series(const Settings& settings) {
  std::vector<Series> all;
  for (const std::int64_t kib : settings.integers("kib")) {
    all.push_back({fmt::format("kib_{}", kib), {{"kib", std::to_string(kib)}}});
  }
  return all;
}

void run_memory_read(const Settings& settings, StepEmitter& out) {
  const auto bytes = static_cast<std::size_t>(settings.integer("kib")) * 1024;
  const std::size_t count = bytes / sizeof(std::uint64_t);
  require_memory(bytes, fmt::format("--kib {}", bytes / 1024));
  Arena arena(Arena::room<std::uint64_t>(count));
  auto* values = arena.take<std::uint64_t>(count);
  // Each value another, so that what is read twice does not make up for what is left out.
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = random_bits(1, static_cast<std::uint32_t>(i));
  }

  ReadRate reading(values, bytes);
  const auto read = static_cast<std::int64_t>(reading.bytes());
  const auto passes = static_cast<int>((kLeastRead + read - 1) / read);
  double fastest = 0;
  std::uint64_t times = 0;
  while (out.next_step()) {
    fastest = std::max(fastest, reading.measure(passes));
    out.phase("read");
    times += static_cast<std::uint64_t>(passes);
  }
  const double rate =
      static_cast<double>(passes) * static_cast<double>(read) / out.median_seconds();
  out.begin_field("bytes_per_step", passes * read);
  out.begin_field("read_rate_bytes", reading.bytes());
  out.metric("read_rate", "B/s", Better::higher, fastest);
  out.metric("bytes_per_second", "B/s", Better::higher, rate);
  out.metric("read_share", "1", Better::higher, rate / fastest);

  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < reading.bytes() / sizeof(std::uint64_t); ++i) {
    sum += values[i];
  }
  out.check("sum_matches_reference", reading.sum() == times * sum ? 0 : 1, 0);
}

}  // namespace

Workload micro_memory_read() {
  return {
      .name = "micro/memory_read",
      .summary = "The machine's limit for reading: caches and memory, by how much is read.",
      .parameters = {integers("kib", {"65536", "65536", "16,64,512,2048,8192,32768,131072,524288"},
                              4, 1 << 26, "KiB that are read again and again; a series each")},
      .phases = {"read"},
      .metrics = ReadShare::metrics(),
      .checks = {"sum_matches_reference"},
      .series = memory_read_series,
      .run = run_memory_read,
  };
}

}  // namespace perf::workloads
