#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/alert.h"
#include "schema/bisection.h"
#include "schema/calibration.h"
#include "schema/error.h"
#include "schema/invocation.h"
#include "schema/payload.h"
#include "schema/plan.h"
#include "schema/ratchet.h"
#include "schema/recorded_history.h"
#include "schema/report.h"
#include "schema/run_list.h"
#include "schema/workload.h"

namespace perf {
namespace store {

class Connection;

/// The version of SQLite in this process: "3.40.1".
std::string sqlite_version();

}  // namespace store

/// A run that paired two revisions on a workload.
struct RunOfPairs {
  std::string id;
  std::int64_t pairs = 0;  ///< good ones of the workload
};

/// One entry of the audit trail of pins.
struct PinEvent {
  bool pinned = true;  ///< false: unpinned
  std::string name;
  std::string oid;  ///< unpinned: the revision until then
  std::string reason;
  std::string at;  ///< UTC, ISO 8601
};

/// How often a workload was measured at a commit.
struct MeasuredAt {
  std::string oid;
  Workload workload;    ///< name and params
  int invocations = 0;  ///< good ordinary ones
  int failures = 0;     ///< failed ones, with revisions that did not build
};

/// A file that another tool wrote, as it was imported.
struct ImportedFrom {
  std::string format;
  std::string source;       ///< the file, as it was named
  std::string digest;       ///< of its values, names and time, and its names here
  std::string measured_at;  ///< by the file; may be empty
};

/// The result of merging another store.
struct MergeResult {
  std::int64_t runs = 0;               ///< taken
  std::int64_t known = 0;              ///< already present
  std::int64_t unfinished = 0;         ///< of those taken: without a report
  std::int64_t continued = 0;          ///< of those known: continued in the other store
  std::int64_t alerts = 0;             ///< taken, or with news
  std::vector<Baseline> pins{};        ///< not merged, sorted by name: pins never are
  std::vector<std::string> run_ids{};  ///< of all runs of the file, oldest first
};

/// The result of taking payloads.
struct TakenPayloads {
  MergeResult merged;          ///< of all of them
  std::vector<Error> refused;  ///< one each, with its name as subject; nothing of it was taken

  TakenPayloads& operator+=(const TakenPayloads& more);
};

/// What to prune: raw steps and phases of older runs, except those that a pin or a change point
/// needs.
struct PruneRequest {
  std::string until;                   ///< UTC, ISO 8601: of runs that began by then
  std::vector<std::string> keep{};     ///< full oids whose raw steps stay, beside those of pins
  std::vector<std::string> changes{};  ///< those beside change points, and beside those of alerts
  bool dry_run = false;
};

struct PruneResult {
  std::int64_t runs = 0;   ///< whose raw steps were pruned
  std::int64_t steps = 0;  ///< rows removed
  std::int64_t phases = 0;
  std::int64_t kept_for_pins = 0;     ///< runs old enough that have a pinned commit
  std::int64_t kept_for_changes = 0;  ///< those beside a change, found now or shown earlier
  std::int64_t bytes_before = 0;      ///< of the file
  std::int64_t bytes_after = 0;       ///< dry_run: at most
};

/// The content of a copy.
struct ExportResult {
  std::int64_t bytes = 0;
  std::int64_t runs = 0;
  std::int64_t commits = 0;
  std::int64_t steps = 0;
};

/// The SQLite file of docs/store.md. Every write is one IMMEDIATE transaction, durable when the
/// call returns: an invocation is stored whole or not at all. It waits for writers of other
/// processes for up to 30 s. Throws Error for everything that SQLite refuses, with the file as
/// subject. A Store belongs to one thread at a time, and must not be used across a fork.
class Store {
 public:
  enum class Access {
    read_write,
    read_only,  ///< creates and migrates nothing; there must be a store of the current version
  };

  /// Opens or creates the file (and its folder; a new .perf-compare gets a .gitignore that hides
  /// it), migrating an older version after a VACUUM INTO copy. A newer version, other files and
  /// symbolic links are refused and left unchanged.
  explicit Store(const std::filesystem::path& file, Access access = Access::read_write);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Records a run with its revisions, environment and planned workloads, before its first
  /// invocation. `started_at` is UTC, ISO 8601; empty: now.
  void begin_run(const Plan& plan, const Policy& policy, const std::string& tool_version,
                 const std::string& started_at = {});
  /// Stores one finished invocation with its steps, phases, metrics and checks. Its workload must
  /// be in the run's plan, its revision recorded by some run. The last 512 B of each output stream
  /// are kept, 16 KiB for a failure. Nothing is stored when a value is not finite, a step takes no
  /// time, or step indices do not ascend.
  void add(const std::string& run_id, const Invocation& invocation);
  /// Stores the finished report of the run `report.id`, once: its verdicts with m, K, look and a'.
  /// `budget_spent` is that of Measurements: load() returns it.
  void finish_run(const Report& report, bool budget_spent = false);

  /// Stores the calibration of the run `calibration.id`, once. Its warnings are not stored: they
  /// follow from the rest.
  void add_calibration(const Calibration& calibration);
  /// The latest calibration under this fingerprint, of this size (empty: of any).
  std::optional<Calibration> latest_calibration(const std::string& fingerprint,
                                                const std::string& size = {}) const;

  /// The latest bisection of the key with the runs that belong to it; where there is none, one of
  /// this id and seed is begun.
  StoredBisection open_bisection(const BisectionKey& key, const std::string& id,
                                 std::uint64_t seed);
  /// Makes a run that was begun part of a bisection; `last`: as its last comparison.
  void add_to_bisection(const std::string& bisection_id, const std::string& run_id, bool last);

  /// The ledger of a ratchet, in the order of beginning here.
  std::vector<RatchetRun> ratchet_runs(const std::string& name) const;
  /// Adds a run, which was begun, to the ledger; returns its number, which no other run of its kind
  /// and name has here.
  int begin_ratchet_run(const RatchetRun& run);
  /// Records how it ended, once. What is accepted is pinned in the same transaction if the name is
  /// still pinned at its best; else it has `moved`. Returns the outcome.
  AttemptOutcome end_ratchet_run(const RatchetRun& run);

  /// The measurements of a run, in start order. Throws Error when there is no such run.
  Measurements load(const std::string& run_id) const;
  /// The plan of a run. Throws Error when there is no such run.
  Plan load_plan(const std::string& run_id) const;
  /// The policy of a run. Throws Error when there is no such run.
  Policy load_policy(const std::string& run_id) const;
  /// The stored report of a run; nothing where it has none. Throws Error when there is no such run.
  std::optional<Report> load_report(const std::string& run_id) const;
  /// The runs of `compare` that paired exactly these revisions on a workload at a size, newest
  /// first: with one good pair at least, the same parameters on both sides, and not as a control
  /// arm.
  std::vector<RunOfPairs> runs_of_pairs(const std::string& base_oid, const std::string& head_oid,
                                        const Workload& workload, const std::string& size) const;
  /// The newest finished runs of `compare` that paired any revisions on a workload, as head and as
  /// base ran it, at a size, under a fingerprint: with four good pairs at least that took so many
  /// seconds each on average; not interrupted, imported or as a control arm.
  std::vector<RunOfPairs> runs_of_slow_pairs(const Workload& base, const Workload& head,
                                             const std::string& size,
                                             const std::string& fingerprint, double seconds) const;
  /// The ids of runs of `compare` and `collect` that measured a revision on a workload at a size,
  /// on either side, or failed to, newest first. Counted, traced and relinked invocations do not
  /// count.
  std::vector<std::string> runs_at(const std::string& oid, const Workload& workload,
                                   const std::string& size, std::int64_t limit = -1) const;
  /// Whether a workload of these parameters is stored, but never with these files outside the
  /// history: a new series begins.
  bool knows_other_benchmark(const Workload& workload) const;
  /// The measurements along a line of commits, one value an invocation and metric.
  RecordedHistory load_recorded(const HistoryQuery& query) const;
  /// How often the workloads were measured at these commits, to compare or to collect, at a size
  /// and under a fingerprint; with `anchor`, only paired with that commit as base.
  std::vector<MeasuredAt> measured_at(const std::vector<std::string>& oids, const std::string& size,
                                      const std::string& fingerprint,
                                      const std::string& anchor = {}) const;

  /// The traced programs of these commits, collected at a size, one a commit, machine and workload.
  std::vector<ProgramAt> programs_at(const std::vector<std::string>& oids,
                                     const std::string& size) const;

  /// Every alert that was ever shown, in the order of showing.
  std::vector<Alert> alerts() const;
  /// Remembers alerts that were shown for the first time, and news of earlier ones (by id).
  void record_alerts(const std::vector<Alert>& fresh,
                     const std::vector<std::pair<std::string, AlertEvent>>& news);

  /// Stores a run that another tool measured, with all its invocations, whole or not at all. It
  /// began when `from` says, or now.
  void add_imported(const Plan& plan, const Policy& policy, const std::string& tool_version,
                    const std::vector<Invocation>& invocations, const ImportedFrom& from);
  /// The run that was imported under this digest.
  std::optional<std::string> find_imported(const std::string& digest) const;

  /// Merges the runs of another store of the same version, except those already present. The file
  /// is untrusted: any other schema is refused, rows are copied by typed columns, all in one
  /// transaction.
  MergeResult merge(const std::filesystem::path& other);
  /// Writes a compact copy, of one run or of everything, to a new file. Throws UsageError when
  /// there is no such run.
  ExportResult export_to(const std::filesystem::path& file, const std::string& run_id = {}) const;

  /// A run, or the alerts of a month, as a payload. Throws UsageError when there is no such run.
  Payload payload_of_run(const std::string& run_id) const;
  Payload payload_of_alerts(const std::string& month) const;
  /// The ids of finished runs, in the order of their beginning here, and the months in which alerts
  /// had news.
  std::vector<std::string> finished_runs() const;
  std::vector<std::string> months_of_alerts() const;
  /// Merges the sound ones of payloads; remembers that `hub` has them.
  TakenPayloads take(const std::string& hub, const std::vector<Payload>& payloads);
  /// Names of payloads that are known to be in a hub: taken from there, or pushed there.
  std::set<std::string> payloads_in(const std::string& hub) const;
  void remember_payloads(const std::string& hub, const std::vector<std::string>& names);

  /// Replaces raw steps by summaries; shrinks the file.
  PruneResult prune(const PruneRequest& request);

  /// All runs, or the latest `limit` of them, newest first, without the counts of list_runs().
  std::vector<ListedRun> runs(std::int64_t limit = -1) const;

  /// The latest `limit` runs (-1: all) with what they measured, newest first; of those that planned
  /// a workload that one of the globs matches, where there are any.
  std::vector<ListedRun> list_runs(std::int64_t limit = -1,
                                   const std::vector<std::string>& globs = {}) const;
  /// One of them. Throws Error when there is no such run.
  ListedRun listed_run(const std::string& run_id) const;
  /// The start of a run: UTC, ISO 8601. Throws Error when there is no such run.
  std::string started_at(const std::string& run_id) const;
  /// The latest `limit` runs with a revision on either side, newest first.
  std::vector<ListedRun> listed_runs_at(const std::string& oid, std::int64_t limit = -1) const;
  /// Sizes of all runs with a revision on either side, sorted.
  std::vector<std::string> sizes_at(const std::string& oid) const;
  /// Ids of runs that begin with a text, at most `limit`.
  std::vector<std::string> run_ids(const std::string& prefix, std::int64_t limit = -1) const;
  /// The latest `limit` comparisons on such a machine, of such a size, that have their report and
  /// this commit on either side, newest first.
  std::vector<std::string> comparisons_at(const std::string& oid, const std::string& fingerprint,
                                          const std::string& size, std::int64_t limit) const;
  /// The audits of all reports.
  AuditRecord audit_record() const;
  /// The latest comparison that has its report.
  std::optional<std::string> latest_comparison() const;
  /// How many runs there are.
  std::int64_t count_runs() const;

  /// Points a name at a revision; its earlier revision stays in the audit trail.
  void pin(const Baseline& baseline);
  /// Removes a name; false when there is none.
  bool unpin(const std::string& name, const std::string& at, const std::string& reason = {});
  /// Named baselines, sorted by name.
  std::vector<Baseline> pins() const;
  /// Every pin and unpin there ever was, in order.
  std::vector<PinEvent> pin_events() const;

  /// The complaints of SQLite's quick_check and foreign_key_check; empty when the store is sound.
  /// Reads the whole file.
  std::vector<std::string> problems() const;

 private:
  std::unique_ptr<store::Connection> connection_;
};

}  // namespace perf
