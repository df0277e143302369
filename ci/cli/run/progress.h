#pragma once

#include <cstdio>
#include <string>

#include "ci/cli/options/options.h"
#include "collector/collect.h"
#include "schema/demand.h"
#include "schema/plan.h"
#include "schema/report.h"

namespace perf {

/// What a run tells while it works, on standard error: a bar on a terminal, plain lines in a log.
class ProgressView {
 public:
  enum class Style { silent, lines, bar };

  /// `out` stays the caller's. `budget` is in s; 0: there is none to tell. Style::bar draws `width`
  /// columns.
  ProgressView(std::FILE* out, Style style, double budget, int width = 100);
  /// On standard error, in the style that fits it.
  explicit ProgressView(const Options& options, double budget = 0)
      : ProgressView(stderr, style_of_stderr(options.quiet), budget) {}
  ~ProgressView();
  ProgressView(const ProgressView&) = delete;
  ProgressView& operator=(const ProgressView&) = delete;

  /// The style that fits standard error.
  static Style style_of_stderr(bool quiet);
  /// The same for the processes of many runs: a log would get a line for every demand.
  static Style style_of_many(const Options& options);

  /// Something worth a line of its own, in either style.
  void say(const std::string& line);
  /// A demand begins: how much is about to be measured.
  void begin(const Plan& plan, const Demand& demand, double measured);
  /// An invocation ended: one line, for `--verbose`.
  void tell(const Invocation& invocation);
  /// An invocation begins.
  void update(const Progress& progress);
  /// The rows as they stand after a look; each verdict is told once. Before any look: once, that
  /// the budget is expected to reach none.
  void show(const Report& provisional);

 private:
  void clear_bar();
  void tell_reach(const Report& provisional);

  std::FILE* out_;
  Style style_;
  double budget_;
  int width_;
  bool drawn_ = false;
  double began_at_ = 0;      ///< measured seconds when the demand began
  double next_line_at_ = 0;  ///< measured seconds at which a log hears of us again
  int shown_look_ = 0;
  bool told_reach_ = false;
};

}  // namespace perf
