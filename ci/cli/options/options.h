#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/alert.h"
#include "schema/policy.h"
#include "schema/shard.h"

namespace perf {

/// The decisions about an alert.
inline constexpr std::pair<std::string_view, AlertNews> kDecisions[] = {
    {"ack", AlertNews::acknowledged}, {"ignore", AlertNews::ignored}, {"fixed", AlertNews::fixed}};

/// The actions of `hub`.
inline constexpr std::array<std::string_view, 5> kHubActions{"init", "upgrade", "index", "status",
                                                             "trust"};

/// What applies where an option is not given, and is a constant of a command; the help shows it.
inline constexpr int kCollectedProcesses = 5;   ///< collect: of a workload at a commit, or pairs
inline constexpr double kSelftestBudget = 300;  ///< selftest: s, of all three arms
inline constexpr double kLeastGain = 0.01;      ///< ratchet: relative

/// `key=value` of --base-set, --head-set and --vary; values are not typed yet.
struct Setting {
  std::string key;
  std::vector<std::string> values;  ///< one, except with --vary

  bool operator==(const Setting&) const = default;
};

/// The parsed command line. Empty and nullopt mean: not given.
struct Options {
  std::string command;  ///< "compare"; empty: only to print
  std::string print;    ///< help, version, a page or a script, ready for standard output

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
  int looks = 1;                             ///< judge: more than 1 if measuring could stop early
  std::optional<std::uint64_t> seed;
  std::string pool;  ///< of equal machines; may be empty
  /// compare without its name: the command that BASE may be a misspelling of.
  std::string likely_command;
  std::optional<Shard> shard;  ///< compare, collect: only this part of the plan
  bool rebuild = false;        ///< ignore cached builds
  bool strict = false;
  bool history = false;             ///< judge: with the commits before base
  bool control = false;             ///< an A/A arm beside each comparison
  std::string measure = "changed";  ///< or "all": also workloads with the same program
  bool count = false;               ///< count instructions beside timing
  std::string policy;               ///< base or head: whose config decides; empty: by BASE
  bool profile_changes = false;     ///< name the functions behind a change
  bool git_bisect = false;          ///< exit codes for `git bisect run`
  std::vector<Setting> base_set, head_set;
  std::optional<Setting> vary;

  std::string list;                ///< bisect: the file of items
  std::vector<std::string> words;  ///< bisect --list: the command after --
  bool shell = false;              ///< ab: run the commands by sh -c
  std::string prepare;             ///< ab, bisect --list: a command before each process
  std::string base_dir, head_dir;  ///< ab: where the commands run
  std::vector<Setting> env, base_env, head_env;  ///< ab: variables

  std::string file;                                 ///< judge: the cases, or BASE
  std::string second_file;                          ///< judge: HEAD
  std::vector<std::string> base_files, head_files;  ///< judge: sessions
  bool together = false;                            ///< judge
  std::string name;                                 ///< pin, unpin, ratchet; ab: of the benchmark
  std::string revision = "HEAD";  ///< pin, calibrate, selftest, profile, ratchet, trend; collect:
                                  ///< or a range
  std::string second_revision;    ///< profile: the other one
  std::string decision;           ///< alert: a word of kDecisions
  std::string reason;
  bool show = false;  ///< calibrate: the stored one
  bool log = false;   ///< pins: every pin and unpin; ratchet: every attempt

  std::optional<double> at_least;  ///< ratchet: the least gain, relative
  bool measure_gain = false;       ///< ratchet --log: measure the whole gain

  int every = 1;                     ///< collect: every Nth commit of a range, from its end
  bool missing = false;              ///< collect: only unmeasured commits
  bool programs = false;             ///< collect: each program at three of its commits
  std::string anchor;                ///< collect: measure in pairs with this baseline
  std::string since;                 ///< trend: a revision, a day, or a duration
  std::vector<std::string> fail_on;  ///< trend: "new", "confirmed", "event"
  bool confirm = false;              ///< trend: run comparisons
  std::vector<std::string> files;    ///< merge, import
  bool with_pins = false;            ///< merge: their pins too
  std::string format;                ///< import, ab
  std::string import_rev;            ///< import: the measured commit
  std::string environment;           ///< import: the machine; `.`: this one
  std::string import_as;             ///< import: the parent workload of the benchmarks
  std::string hub;                   ///< push, pull, sync, prune, collect, trend
  std::string writer;                ///< push, sync, collect, trend; empty: this host's id
  bool untrusted = false;            ///< push: separate from trusted runs
  bool all = false;                  ///< hub index: recompute
  bool with_points = false;          ///< trend --hub postgres://...: in its JSON
  std::string hub_action;            ///< hub: a word of kHubActions
  std::optional<int> keep_months;    ///< prune: of a hub
  double keep_steps = 90 * 86400.0;  ///< s; prune: younger raw steps stay
  bool dry_run = false;              ///< prune, init, ratchet
  bool force = false;                ///< init: overwrite a config
  bool try_out = false;              ///< init: build and run the workloads
  std::string outside;               ///< init: a folder outside the repository

  std::string run;  ///< report, export, show: the beginning of a run's id; show: or a revision;
                    ///< alert: the beginning of an alert's id
  int limit = 20;   ///< list: runs shown
  std::vector<std::string> join;  ///< report: stores of the shards of one comparison

  bool linear_scale = false;  ///< detect: search the values themselves, not their logarithms

  std::string markdown, json, html, junit, openmetrics;  ///< files to write; `-`: standard output
  std::string plots;                                     ///< a folder for pictures
  bool github = false;  ///< GitHub Actions: summary, annotations, outputs
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
};

/// Whether base's config decides: --policy base, or without --policy a gate, by its BASE.
inline bool judges_by_base(const Options& options) {
  return options.policy.empty() ? options.base == "baseline" : options.policy == "base";
}

/// The config's policy, overridden by the command line.
Policy apply(Policy policy, const Options& options);

/// Parses the arguments after the program's name. `BASE HEAD` means `compare BASE HEAD`, and
/// nothing means `compare baseline HEAD`. Throws UsageError.
Options parse_command_line(const std::vector<std::string>& arguments);

}  // namespace perf
