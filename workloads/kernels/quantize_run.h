#pragma once

// What quantize() is made of. Only for the sources of kernels.

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/quantize.h"

namespace perf::workloads {

/// Values that lie one behind another and become codes without a gap: a row, or several rows of
/// whole groups and whole bytes. The last group may be shorter.
struct GroupRun {
  CodeType type = CodeType::int8;
  bool has_float_scales = false;  ///< otherwise Bf16
  std::size_t group = 1;
  std::size_t count = 0;  ///< of values
  const float* in = nullptr;
  std::uint8_t* codes = nullptr;
  std::byte* scales = nullptr;

  std::size_t scale_bytes() const { return has_float_scales ? sizeof(float) : 2; }
};

/// On one thread, as fast as the CPU allows.
void quantize_run(const GroupRun& run);

/// The same in loops that every compiler makes vector code of, for any CPU, group and count.
void quantize_run_portable(const GroupRun& run);

/// Groups that share a step of quantize_run(): 2 to 16 KB of values, which stay in the innermost
/// cache between the search for the largest and the rounding.
std::size_t groups_at_once(std::size_t group);

}  // namespace perf::workloads
