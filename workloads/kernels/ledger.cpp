#include "workloads/kernels/ledger.h"

#include <numeric>
#include <stdexcept>
#include <string>

namespace perf::workloads {

Ledger::Ledger(const Ledger& counted)
    : counted_(counted.bytes_), arena_(std::make_unique<Arena>(counted.total())) {}

std::size_t Ledger::total() const {
  return std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0});
}

// The arena alone would not notice: it rounds up to whole huge pages, and knows no purposes.
void Ledger::book(Purpose purpose, std::size_t bytes) {
  const auto index = static_cast<std::size_t>(purpose);
  if (!counting() && bytes > counted_[index] - bytes_[index]) {
    throw std::logic_error("more memory taken than was counted for " +
                           std::string(kPurposeNames[index]));
  }
  bytes_[index] += bytes;
}

}  // namespace perf::workloads
