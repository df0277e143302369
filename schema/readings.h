#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/invocation.h"

namespace perf {

// What an invocation says of its metrics: read here and nowhere else. The analyzer reads what is
// being measured; the store keeps what was read, and a history is made of that.

/// Seconds of the timed steps of a block, warm-up left out.
std::vector<double> timed_steps(const Block& block);

/// The value of step_time in a block: the median of its timed steps, which may be pruned by now.
std::optional<double> step_time(const Block& block);

/// B. So much of a process's memory may show, or not, by a page more or less: since Linux 6.2 each
/// processor counts pages in batches of 32 (of twice the processors, where there are more than 16),
/// what the process maps and its own apart, and a peak has what was handed in.
inline constexpr double kMemoryResolution = 2 * 32 * 4096;

/// What the kernel said of the whole process: instructions, peak_rss. None of it is judged by the
/// wish of a workload.
std::vector<MetricValue> process_values(const ProcessResult& process);

/// A value that a block has beside its step_time.
struct BlockValue {
  MetricValue value;
  bool reported = true;  ///< false: it follows from tokens_per_step
  bool counts = true;    ///< false: another value has its name
};

/// What a block says of its metrics.
struct BlockReading {
  std::optional<double> step_time;  ///< as above
  std::vector<BlockValue> values;   ///< as reported, in that order, then tokens_per_second
};

/// Reads a block once, for the analyzer and for the store. What was measured here (step_time, and
/// the names in `taken`) beats a value that was reported, that beats a derived one, and else the
/// first of a name counts.
BlockReading read_block(const Block& block, std::set<std::string> taken);

/// Settles for one workload of a run whether its blocks are series of their own, called
/// entry/child, or its only one, called as the entry: they are its own where some invocation had
/// several. The first good pair settles it, like m: later invocations may not rename what is
/// judged.
class BlockCount {
 public:
  /// The next invocation that ended well and was timed, in start order.
  void add(Side side, bool paired, int pair, int attempt, bool has_several);

  bool several() const { return several_; }

 private:
  bool several_ = false, settled_ = false;
  std::map<std::pair<int, int>, Side> halves_{};  ///< by pair and attempt: the side that came first
};

/// How a block of an entry that has several is called: entry/child; a child that already bears the
/// entry's name keeps it, and twins are numbered. `taken` are the names of the blocks before it,
/// and gets this one.
std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken);

/// How the blocks of an invocation that count are called; `blocks` are the names that they gave
/// themselves. Where they are not series of their own only the first counts.
std::vector<std::string> block_names(const std::string& entry,
                                     const std::vector<std::string>& blocks, bool several);

/// The blocks of an invocation that count, by those names.
std::vector<std::pair<std::string, const Block*>> named_blocks(const Invocation& invocation,
                                                               const std::string& entry,
                                                               bool several);

}  // namespace perf
