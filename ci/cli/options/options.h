#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/policy.h"

namespace perf {

/// What the user wants done.
enum class Command {
  print,
  compare,
  bisect,
  judge,
  pin,
  unpin,
  pins,
  calibrate,
  selftest,
  doctor,
  profile,
};

/// `key=value`, as --base-set, --head-set and --vary take it; values not yet typed.
struct Setting {
  std::string key;
  std::vector<std::string> values;  ///< one, but for --vary
};

/// The command line, read. Empty and nullopt mean: not given.
struct Options {
  Command command = Command::compare;
  std::string print;  ///< for Command::print: help or version, ready for standard output

  std::string base = "baseline";  ///< bisect: GOOD
  std::string head = "HEAD";      ///< bisect: BAD
  bool base_given = false, head_given = false;
  std::string repo = ".";
  std::string config;
  std::string db;
  std::vector<std::string> workloads;  ///< globs; any of them
  std::vector<std::string> metrics;
  std::string size = "ci";
  std::optional<double> threshold;
  std::optional<double> alpha;
  std::optional<double> budget;
  std::optional<std::pair<int, int>> pairs;  ///< min (0 = not given), max
  std::optional<std::uint64_t> seed;
  bool strict = false;
  bool stored = false;           ///< judge what the store holds, measure nothing
  bool control = false;          ///< an A/A arm beside each comparison
  bool count = false;            ///< count instructions beside timing
  bool profile_changes = false;  ///< name the functions behind a flagged change
  bool git_bisect = false;       ///< the exit codes that `git bisect run` wants
  std::vector<Setting> base_set, head_set;
  std::optional<Setting> vary;

  std::string file;                                 ///< judge: the cases, or base's samples
  std::string second_file;                          ///< judge: head's samples
  std::vector<std::string> base_files, head_files;  ///< judge: sessions
  bool together = false;                            ///< judge
  std::string name;                                 ///< pin, unpin
  std::string revision = "HEAD";                    ///< pin, calibrate, selftest, profile
  std::string second_revision;                      ///< profile: what to compare it with
  std::string reason;
  bool show = false;  ///< calibrate: the stored one

  std::string markdown, json;  ///< files to write; `-` is standard output
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
};

/// The config's policy with what the command line overrides.
Policy apply(Policy policy, const Options& options);

}  // namespace perf
