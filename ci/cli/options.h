#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/policy.h"

namespace perf {

/// What the user wants done.
enum class Command { print, compare, judge, pin, unpin, pins };

/// The command line, read. Empty and nullopt mean: not given.
struct Options {
  Command command = Command::compare;
  std::string print;  ///< for Command::print: help or version, ready for standard output

  std::string base = "baseline";
  std::string head = "HEAD";
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

  std::string file;       ///< judge
  bool together = false;  ///< judge
  std::string name;       ///< pin, unpin
  std::string revision = "HEAD";
  std::string reason;

  std::string markdown, json;  ///< files to write; `-` is standard output
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
};

/// The config's policy with what the command line overrides.
Policy apply(Policy policy, const Options& options);

}  // namespace perf
