#include "ci/cli/output/reproduce.h"

#include <fmt/core.h>

#include <utility>

#include "schema/revision.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::string name_of(const Revision& revision) {
  // A snapshot of a working tree is named by no ref: it can only be measured where it was taken.
  return revision.dirty ? "." : revision.oid.substr(0, kShortOid);
}

std::string text_of(const Setting& setting) {
  return setting.key + "=" + joined(setting.values, ",");
}

}  // namespace

std::string option_given(const std::string& option, const std::string& value) {
  return value.empty() ? "" : " " + option + " " + shell_word(value);
}

std::string place_options(const Options& options) {
  return option_given("-C", options.repo == "." ? "" : options.repo) +
         option_given("--config", options.config) + option_given("--db", options.db);
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
  if (options.measure != Options{}.measure) {
    add("--measure", options.measure);
  }
  if (options.pairs) {
    const auto& [least, most] = *options.pairs;
    add("--pairs", (least > 0 ? std::to_string(least) + ":" : "") + std::to_string(most));
  }
  if (options.shard) {
    add("--shard", to_text(*options.shard));
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
  for (const auto& [is_set, option] : {std::pair{options.stored, " --stored"},
                                       {options.history, " --history"},
                                       {options.control, " --control"},
                                       {options.count, " --count"},
                                       {options.profile_changes, " --profile-changes"}}) {
    text += is_set ? option : "";
  }
  return text;
}

std::string reproduce_command(const std::string& command, const Plan& plan,
                              const Options& options) {
  return "perf-compare " + command + " --size " + plan.size + deciding_options(options) +
         " --seed " + std::to_string(plan.seed);
}

std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options,
                                            const std::string& verb) {
  const std::string base = plan.base ? name_of(*plan.base) : "baseline";
  return {reproduce_command(verb + base + " " + name_of(plan.head), plan, options)};
}

}  // namespace perf
