#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "schema/files/hold.h"
#include "schema/store/connection.h"
#include "schema/store/identity.h"
#include "schema/store/store.h"

/// The parts of Store::merge, one file each.
namespace perf::store {

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
