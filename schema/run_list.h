#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/shard.h"
#include "schema/text/words.h"

namespace perf {

/// What a run was for, as a list shows it.
enum class RunKind { compare, calibrate, selftest, bisect, collect, ratchet, imported };
template <>
inline constexpr std::array<std::string_view, 7> kWords<RunKind>{
    "compare", "calibrate", "selftest", "bisect", "collect", "ratchet", "import"};

/// One side of a listed run.
struct ListedCommit {
  std::string oid;
  std::string name;  ///< as it was given
  std::string subject;
  bool dirty = false;  ///< a snapshot of a modified working tree
};

/// A run in a list.
struct ListedRun {
  std::string id;
  RunKind kind = RunKind::compare;
  std::string started_at;  ///< UTC, ISO 8601
  std::string size;
  std::string tool_version;
  std::optional<ListedCommit> base{};  ///< absent where nothing was compared
  ListedCommit head{};
  std::optional<std::string> verdict{};  ///< of its report
  /// It has its report, was imported whole, ended as part of a ratchet, or is a visit of a
  /// bisection, which has none.
  bool finished = false;
  bool interrupted = false;      ///< a signal ended it
  std::int64_t workloads = 0;    ///< planned
  std::int64_t processes = 0;    ///< that ran
  std::int64_t pairs = 0;        ///< good ones, of all workloads together
  std::string source{};          ///< of an import: the file
  std::optional<Shard> shard{};  ///< of its plan; absent: the whole
};

/// How often workloads that run the same program on both sides were measured as an audit, over all
/// reports of a store.
struct AuditRecord {
  std::int64_t audits = 0;
  std::int64_t alarmed = 0;  ///< of them reported as changed
};

/// What `list` shows.
struct RunList {
  std::string store;                     ///< the file
  std::vector<std::string> workloads{};  ///< globs of the request; empty: all
  std::int64_t all = 0;                  ///< runs in the store
  std::vector<ListedRun> runs{};         ///< newest first
  bool more = false;                     ///< the limit left out matching runs
};

}  // namespace perf
