#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::workloads {

/// Hands tokens to a reader through a pipe of the system, as a server would, each write flushed.
/// One thread does both: what it writes it reads at once on the other side, so that the cost of a
/// handover is there (two system calls, two copies) and no second thread takes a core from the
/// model.
class TokenPipe {
 public:
  /// `most`: tokens that the reader has room for. Throws Error if the system gives no pipe.
  explicit TokenPipe(std::size_t most);
  ~TokenPipe();
  TokenPipe(const TokenPipe&) = delete;
  TokenPipe& operator=(const TokenPipe&) = delete;

  /// Writes tokens (count), in pieces of at most 4096 bytes, and reads them. Throws Error if the
  /// pipe breaks, std::length_error past what the reader has room for.
  void hand_over(const std::uint32_t* tokens, std::size_t count);

  /// What the reader has got since the last clear().
  const std::vector<std::uint32_t>& received() const { return received_; }
  void clear() { received_.clear(); }

 private:
  std::array<int, 2> ends_{-1, -1};  // read, write
  std::vector<std::uint32_t> received_;
};

}  // namespace perf::workloads
