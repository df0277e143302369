#pragma once

#include <filesystem>
#include <string>

#include "schema/files/hold.h"
#include "schema/store/connection.h"

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

}  // namespace perf::store
