#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/shard.h"

namespace perf {

/// One end of a listed run.
struct ListedCommit {
  std::string oid;
  std::string name;  ///< it was asked for by
  std::string subject;
  bool dirty = false;  ///< a snapshot of a modified working tree
};

/// A run as a list shows it.
struct ListedRun {
  std::string id;
  std::string kind;        ///< compare, calibrate, selftest, bisect, collect, import
  std::string started_at;  ///< UTC, ISO 8601
  std::string size;
  std::string tool_version;
  std::optional<ListedCommit> base{};  ///< absent where nothing was compared
  ListedCommit head{};
  std::optional<std::string> verdict{};  ///< the report's word; absent where there is no report
  /// It ended: has its report, was imported whole, or is a visit of a bisection, which has none.
  bool finished = false;
  bool interrupted = false;      ///< a signal ended it
  std::int64_t workloads = 0;    ///< planned
  std::int64_t processes = 0;    ///< that ran
  std::int64_t pairs = 0;        ///< of them that ended well and count, all workloads together
  std::string source{};          ///< of an import: the file
  std::optional<Shard> shard{};  ///< of its plan; absent: the whole
};

/// How often what runs the same program was measured all the same, over all reports of a store.
struct AuditRecord {
  std::int64_t audits = 0;
  std::int64_t alarmed = 0;  ///< of them called changed
};

/// What `list` shows.
struct RunList {
  std::string store;                     ///< the file
  std::vector<std::string> workloads{};  ///< globs that were asked for; empty: all
  std::int64_t all = 0;                  ///< runs in the store
  std::vector<ListedRun> runs{};         ///< newest first
  bool more = false;                     ///< runs that match were left out by the limit
};

}  // namespace perf
