#include "ci/cli/run/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reporter/escape/terminal.h"
#include "reporter/text/quantity.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

constexpr double kLogEvery = 30;  ///< s between two lines of a CI log
constexpr int kBarCells = 24;
constexpr int kFewFiles = 8;  ///< builds of fewer files are too short for lines

/// "1:05".
std::string clock_text(double seconds) {
  const int whole = static_cast<int>(std::lround(std::max(0.0, seconds)));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// The current state of a comparison: "name step_time +0.3 % [-1.2, +1.8], 14 pairs: unchanged".
std::string row(const Comparison& comparison) {
  std::string text = fmt::format("  {} {}", comparison.workload, comparison.metric.name);
  if (comparison.change) {
    text += " " + reporter::change_text(*comparison.change, comparison.interval);
  }
  const bool open = comparison.verdict == Verdict::inconclusive;
  return text +
         fmt::format(", {}: {}", counted(static_cast<std::size_t>(comparison.pairs), "pair"),
                     open ? std::string_view("not decided yet") : to_string(*comparison.verdict));
}

/// A full disk or a closed pipe must not end the run: errors are ignored.
void write(std::FILE* out, const std::string& text) {
  std::fputs(text.c_str(), out);
  std::fflush(out);
}

}  // namespace

ProgressView::ProgressView(std::FILE* out, Style style, double budget, int width)
    : out_(out), style_(style), budget_(budget), width_(width) {}

ProgressView::~ProgressView() {
  clear_bar();
}

ProgressView::Style ProgressView::style_of_stderr(bool quiet) {
  if (quiet) {
    return Style::silent;
  }
  return isatty(STDERR_FILENO) == 1 ? Style::bar : Style::lines;
}

ProgressView::Style ProgressView::style_of_many(const Options& options) {
  const Style style = style_of_stderr(options.quiet);
  return style == Style::lines && !options.verbose ? Style::silent : style;
}

void ProgressView::draw_bar(std::string line) {
  if (static_cast<int>(line.size()) > width_ - 1) {
    line.resize(static_cast<std::size_t>(width_ - 1));
  }
  write(out_, "\r\x1b[K" + reporter::terminal_text(line));
  drawn_ = true;
}

void ProgressView::clear_bar() {
  if (std::exchange(drawn_, false)) {
    write(out_, "\r\x1b[K");
  }
}

void ProgressView::say(const std::string& line) {
  if (style_ == Style::silent) {
    return;
  }
  clear_bar();
  write(out_, reporter::terminal_text(line) + "\n");
}

void ProgressView::begin(const Plan& plan, const Demand& demand, double measured) {
  began_at_ = measured;
  int invocations = 0;
  for (const WorkloadDemand& wanted : demand.workloads) {
    invocations += wanted.count * (wanted.paired ? 2 : 1);
  }
  const bool counts = !demand.workloads.empty() && demand.workloads.front().counted;
  // Dear pairs are demanded one by one.
  const bool is_news = invocations > 2 * std::ssize(demand.workloads) || measured >= next_line_at_;
  if (style_ == Style::lines && is_news) {
    next_line_at_ = measured + kLogEvery;
    say(fmt::format("{} {} of {} workloads, {} processes ({}{} used)",
                    counts ? "counting the instructions of" : "measuring", demand.workloads.size(),
                    plan.workloads.size(), invocations, clock_text(measured),
                    budget_ > 0 ? " of " + clock_text(budget_) : ""));
  }
}

void ProgressView::tell(const Invocation& invocation) {
  say(fmt::format(
      "  {} {}, pair {}: {}", invocation.workload, to_string(invocation.side), invocation.pair + 1,
      invocation.ok() ? fmt::format("{:.3f} s", invocation.process.wall) : invocation.failure));
}

void ProgressView::update(const Progress& progress) {
  const double elapsed = progress.measured - began_at_;
  const double left =
      progress.done > 0 ? elapsed / progress.done * (progress.wanted - progress.done) : 0;
  if (style_ == Style::lines && progress.measured >= next_line_at_) {
    next_line_at_ = progress.measured + kLogEvery;
    say(fmt::format("  {} of {} processes, about {} to the next look", progress.done,
                    progress.wanted, clock_text(left)));
  }
  if (style_ != Style::bar) {
    return;
  }
  const int filled = progress.wanted > 0 ? kBarCells * progress.done / progress.wanted : 0;
  std::string line =
      fmt::format("[{:=<{}}{: <{}}] {}/{}  {} used, {} to the next look  {} {}", "", filled, "",
                  kBarCells - filled, progress.done, progress.wanted, clock_text(progress.measured),
                  clock_text(left), progress.workload, to_string(progress.side));
  draw_bar(std::move(line));
}

void ProgressView::update(const BuildProgress& built) {
  const std::string line = built.percent ? fmt::format("  {} %", built.done)
                                         : fmt::format("  {} of {} files", built.done, built.all);
  if (style_ == Style::bar) {
    draw_bar(line);
  }
  const int quarters = built.all > 0 ? 4 * built.done / built.all : 0;
  const int before = std::exchange(built_quarters_, quarters);
  if (style_ == Style::lines && quarters > before && built.all >= kFewFiles) {
    say(line);
  }
}

void ProgressView::tell_reach(const Report& provisional) {
  const std::vector<Comparison>& rows = provisional.comparisons;
  const double needed = provisional.undecided ? provisional.undecided->budget.value_or(0) : 0;
  if (needed <= budget_ || std::exchange(told_reach_, true)) {
    return;
  }
  const double pairs =
      std::ranges::max(rows, {}, &Comparison::pairs_needed).pairs_needed.value_or(0);
  const bool several = rows.front().workload != rows.back().workload;
  say(fmt::format(
      "a budget of {} allows about {:.0f} of the {:.0f} pairs that a first look takes; "
      "the first look needs --budget {}{}",
      reporter::elapsed(budget_), std::floor(pairs * budget_ / needed), pairs,
      reporter::budget_option(needed), several ? ", or fewer workloads (-w NAME)" : ""));
}

void ProgressView::tell_price(const std::optional<FirstVerdicts>& first) {
  if (!first || std::exchange(told_price_, true)) {
    return;
  }
  say(fmt::format("first verdicts take {} to {} pairs of a workload: {} to {} in all",
                  first->fewest, first->most, reporter::elapsed(std::ceil(first->shortest)),
                  reporter::elapsed(std::ceil(first->longest))));
}

void ProgressView::show(const Report& provisional) {
  int look = 0;
  for (const Comparison& comparison : provisional.comparisons) {
    look = std::max(look, comparison.look);
  }
  if (look == 0) {
    tell_reach(provisional);
  }
  if (look <= shown_look_) {
    return;
  }
  say(fmt::format("after look {} ({} measured):", look, clock_text(provisional.measured)));
  for (const Comparison& comparison : provisional.comparisons) {
    const bool news = comparison.look > shown_look_ || comparison.verdict == Verdict::inconclusive;
    if (comparison.judged && comparison.verdict && comparison.base && comparison.head && news) {
      say(row(comparison));
    }
  }
  shown_look_ = look;
}

}  // namespace perf
