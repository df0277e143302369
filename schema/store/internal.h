#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/files/hold.h"
#include "schema/formats/json.h"
#include "schema/json/json_record_reader.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/payload.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/readings.h"
#include "schema/recorded_history.h"
#include "schema/run_list.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"

/// What the files of this folder share.
namespace perf::store {

// ---- files that survive a power cut

/// Waits until what a file holds, or the names in a folder, would survive a power cut; a file that
/// was created, renamed or removed does so only once its folder was synced, too. Throws Error where
/// the disk fails; file systems that cannot sync a folder are passed over in silence.
void sync_to_disk(const std::filesystem::path& path);

/// Makes a folder that is not there, and those above it, each certain to stay; true if it was made.
/// Sets `error` where one cannot be made.
bool make_durable_folder(const std::filesystem::path& folder, std::error_code& error);

/// Copies a store into the file `partial`, which must not be there, and brings it to the disk. Held
/// until the answer goes, so that nobody takes it for what a killed process left. On failure
/// nothing of it stays. Throws Error.
Hold copy_into_partial(Connection& connection, const std::filesystem::path& partial);

// ---- sums of pages

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

// ---- migrations

/// Marks the file as a store of perf-compare (PRAGMA application_id): "prfc".
inline constexpr std::uint32_t kApplicationId = 0x70726663;

/// One file of schema/sql/, embedded at build.
struct Migration {
  std::uint32_t version = 0;  ///< of the store after it: PRAGMA user_version
  std::string_view name;      ///< 0007_initial
  std::string_view sql;
};

/// All of schema/sql/, in order. The first makes a store of nothing; each of the others makes the
/// next version of the one before.
const std::vector<Migration>& migrations();

/// Brings an opened file to the last of `steps`: makes a new store of an empty file; migrates an
/// older one, each step in one IMMEDIATE transaction, after a VACUUM INTO copy beside it
/// (FILE.version-N.bak); and leaves a current one alone, once its schema has been found to be
/// exactly ours. Anything else is refused untouched: a newer version, one from before the first
/// step, another application's database, a file that is no database, a changed schema or foreign
/// triggers.
/// Throws Error, and when a store that must change may only be read.
void bring_up_to_date(Connection& connection, const std::vector<Migration>& steps);

/// Makes a store of an empty database, unless another process has done so.
void make_store(Connection& connection, const std::vector<Migration>& steps);
/// Takes the steps after the version of a store in memory, which is ours and sound.
void migrate_in_memory(Connection& connection, const std::vector<Migration>& steps);

// ---- whose file it is

/// What to try with a store that is damaged.
inline constexpr char kSaveWhatCanBeRead[] =
    "restore a copy, or save what can be read with sqlite3's .recover";

/// What a database says it is. All zero: an empty one.
struct Identity {
  std::uint32_t application_id = 0;
  std::uint32_t version = 0;
  std::int64_t objects = 0;  ///< tables, indexes, views and triggers
};

/// Wants a transaction around it, lest another process that creates the store is seen half way.
Identity identity_of(Connection& connection);
/// Opens that transaction itself, and refuses a file cut short.
Identity first_look(Connection& connection);

/// Looks at the bytes before SQLite, which would recover journals and may write, gets to them.
/// Refuses what is no store of ours, or one of a version that `steps` do not lead to or from.
void refuse_by_header(const Connection& connection, const std::vector<Migration>& steps);
/// Refuses a store whose objects are not exactly as `steps` make them up to `version`, and one
/// with a trigger more: triggers run at our writes, with our rights. Tables, views and indexes
/// that people add are theirs.
void require_schema(Connection& connection, const std::vector<Migration>& steps,
                    std::uint32_t version);
/// Refuses a store that holds any table, view, index or trigger beside those that `steps`
/// make up to `version`; what ANALYZE wrote is passed over.
void refuse_additions(Connection& connection, const std::vector<Migration>& steps,
                      std::uint32_t version);

[[noreturn]] void refuse_foreign(const std::string& file, const std::string& why);
/// Refuses a version after the last of `steps`, and one from before the first.
void refuse_version(const std::string& file, std::uint32_t version,
                    const std::vector<Migration>& steps);

// ---- damage

/// Runs PRAGMA quick_check and foreign_key_check; returns what they complain of, empty when sound.
/// Reads the whole file; throws Error where the disk does not let it.
std::vector<std::string> problems(Connection& connection);

/// Runs PRAGMA integrity_check, which holds indexes against their tables, too. Throws Damaged with
/// its first complaint, and Error where the disk fails.
void require_integrity(Connection& connection);

/// Larger stores are not read from end to end only because they are opened: that would take longer
/// than what is wanted of them. `prune`, which writes all of it anyway, sees to their sums.
inline constexpr std::uintmax_t kSummedAtOpening = std::uintmax_t{64} << 20U;  // B

/// Sees to the sums of a store of at most `largest` bytes (checked_pages.h). One that another
/// program has written to is checked from end to end first. Where the store may be written, every
/// page gets its sum; where that fails (no room for a copy, somebody reads it) the store is used
/// without. Throws Damaged.
void keep_sums(Connection& connection, std::uintmax_t largest = kSummedAtOpening);

// ---- columns that hold JSON

/// Values that lie in one column, as JSON with sorted keys, so that equal values have equal texts.
/// The file may be a stranger's: what is not of the kind that we write is an Error, never
/// undefined.

/// What `read` makes of a column's value. The only way in for what a column holds.
template <class Read>
auto read_column(std::string_view text, const Read& read) {
  try {
    return read(formats::read_json(text, formats::JsonLimits{.own = true}));
  } catch (const formats::JsonFault& fault) {
    throw Error("the store has a damaged column: " + fault.what, std::string(text.substr(0, 80)),
                kNotOurs);
  }
}

/// Parameters, facts, lists or a policy: what has no unknown numbers. JSON has no NaN, and a null
/// in its place would read as "unknown".
template <class Value>
std::string text_of(const Value& value) {
  const Json json = json_of(value);
  for (const Json& one : json) {
    if (one.is_null()) {
      throw Error("cannot store a number that is not finite", one_line_of(json),
                  "report this bug: readers must refuse NaN and infinities");
    }
  }
  return one_line_of(json);
}

template <class Value>
Value value_of(std::string_view text) {
  return read_column(text, [](const formats::JsonValue& json) {
    Value value{};
    JsonRecordReader::read(json, "a column", value, Absent::is_fault);
    return value;
  });
}

/// What came of a run: the result_fields of a report or a calibration.
template <class Record>
std::string result_of(const Record& record) {
  Json json = Json::object();
  JsonWriter writer(json);
  result_fields(writer, record);
  return one_line_of(json);
}

template <class Record>
void read_result(std::string_view text, Record& record) {
  read_column(text, [&record](const formats::JsonValue& json) {
    JsonRecordReader reader(json, "a result", Absent::is_fault);
    result_fields(reader, record);
  });
}

// ---- values of foreign stores

/// What is read of a store that a stranger may have written, held to what our own writers keep to:
/// it is printed, and pasted into shells. Each throws Error.
void require_oid(const std::string& oid);
void require_run_id(const std::string& id);
void require_size(const std::string& size);

/// Whether a line is one that we write to tell how a run is repeated: perf-compare with revisions
/// and with options that measure, quoted as we quote. People paste it into a shell; in a stranger's
/// store it could be any command.
bool is_reproduce_line(const std::string& line);

// ---- rows of a record

/// B kept of the end of each stream that an invocation printed. What did not work is worth reading;
/// what did work is stored a million times.
inline constexpr std::size_t kOutputKeptOfFailure = 16384;
inline constexpr std::size_t kOutputKept = 512;

/// The rows of a record, one file each. All but find_run want a transaction around them and throw
/// Error for what SQLite or the tables' rules refuse.
void insert_run(Connection& connection, const Plan& plan, const Policy& policy,
                const std::string& tool_version, const std::string& started_at);
void insert_invocation(Connection& connection, std::int64_t run, const Invocation& invocation);

/// The columns of an invocation, without those that refer to other rows.
#define PERF_COLUMN_NAME(member) ", " #member
#define PERF_COLUMN_VALUE(member) , i.process.member
inline constexpr char kInvocationColumns[] =
    "pair, attempt, start_order, paired, steps_wanted, warmup_wanted, seed, padding, failure, "
    "took, layout_seed, counted, traced" PERF_PROCESS_COLUMNS(PERF_COLUMN_NAME);
auto invocation_columns(auto& i) {
  return std::tie(i.pair, i.attempt, i.start_order, i.paired, i.steps_wanted, i.warmup_wanted,
                  i.seed, i.padding, i.failure, i.took, i.layout_seed, i.counted,
                  i.traced PERF_PROCESS_COLUMNS(PERF_COLUMN_VALUE));
}

/// The key of a run. Throws Error when there is none of that id.
std::int64_t find_run(Connection& connection, const std::string& id);
/// A run as it was planned. Throws Error where the store's texts are not what this program writes.
Plan load_plan(Connection& connection, std::int64_t run);
/// The policy that a run went by; that of such a column. Throws Error for what no policy is.
Policy policy_of(const std::string& text);
Policy load_policy(Connection& connection, std::int64_t run);

/// Rows that are written once for all that agree; they find the row or make it.
std::int64_t intern_revision(Connection& connection, const Revision& revision);
std::int64_t intern_environment(Connection& connection, const Environment& environment);
std::int64_t intern_workload(Connection& connection, const Workload& workload);
/// The column `needs` of a workload; and what such a column adds to one.
std::string needs_of(const Workload& workload);
void read_needs(const std::string& text, Workload& workload);
std::int64_t intern_metric(Connection& connection, const Metric& metric);
std::int64_t intern_name(Connection& connection, const std::string& name);
std::int64_t intern_declaration(Connection& connection, const Block& block);

// ---- rows of a history

/// The commit of a revision that is not on the line.
inline constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// A run to compare or to collect, at the size asked for.
struct RunRow {
  std::string id;
  std::string started_at;
  std::int64_t key = 0;
  std::int64_t environment = 0;  ///< key
  std::string fingerprint;       ///< of it
  std::string host;              ///< random id; empty: not known
  std::string base;              ///< full oid; empty: it has none
  bool base_dirty = false, head_dirty = false;
  bool collected = false;  ///< its purpose
};

/// What several workload rows agree on: their commands and timeouts aside.
struct EntryRow {
  std::string name;
  Params params;
  std::string outside;
};

/// An invocation that ended well and was timed as its commit asks for, at a clean commit; one that
/// is not on the line only where it may be half of an anchored pair.
struct InvocationRow {
  std::int64_t key = 0;
  std::uint32_t run = 0;    ///< index into RecordedRows::runs
  std::uint32_t entry = 0;  ///< index into RecordedRows::entries
  std::uint32_t commit = kNowhere;
  bool is_base = false;
  bool anchored = false;  ///< half of a pair of a collecting run
  bool several = false;   ///< its blocks are series of their own: see BlockCount
  std::int64_t pair = 0, attempt = 0;
  std::optional<std::int64_t> peak_rss, instructions;
};

struct DeclarationRow {
  std::uint32_t name = 0;   ///< index into RecordedRows::block_names
  std::uint32_t facts = 0;  ///< index into RecordedRows::facts
  std::uint32_t own = 0;    ///< index into RecordedRows::own_params
};

struct BlockRow {
  std::int64_t key = 0;
  std::int64_t invocation = 0;  ///< key
  std::int64_t idx = 0;
  const DeclarationRow* declaration = nullptr;  ///< of RecordedRows::declarations
  std::optional<double> median;                 ///< s, of the timed steps
};

struct MetricRow {
  std::int64_t block = 0;    ///< key
  std::uint32_t metric = 0;  ///< index into RecordedRows::metrics
  double value = 0;
  bool judge = false;
};

/// Places in RecordedRows::metrics of the metrics that perf-compare measures itself.
inline constexpr std::uint32_t kStepTimePlace = 0, kPeakRssPlace = 1, kInstructionsPlace = 2;

/// What a history is made of, as it lies in the tables.
struct RecordedRows {
  std::vector<RunRow> runs;
  std::vector<EntryRow> entries;
  std::vector<Metric> metrics;
  std::vector<std::string> block_names;
  std::vector<std::map<std::string, std::string>> facts;
  std::vector<Params> own_params;  ///< that tell series of blocks apart, first none
  std::unordered_map<std::int64_t, DeclarationRow> declarations;  ///< by key
  std::vector<InvocationRow> invocations;                         ///< by key
  std::vector<BlockRow> blocks;   ///< by invocation, then idx; of good ones and others
  std::vector<MetricRow> values;  ///< those that count, by block, then idx
  std::unordered_map<std::int64_t, float> tails;  ///< if asked for: RecordedValue::tail, by block
  std::int64_t elsewhere = 0;  ///< measured, clean commits that are not on the line
};

/// Gives equal things one place: the next one to a new one.
template <class Places>
std::uint32_t place_of(Places& places, const typename Places::key_type& key) {
  return places.try_emplace(key, static_cast<std::uint32_t>(places.size())).first->second;
}
/// The same of what lies in a list, at whose end `make` puts a new one.
template <class List, class Places, class Make>
std::uint32_t place_in(List& list, Places& places, const typename Places::key_type& key,
                       const Make& make) {
  const std::uint32_t place = place_of(places, key);
  if (place == list.size()) {
    list.push_back(make());
  }
  return place;
}

/// Whether the query asks for a metric of that name.
bool is_wanted(const HistoryQuery& query, const std::string& metric);

/// Quantiles of steps, by the places of their metrics.
using StepQuantiles = std::map<std::uint32_t, StepQuantile>;

/// Adds the quantiles, one at least, of the steps that are still there, of blocks with enough of
/// them.
void derive_quantiles(Connection& connection, const StepQuantiles& wanted, RecordedRows& found);

/// Adds the tails of blocks with enough steps; of pruned ones the quantile is kept.
void derive_tails(Connection& connection, RecordedRows& found);

/// Reads each table once, in the order in which it lies in the file: a million invocations take
/// about a second. Metrics that `query` does not name are left out of `values`.
RecordedRows read_recorded(Connection& connection, const HistoryQuery& query);

// ---- payloads

/// Makes an empty database in memory a store of payloads, each of which is checked as merge()
/// checks: why not, of each that was not taken, its name the subject.
std::vector<std::optional<Error>> gather_sound(Connection& gathered,
                                               std::span<const Payload> payloads);

/// What members of Store of these names tell.
RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query);
std::vector<Alert> load_alerts(Connection& connection);
std::vector<ListedRun> load_runs(Connection& connection);

/// What Store::programs_at tells, of the runs that `which` leaves, in SQL, as ?1 and so on are
/// given. Of collected ones only: others trace with seeds of their own, and at two sides, so that
/// their ids are not to be compared.
template <class... Values>
std::vector<ProgramAt> load_programs(Connection& connection, const std::string& which,
                                     const Values&... values) {
  const auto read = [](Statement& row, ProgramAt& seen) {
    std::string params;
    row.read(seen.oid, seen.fingerprint, seen.workload, params, seen.outside, seen.program);
    seen.params = value_of<Params>(params);
  };
  return connection.records<ProgramAt>(
      "SELECT h.oid, e.fingerprint, w.name, w.params, w.outside, "
      "CASE WHEN min(p.head_program) = max(p.head_program) THEN min(p.head_program) ELSE '' END "
      "FROM run JOIN environment AS e ON e.key = run.environment "
      "JOIN revision AS h ON h.key = run.head JOIN run_workload AS p ON p.run = run.key "
      "JOIN workload AS w ON w.key = p.workload "
      "WHERE run.purpose = 'collect' AND NOT run.head_dirty AND p.difference IS NOT NULL "
      "AND p.control_of = '' AND " +
          which + " GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5",
      read, values...);
}

// ---- tables, for merging

/// The tables of a store, as merging and copying parts of it see them.

/// How rows of a table find their place in another store.
struct MergedTable {
  const char* name;
  /// Columns that tell whether a row is there already; none: its parent is new, so it is.
  std::vector<std::string> identity;
  /// The column that other tables refer to; empty: none does.
  std::string key;
  /// Rows that are there already may get new children.
  bool children_of_known = false;
  /// Which rows are taken at all, in SQL: `t` is the row, `r_COLUMN` its reference.
  const char* only = "";
};

/// Parents before children; environments apart, because their facts tell them. Pins are not among
/// them: nothing repins by itself; nor is what is known of hubs.
const std::vector<MergedTable>& merged_tables();

/// A column of a table.
struct Column {
  std::string name;
  std::string type;           ///< INTEGER, REAL or TEXT
  std::string default_value;  ///< as SQL; empty: none
  bool may_be_null = false;
  /// The table whose keys it holds; empty: values that mean the same everywhere.
  std::string referred{};
};

/// The columns of a table of ours, in order.
const std::vector<Column>& columns_of(const std::string& table);

/// For SQL.
std::string quoted(const std::string& name);

// ---- the parts of Store::merge

/// The parts of Store::merge, one file each.

/// A private copy of a store that a stranger may have written, of our version and with our schema
/// to the letter, in a folder of its own beside `own`. The file itself is only read. Refused are a
/// symbolic link, `own` itself (UsageError), what is no store of ours, a newer version, a schema
/// with anything more or less, and damage: broken pages, rows that break the rules of their tables,
/// references that lead nowhere. Throws Error with the file as its subject.
class ForeignCopy {
 public:
  ForeignCopy(const std::filesystem::path& file, const Connection& own);
  ~ForeignCopy();
  ForeignCopy(const ForeignCopy&) = delete;
  ForeignCopy& operator=(const ForeignCopy&) = delete;

  /// The copy.
  std::filesystem::path path() const { return folder_ / "copy.db"; }

 private:
  void make_folder(const std::filesystem::path& beside);

  std::filesystem::path folder_;
  Hold hold_{};
};

/// Checks the rows of the attached store `other`, which a stranger may have written, against what
/// our own writers keep to beyond the rules of the tables: names that are safe in paths and
/// commands, oids, texts of bounded length, JSON that reads back, invocations of planned workloads,
/// numbers that fit. Throws Error naming the table, with `file` as its subject.
void require_sound_rows(Connection& connection, const std::string& file);

/// Copies what is not here yet from the attached store `other`, table by table, parents first.
/// Keys are local to a store, so each table that others refer to gets a temporary table
/// `taken_TABLE` of `old` key, `new` key, and `fresh` (0: the row was here already). The columns
/// and references are read from the schema, so that a column more is copied without a word here.
/// Wants a transaction around it. Throws Error naming the table, with `file` as its subject, for
/// rows that break its rules.
void copy_tables(Connection& connection, const std::string& file);

/// Takes the temporary tables away.
void forget_taken_keys(Connection& connection);

/// Two runs of one id that are not the same run.
struct OtherRun : Error {
  using Error::Error;
};

/// All of the above in one transaction, beside which nothing is done where it fails; `and_then`
/// belongs to it. `file` is the subject of errors. Throws OtherRun.
MergeResult merge_attached(Connection& connection, const std::string& file,
                           const std::function<void()>& and_then = {});

/// Refuses what is no store of ours that a stranger may hand over: a newer version, a schema with
/// anything more or less, damage. Throws Error.
void require_ours(Connection& source, const Identity& identity);

/// Makes an empty database in memory a store of what one run consists of in `whole`: its rows, and
/// those that they refer to. Throws UsageError for a run that is not there.
void copy_run(const Connection& whole, const std::string& run_id, Connection& part);
/// The same of the alerts that had news in a month ("2026-01").
void copy_alerts(const Connection& whole, const std::string& month, Connection& part);

/// 32 hexadecimal digits that follow from what a store holds, and from nothing else: not from keys,
/// order, pages or the version of its tables. Each row has a sum (XXH3, 128 bits) over its values
/// and the sums of the rows that it refers to; what is NULL or as the table has it by default does
/// not count, so that later versions may have columns more. It tells damage, and is no signature.
std::string content_digest(Connection& connection);

}  // namespace perf::store
