#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ci/cli/init/proposal.h"
#include "ci/cli/manual/manual.h"
#include "reporter/escape/visible.h"
#include "schema/policy.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

constexpr std::size_t kCommentColumns = 96;
constexpr std::size_t kLongestComment = 600;

/// Comment lines, indented; foreign names cannot end one.
std::string comment(std::size_t indent, const std::string& text) {
  const std::string begin = std::string(indent, ' ') + "// ";
  const std::string shown = reporter::shortened(reporter::one_line(text), kLongestComment);
  return joined(wrapped(shown, kCommentColumns - begin.size()), "",
                [&](const std::string& line) { return begin + line + "\n"; });
}

/// Invalid UTF-8 becomes U+FFFD, and so does the zero byte, which no argument can contain.
std::string json_text(std::string text) {
  using Json = nlohmann::json;
  std::replace(text.begin(), text.end(), '\0', '\xff');
  return reporter::escape_unseen(
      Json(std::move(text)).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string json_list(std::vector<std::string> texts) {
  std::ranges::transform(texts, texts.begin(), json_text);
  return "[" + joined(texts, ", ") + "]";
}

std::string build_entry(const Proposal& proposal) {
  const std::string script = joined(build_lines(proposal), " && ");
  if (script.empty()) {
    return comment(2, "What builds a checkout, run at its top. Nothing was found to build.") +
           "  // \"build\": { \"command\": [\"make\"], \"timeout\": \"30m\" },\n";
  }
  return comment(2, std::string("What builds a checkout, run at its top, in a fresh folder for "
                                "each commit.") +
                        (proposal.tried ? "" : " Try it once in a fresh clone.")) +
         "  \"build\": {\n    \"command\": " + json_list({"sh", "-c", script}) +
         (proposal.submodules ? ",\n    \"submodules\": true" : "") +
         ",\n    \"timeout\": \"30m\"\n  },\n";
}

std::string workload_entry(const ProposedWorkload& workload, WorkloadNames& names) {
  const std::string variables = joined(workload.env, ", ", [](const auto& one) {
    return json_text(one.first) + ": " + json_text(one.second);
  });
  return comment(4, workload.comment) +
         joined(workload.example, "",
                [](const std::string& line) { return "    //     " + line + "\n"; }) +
         "    {\n      \"name\": " + json_text(names.of(workload.name)) +
         ",\n      \"command\": " + json_list(workload.command) +
         (workload.env.empty() ? "" : ",\n      \"env\": { " + variables + " }") +
         ",\n      \"format\": " + json_text(workload.format) + "\n    }";
}

constexpr const char* kHead =
    "{\n"
    "  // Written by `perf-compare init`. This is JSON with comments; docs/config.md has every "
    "key,\n"
    "  // docs/formats.md the formats.\n";

const std::string kPolicyText =
    "  // A change of less than the threshold is called unchanged; the budget is for measuring, "
    "builds\n"
    "  // not counted. Thresholds of single metrics and workloads: docs/config.md.\n"
    "  \"policy\": { \"threshold\": \"" +
    percentage_text(Policy{}.threshold) + "\", \"budget\": \"" + duration_text(Policy{}.budget) +
    "\" }\n";

constexpr const char* kOutsideBuild = R"(#!/bin/sh
# Runs at the top of a checkout of each commit, old ones too. PERF_COMPARE_CONFIG_DIR is this folder.
set -e
# First what of the project the benchmark needs, for example:
#   )";

constexpr const char* kOutsideCopy = R"(
# Then the benchmark; of one in C++, for example:
#   c++ -O2 -Iinclude -o perf-compare.bench "$PERF_COMPARE_CONFIG_DIR/bench.cpp"
install -m 755 "$PERF_COMPARE_CONFIG_DIR/bench.sh" perf-compare.bench
)";

constexpr const char* kOutsideBench = R"(#!/bin/sh
# REPLACE THIS by typical work of the project, of a tenth of a second or more. It runs at the top of
# a checkout, where build.sh has built.
i=0
while [ $i -lt 100000 ]; do i=$((i + 1)); done
)";

}  // namespace

std::map<std::string, std::string> outside_files(const SourceTree& tree) {
  Proposal found = propose_workloads(tree);
  found.workloads = {{"", {}, "", ""}};  // what builds the whole project
  if (found.build.empty()) {
    found.build.push_back({"make"});
  }
  Proposal proposal;
  proposal.build.push_back({"sh \"$PERF_COMPARE_CONFIG_DIR/build.sh\""});
  proposal.workloads.push_back(
      {"example",
       {"./perf-compare.bench"},
       "process",
       "The benchmark, which build.sh puts into the checkout. A change in this folder begins a new "
       "series: no commit is blamed for it."});
  return {{"perf-compare.json", render_config(proposal)},
          {"build.sh", kOutsideBuild + joined(build_lines(found), " && ") + kOutsideCopy},
          {"bench.sh", kOutsideBench}};
}

std::string render_config(const Proposal& proposal) {
  std::string text = kHead;
  for (const std::string& note : proposal.notes) {
    text += comment(2, "To do: " + note + ".");
  }
  text += "\n" + build_entry(proposal) + "\n  // What is timed, run at the top of a checkout.\n";
  text += "  \"workloads\": [\n";
  WorkloadNames names;
  for (const ProposedWorkload& workload : proposal.workloads) {
    text += workload_entry(workload, names);
    text += &workload == &proposal.workloads.back() ? "\n" : ",\n";
  }
  for (const std::string& one : proposal.left_out) {
    text += comment(4, "Tried, and left out: " + one);
  }
  return text + "  ],\n\n" + kPolicyText + "}\n";
}

}  // namespace perf
