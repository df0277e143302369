#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/invocation.h"

namespace perf {

// The metrics of an invocation: read here and nowhere else, by the analyzer while measuring, and by
// the store, which keeps them for histories.

/// Seconds of the timed steps of a block, warm-up left out.
std::vector<double> timed_steps(const Block& block);

/// The value of step_time in a block: the median of its timed steps, which may be pruned by now.
std::optional<double> step_time(const Block& block);

/// A metric that is a quantile of an invocation's timed steps: "step_time.p99", of p50 to p99.9.
struct StepQuantile {
  int per_mille = 0;  ///< of the steps, at most the value: 990

  /// Timed steps that a process needs, so that ten of them lie beyond the quantile.
  std::size_t steps_needed() const;
  /// Linear between order statistics (quantile() in schema/side_stats.h). Nothing without steps;
  /// of pruned steps only p50 and p90 are left.
  std::optional<double> of(const Block& block) const;
  std::optional<double> of(std::vector<double> seconds) const;
};

/// The quantile that a metric names; nothing for other names. Throws UsageError for one that is not
/// p50 to p99.9.
std::optional<StepQuantile> step_quantile(const std::string& metric);

/// B. A page more or less may change a peak by so much: since Linux 6.2 each processor counts pages
/// in batches of 32 (twice the number of processors above 16 of them), mapped and anonymous pages
/// apart, and a peak includes only batches that were handed in.
inline constexpr double kMemoryResolution = 2 * 32 * 4096;

/// The kernel's metrics of the whole process: instructions, peak_rss. A workload cannot ask for a
/// verdict on them.
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

/// Decides for one workload of a run whether its blocks are series of their own, named entry/child,
/// or its only series, named like the entry: they are their own where some invocation had several.
/// The first good pair decides, as it does m: later invocations must not rename series.
class BlockCount {
 public:
  /// The next invocation that ended well and was timed, in start order.
  void add(Side side, bool paired, int pair, int attempt, bool has_several);

  bool several() const { return several_; }

 private:
  bool several_ = false, settled_ = false;
  std::map<std::pair<int, int>, Side> halves_{};  ///< by pair and attempt: the side that came first
};

/// The name of a block of an entry with several: entry/child; a child whose name begins with the
/// entry's keeps it, and duplicates are numbered. `taken`: the names of the blocks before it, to
/// which this one is added.
std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken);

/// The names of the blocks of an invocation that count; `blocks`: the names that they report. Where
/// they are not series of their own only the first counts.
std::vector<std::string> block_names(const std::string& entry,
                                     const std::vector<std::string>& blocks, bool several);

/// The blocks of an invocation that count, by those names.
std::vector<std::pair<std::string, const Block*>> named_blocks(const Invocation& invocation,
                                                               const std::string& entry,
                                                               bool several);

}  // namespace perf
