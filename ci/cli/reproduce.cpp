#include "ci/cli/reproduce.h"

#include <fmt/core.h>

#include <utility>

#include "schema/shell_words.h"
#include "schema/short_oid.h"

namespace perf {
namespace {

std::string name_of(const Revision& revision) {
  // A snapshot of a working tree is named by no ref: it can only be measured where it was taken.
  return revision.dirty ? "." : revision.oid.substr(0, kShortOid);
}

std::string text_of(const Setting& setting) {
  std::string text = setting.key + "=";
  for (std::size_t i = 0; i < setting.values.size(); ++i) {
    text += (i == 0 ? "" : ",") + setting.values[i];
  }
  return text;
}

}  // namespace

std::string place_options(const Options& options) {
  std::string text;
  if (options.repo != ".") {
    text += " -C " + shell_word(options.repo);
  }
  if (!options.config.empty()) {
    text += " --config " + shell_word(options.config);
  }
  if (!options.db.empty()) {
    text += " --db " + shell_word(options.db);
  }
  return text;
}

std::string deciding_options(const Options& options) {
  std::string text;
  const auto add = [&text](const std::string& option, const std::string& value) {
    text += " " + option + " " + shell_word(value);
  };
  for (const std::string& glob : options.workloads) {
    add("-w", glob);
  }
  for (const std::string& metric : options.metrics) {
    add("--metric", metric);
  }
  text += place_options(options);
  if (options.threshold) {
    add("--threshold", fmt::format("{:.12g}%", 100 * *options.threshold));
  }
  if (options.alpha) {
    add("--alpha", fmt::format("{:.12g}%", 100 * *options.alpha));
  }
  if (options.budget) {
    add("--budget", fmt::format("{}s", *options.budget));
  }
  if (options.pairs) {
    add("--pairs", options.pairs->first > 0
                       ? fmt::format("{}:{}", options.pairs->first, options.pairs->second)
                       : fmt::format("{}", options.pairs->second));
  }
  for (const Setting& setting : options.base_set) {
    add("--base-set", text_of(setting));
  }
  for (const Setting& setting : options.head_set) {
    add("--head-set", text_of(setting));
  }
  if (options.vary) {
    add("--vary", text_of(*options.vary));
  }
  for (const auto& [given, option] : {std::pair{options.stored, " --stored"},
                                      {options.control, " --control"},
                                      {options.count, " --count"},
                                      {options.profile_changes, " --profile-changes"}}) {
    text += given ? option : "";
  }
  return text;
}

std::string reproduce_command(const std::string& command, const Plan& plan,
                              const Options& options) {
  return "perf-compare " + command + " --size " + plan.size + deciding_options(options) +
         " --seed " + std::to_string(plan.seed);
}

std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options) {
  const std::string base = plan.base ? name_of(*plan.base) : "baseline";
  return {reproduce_command(base + " " + name_of(plan.head), plan, options)};
}

}  // namespace perf
