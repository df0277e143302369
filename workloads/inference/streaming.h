#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/inference/token_pipe.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/sampler.h"

namespace perf::workloads {

struct StreamingSetup {
  std::size_t prompt = 16;      ///< tokens
  std::size_t new_tokens = 16;  ///< at least 1
  SamplingOptions sampling;
  std::vector<int> prompt_tokens = {};  ///< as many as prompt; none: random ones
};

/// One text generated again and again, which a reader gets token by token or in one piece.
class Streaming {
 public:
  /// Of a decoder of one sequence with room for prompt + new tokens, which it resets. Memory for
  /// the sampler comes from `memory`; over a counting one it can do nothing else.
  Streaming(Decoder& decoder, const StreamingSetup& setup, std::uint64_t seed, Ledger& memory);

  enum class Handover { by_token, in_one_piece };
  struct Times {
    double total = 0;        ///< until the reader has all tokens, in seconds
    double first_token = 0;  ///< until it has the first one
    double decode = 0;       ///< of the total, for all tokens but the first
    double bytes = 0;        ///< that these tokens' passes read
  };
  Times generate(Handover handover);

  /// What the reader has got of the last generate().
  const std::vector<std::uint32_t>& received() const { return pipe_.received(); }
  /// What was generated.
  const std::vector<std::uint32_t>& generated() const { return generated_; }

  /// Seconds for the prompt, fed token by token or in one piece.
  double prompt_time(Handover handover);

 private:
  Decoder& decoder_;
  StreamingSetup setup_;
  Sampler sampler_;
  TokenPipe pipe_;
  std::vector<int> prompt_;
  std::vector<double> units_;  // of the draws
  std::vector<std::uint32_t> generated_;
};

}  // namespace perf::workloads
