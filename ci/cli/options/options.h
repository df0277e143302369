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

/// What people may decide about an alert, as they say it.
inline constexpr std::pair<std::string_view, AlertNews> kDecisions[] = {
    {"ack", AlertNews::acknowledged}, {"ignore", AlertNews::ignored}, {"fixed", AlertNews::fixed}};

/// What `hub` does with the tables of a hub.
inline constexpr std::array<std::string_view, 4> kHubActions{"init", "upgrade", "index", "status"};

/// `key=value`, as --base-set, --head-set and --vary take it; values not yet typed.
struct Setting {
  std::string key;
  std::vector<std::string> values;  ///< one, but for --vary
};

/// The command line, read. Empty and nullopt mean: not given.
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
  int looks = 1;  ///< judge: of who stopped because of what was seen, more
  std::optional<std::uint64_t> seed;
  std::string pool;  ///< of machines that are alike; empty: none is named
  /// compare, where its name was left out: the command that BASE is nearly the name of, if any.
  std::string likely_command;
  std::optional<Shard> shard;  ///< compare, collect: only this part of the plan
  bool rebuild = false;        ///< build anew what was built before
  bool strict = false;
  bool stored = false;              ///< judge what the store holds, measure nothing
  bool history = false;             ///< the same, base by the commits before it as well
  bool control = false;             ///< an A/A arm beside each comparison
  std::string measure = "changed";  ///< or "all": what runs the same program, too
  bool count = false;               ///< count instructions beside timing
  bool profile_changes = false;     ///< name the functions behind a flagged change
  bool git_bisect = false;          ///< the exit codes that `git bisect run` wants
  std::vector<Setting> base_set, head_set;
  std::optional<Setting> vary;

  std::string file;                                 ///< judge: the cases, or base's samples
  std::string second_file;                          ///< judge: head's samples
  std::vector<std::string> base_files, head_files;  ///< judge: sessions
  bool together = false;                            ///< judge
  std::string name;                                 ///< pin, unpin
  std::string revision = "HEAD";  ///< pin, calibrate, selftest, profile, trend; collect: or a range
  std::string second_revision;    ///< profile: what to compare it with
  std::string decision;           ///< alert: a word of kDecisions
  std::string reason;
  bool show = false;  ///< calibrate: the stored one
  bool log = false;   ///< pins: every pin and unpin there ever was

  int every = 1;          ///< collect: of a range, every so many commits, counted from its end
  bool missing = false;   ///< collect: only what was not measured here yet
  bool programs = false;  ///< collect: each program at three of its commits
  std::string anchor;     ///< collect: measure in pairs with this baseline
  std::string since;      ///< trend: a revision, a day, or a duration
  std::vector<std::string> fail_on;  ///< trend: "new", "confirmed", "event"
  bool confirm = false;              ///< trend: run the comparisons that tell
  std::vector<std::string> files;    ///< merge, import
  std::string format;                ///< import
  std::string import_rev;            ///< import: the commit that was measured
  std::string environment;           ///< import: the machine; `.`: this one
  std::string import_as;             ///< import: the workload whose children the benchmarks are
  std::string hub;                   ///< push, pull, sync, prune, collect, trend: where runs meet
  std::string writer;      ///< push, sync, collect, trend: whose place there; empty: this host's id
  bool untrusted = false;  ///< push: apart from the others
  bool all = false;        ///< hub index: from nothing
  bool with_points = false;          ///< trend --hub postgres://...: in its JSON
  std::string hub_action;            ///< hub: init, upgrade, index, status
  std::optional<int> keep_months;    ///< prune: of a hub
  double keep_steps = 90 * 86400.0;  ///< s; prune: younger raw steps stay
  bool dry_run = false;              ///< prune, init
  bool force = false;                ///< init: over a config that is there
  bool try_out = false;              ///< init: builds and runs what it proposes
  std::string outside;               ///< init: a folder beside the repository to write into

  std::string run;  ///< the beginning of an id: report, show, export: a run's; alert: an alert's;
                    ///< or, show: a revision
  int limit = 20;   ///< list: runs shown
  std::vector<std::string> join;  ///< report: stores of the shards of one comparison

  bool linear_scale = false;  ///< detect: search the values themselves, not their logarithms

  std::string markdown, json, html, junit, openmetrics;  ///< files to write; `-`: standard output
  std::string plots;                                     ///< a folder for pictures
  bool github = false;  ///< tell GitHub Actions: summary, annotations, outputs
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
};

/// The config's policy with what the command line overrides.
Policy apply(Policy policy, const Options& options);

/// Reads the arguments after the program's name. Throws UsageError for what it does not know.
/// `BASE HEAD` alone means `compare BASE HEAD`; nothing at all means `compare baseline HEAD`.
Options parse_command_line(const std::vector<std::string>& arguments);

}  // namespace perf
