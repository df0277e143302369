#pragma once

#include <cstddef>
#include <memory>

#include "workloads/decoder/decoder.h"

namespace perf::workloads {

/// A loaded decoder and the memory it lives in: counted first, then taken at once.
class DecoderInMemory {
 public:
  /// Throws Error where the machine has not as much available, saying what would fit, and what
  /// the source throws.
  DecoderInMemory(const DecoderSetup& setup, const ParameterSource& source);
  DecoderInMemory(const DecoderInMemory&) = delete;
  DecoderInMemory& operator=(const DecoderInMemory&) = delete;

  Decoder& decoder() { return *decoder_; }
  const Ledger& memory() const { return memory_; }

 private:
  Ledger memory_;
  std::unique_ptr<Decoder> decoder_;  // uses the memory
};

/// Counts what a decoder would take, by purpose; takes nothing.
void count_memory(const DecoderSetup& setup, Ledger& counted);

/// Throws Error, with the bytes that a decoder takes, those that are available, and which smaller
/// setups would fit, if the first are more than the second. `available` 0 is unknown: nothing
/// happens.
void require_fit(const DecoderSetup& setup, std::size_t available);

}  // namespace perf::workloads
