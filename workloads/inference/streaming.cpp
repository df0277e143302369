#include "workloads/inference/streaming.h"

#include <chrono>

#include "workloads/kernels/random.h"
#include "workloads/model/random_tokens.h"

namespace perf::workloads {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Streaming::Streaming(Decoder& decoder, const StreamingSetup& setup, std::uint64_t seed,
                     Ledger& memory)
    : decoder_(decoder),
      setup_(setup),
      sampler_(setup.sampling, decoder.setup().shape.tokens(), memory),
      pipe_(setup.new_tokens) {
  prompt_ = setup.prompt_tokens.empty()
                ? random_tokens(derived_seed(seed, 0), setup.prompt, decoder.setup().shape.tokens())
                : setup.prompt_tokens;
  for (std::size_t i = 0; i < setup.new_tokens; ++i) {
    units_.push_back(random_bits(derived_seed(seed, 1), static_cast<std::uint32_t>(i)) * 0x1p-32);
  }
  generated_.reserve(setup.new_tokens);
}

Streaming::Times Streaming::generate(Handover handover) {
  pipe_.clear();
  generated_.clear();
  decoder_.reset();
  Times times;
  const Clock::time_point start = Clock::now();
  const float* logits = decoder_.advance(prompt_.data(), prompt_.size());
  for (std::size_t i = 0; i < setup_.new_tokens; ++i) {
    if (i > 0) {
      const int last = static_cast<int>(generated_.back());
      times.bytes += static_cast<double>(decoder_.bytes_read());
      logits = decoder_.advance(&last, 1);
    }
    generated_.push_back(static_cast<std::uint32_t>(sampler_.choose(logits, units_[i])));
    if (handover == Handover::by_token) {
      pipe_.hand_over(&generated_.back(), 1);
    }
    if (i == 0) {
      times.first_token = seconds_since(start);
    }
  }
  if (handover == Handover::in_one_piece) {
    pipe_.hand_over(generated_.data(), generated_.size());
  }
  times.total = seconds_since(start);
  times.decode = times.total - times.first_token;
  if (handover == Handover::in_one_piece) {
    times.first_token = times.total;
  }
  return times;
}

double Streaming::prompt_time(Handover handover) {
  decoder_.reset();
  const Clock::time_point start = Clock::now();
  if (handover == Handover::in_one_piece) {
    decoder_.advance(prompt_.data(), prompt_.size());
  } else {
    for (const int& token : prompt_) {
      decoder_.advance(&token, 1);
    }
  }
  return seconds_since(start);
}

}  // namespace perf::workloads
