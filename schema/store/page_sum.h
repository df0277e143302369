#pragma once

#include <cstddef>
#include <cstdint>

namespace perf::store {

/// Room that SQLite leaves for us at the end of each page ("reserved space", fileformat2.html,
/// section 1.3.4), and what lies there: the sum of the page.
inline constexpr int kSumBytes = 8;

/// The sum of a page without its last kSumBytes; `page` counts from 1, so that a page in another's
/// place is seen. The two sums of SQLite's write-ahead log (fileformat2.html, section 4.2), which
/// weigh each 32-bit word by neighbouring Fibonacci numbers: these have no common factor, so no
/// change within one word goes unseen.
std::uint64_t page_sum(const unsigned char* bytes, std::size_t size, std::uint32_t page);

/// Writes the sum to the page's end; whether it stands there.
void write_sum(unsigned char* bytes, std::size_t size, std::uint32_t page);
bool has_sum(const unsigned char* bytes, std::size_t size, std::uint32_t page);

}  // namespace perf::store
