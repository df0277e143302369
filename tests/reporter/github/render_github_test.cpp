#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "reporter/escape/terminal.h"
#include "reporter/escape/visible.h"
#include "reporter/github/annotation.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using reporter::AnnotationLevel;

/// A command as the runner reads it out of a line of a log (actions/runner, ActionCommand).
struct RunnerCommand {
  std::string name, message;
  std::map<std::string, std::string> properties;
};

std::string decoded(std::string text, bool property) {
  const std::vector<std::pair<std::string, std::string>> codes{
      {"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}};
  for (const auto& [code, character] : codes) {
    if (!property && (code == "%3A" || code == "%2C")) {
      continue;
    }
    for (std::size_t at = text.find(code); at != std::string::npos;
         at = text.find(code, at + character.size())) {
      text.replace(at, code.size(), character);
    }
  }
  return text;
}

/// Every line of the log that the runner takes for a command, of the `::` kind or the `##[` kind.
std::vector<RunnerCommand> commands_in(const std::string& log) {
  std::vector<RunnerCommand> commands;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t end = line.rfind("::", 0) == 0 ? line.find("::", 2) : std::string::npos;
    if (end == std::string::npos) {
      if (line.find("##[") != std::string::npos) {
        commands.push_back({"##[", line, {}});
      }
      continue;
    }
    RunnerCommand command;
    const std::string head = line.substr(2, end - 2);
    command.name = head.substr(0, head.find(' '));
    command.message = decoded(line.substr(end + 2), false);
    std::istringstream properties(
        head.find(' ') == std::string::npos ? "" : head.substr(head.find(' ') + 1));
    for (std::string property; std::getline(properties, property, ',');) {
      const std::size_t equals = property.find('=');
      command.properties[property.substr(0, equals)] = decoded(property.substr(equals + 1), true);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

/// Outputs as the runner reads the file: NAME=VALUE, or NAME<<DELIMITER and lines up to it.
std::map<std::string, std::string> outputs_in(const std::string& file) {
  std::map<std::string, std::string> outputs;
  std::istringstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('='), heredoc = line.find("<<");
    if (equals == std::string::npos || (heredoc != std::string::npos && heredoc < equals)) {
      ADD_FAILURE() << "no plain output: " << line;
      continue;
    }
    EXPECT_TRUE(outputs.emplace(line.substr(0, equals), line.substr(equals + 1)).second) << line;
  }
  return outputs;
}

int count_of(const std::vector<RunnerCommand>& commands, const std::string& name) {
  return static_cast<int>(
      std::count_if(commands.begin(), commands.end(),
                    [&name](const RunnerCommand& command) { return command.name == name; }));
}

TEST(GithubAnnotations, ReportAFailedBuildOnce) {
  const std::vector<RunnerCommand> commands =
      commands_in(render_github_annotations(samples::build_failed()));
  ASSERT_EQ(count_of(commands, "error"), 1);
  EXPECT_EQ(commands[0].properties.at("title"), "perf-compare failed");
  EXPECT_EQ(commands[0].message,
            "head does not build (exit status 1), 7 comparisons. "
            "gemm.cpp:41:7: error: 'epilogue' was not declared in this scope");
  EXPECT_EQ(commands.back().message.rfind(
                "Failed: head does not build (exit status 1) (7 comparisons). base ", 0),
            0U)
      << commands.back().message;
}

TEST(GithubAnnotations, ReportRegressionsAndUndecidedRows) {
  const std::vector<RunnerCommand> commands =
      commands_in(render_github_annotations(samples::regressed()));
  ASSERT_EQ(count_of(commands, "error"), 2);
  EXPECT_EQ(commands[0].properties.at("title"), "training/mlp_stack regressed");
  EXPECT_EQ(commands[0].message, "step_time 412 ms -> 471 ms, +14.3 % [+12.1, +16.0]");
  ASSERT_EQ(count_of(commands, "notice"), 1);
  EXPECT_EQ(commands.back().message.substr(0, 10), "Regressed:");
  EXPECT_TRUE(contains(commands.back().message, ". head ")) << "which commit is which";

  const std::vector<RunnerCommand> mixed = commands_in(render_github_annotations(samples::mixed()));
  EXPECT_GE(count_of(mixed, "warning"), 3) << "inconclusive, incomparable, missing";
  EXPECT_EQ(count_of(commands_in(render_github_annotations(samples::targets())), "error"), 1);
}

TEST(GithubAnnotations, AreOneNoticeWithoutProblems) {
  const std::vector<RunnerCommand> commands =
      commands_in(render_github_annotations(samples::unchanged()));
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0].name, "notice");
}

TEST(GithubAnnotations, AreAtMostTenOfAKind) {
  const std::vector<RunnerCommand> commands =
      commands_in(render_github_annotations(samples::many(200)));  // 25 of every verdict
  EXPECT_EQ(count_of(commands, "error"), 10);
  EXPECT_EQ(count_of(commands, "warning"), 10);
  EXPECT_EQ(commands[9].message, "and 41 more: see the summary of the job");
  EXPECT_EQ(commands[19].message, "and 66 more: see the summary of the job");

  const reporter::Annotation one{AnnotationLevel::error, "t", "m"};
  EXPECT_EQ(commands_in(reporter::workflow_commands(std::vector(10, one)))[9].message, "m");
}

TEST(GithubAnnotations, ShowNewAlertsOfAHistory) {
  const std::vector<RunnerCommand> commands =
      commands_in(render_github_annotations(samples::moved_history()));
  EXPECT_GT(count_of(commands, "error"), 0);
  EXPECT_EQ(count_of(commands_in(render_github_annotations(samples::quiet_history())), "error"), 0);
}

TEST(GithubAnnotations, StartNoCommandFromHostileText) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string log =
        reporter::workflow_commands({{AnnotationLevel::error, text, text + " end"}});
    const std::vector<RunnerCommand> commands = commands_in(log);
    ASSERT_EQ(commands.size(), 1U) << log.substr(0, 300);
    EXPECT_EQ(commands[0].name, "error");
    ASSERT_EQ(commands[0].properties.size(), 1U) << log.substr(0, 300);
    if (text.size() < 1000) {
      EXPECT_EQ(commands[0].properties.at("title"),
                reporter::terminal_text(reporter::one_line(text)));
      EXPECT_EQ(commands[0].message, reporter::terminal_text(reporter::one_line(text + " end")));
    }
  }
}

TEST(GithubAnnotations, KeepTheirShapeForHostileNames) {
  const auto names_of = [](const std::string& log) {
    std::string names;
    for (const RunnerCommand& command : commands_in(log)) {
      names += command.name + " ";
    }
    return names;
  };
  const std::string report =
      names_of(render_github_annotations(samples::poisoned_report("harmless")));
  const std::string history =
      names_of(render_github_annotations(samples::poisoned_history("harmless")));
  EXPECT_TRUE(contains(report, "error "));
  for (const std::string& text : samples::hostile_texts()) {
    EXPECT_EQ(names_of(render_github_annotations(samples::poisoned_report(text))), report) << text;
    EXPECT_EQ(names_of(render_github_annotations(samples::poisoned_history(text))), history);
  }
}

TEST(GithubOutputs, HaveVerdictCountsAndCommits) {
  const std::map<std::string, std::string> outputs =
      outputs_in(render_github_outputs(samples::regressed(), 1));
  EXPECT_EQ(outputs.at("verdict"), "regressed");
  EXPECT_EQ(outputs.at("regressed"), "2");
  EXPECT_EQ(outputs.at("improved"), "0");
  EXPECT_EQ(outputs.at("exit-code"), "1");
  EXPECT_EQ(outputs.at("base"), samples::frame().base->oid);
  EXPECT_EQ(outputs.at("head"), samples::frame().head.oid);
  EXPECT_EQ(outputs.at("headline").substr(0, 10), "Regressed:");
  EXPECT_EQ(outputs_in(render_github_outputs(samples::root_commit(), 0)).at("base"), "");
  EXPECT_NE(outputs_in(render_github_outputs(samples::moved_history(), 0)).at("new-alerts"), "0");
}

TEST(GithubOutputs, AddNoOutputFromHostileText) {
  const std::size_t count = outputs_in(render_github_outputs(samples::regressed(), 1)).size();
  for (const std::string& text : samples::hostile_texts()) {
    Report report = samples::regressed();
    report.head.oid = report.base->oid = text;
    for (Comparison& comparison : report.comparisons) {
      comparison.workload = comparison.metric.name = text;
    }
    EXPECT_EQ(outputs_in(render_github_outputs(report, 1)).size(), count);
    const TrendReport history = samples::poisoned_history(text);
    EXPECT_EQ(outputs_in(render_github_outputs(history, 1)).size(), 6U);
  }
}

TEST(GithubSummary, FitsTheLimitOfAStep) {
  const Report report = samples::many(2000);
  const std::string whole = render_github_summary(report, 900 * 1024);
  EXPECT_LE(whole.size(), 900U * 1024);
  EXPECT_GT(whole.size(), render_markdown(report).size()) << "a comment may have less";
  EXPECT_FALSE(contains(whole, "left out here"));

  const std::string cut = render_github_summary(report, 20000);
  EXPECT_LE(cut.size(), 20000U);
  EXPECT_TRUE(contains(cut, "left out here to stay below 900 KiB"));
}

TEST(GithubSummary, ExistsForEveryReport) {
  EXPECT_EQ(render_github_summary(samples::found_commit(), 900 * 1024),
            render_markdown(samples::found_commit()));
  EXPECT_EQ(render_github_summary(samples::noisy_calibration(), 900 * 1024),
            render_markdown(samples::noisy_calibration()));
  EXPECT_EQ(render_github_summary(samples::collected_range(), 900 * 1024),
            render_markdown(samples::collected_range()));
  EXPECT_EQ(render_github_summary(samples::moved_history(), 900 * 1024),
            render_markdown(samples::moved_history()));
}

}  // namespace
}  // namespace perf
