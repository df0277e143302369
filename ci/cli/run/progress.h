#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "analyzer/samples/serving.h"
#include "ci/cli/options/options.h"
#include "collector/build/build_progress.h"
#include "collector/collect.h"
#include "schema/demand.h"
#include "schema/plan.h"
#include "schema/report.h"

namespace perf {

/// The progress of a run on standard error: a bar on a terminal, plain lines in a log.
class ProgressView {
 public:
  enum class Style { silent, lines, bar };

  /// `budget` is in s; 0 = none. Style::bar draws `width` columns.
  ProgressView(std::FILE* out, Style style, double budget, int width = 100);
  /// On standard error, in the style that fits it.
  explicit ProgressView(const Options& options, double budget = 0)
      : ProgressView(stderr, style_of_stderr(options.quiet), budget) {}
  ~ProgressView();
  ProgressView(const ProgressView&) = delete;
  ProgressView& operator=(const ProgressView&) = delete;

  /// The style that fits standard error.
  static Style style_of_stderr(bool quiet);
  /// The same for many runs, whose lines would flood a log.
  static Style style_of_many(const Options& options);

  /// Prints a line, in either style.
  void say(const std::string& line);
  /// A demand begins: prints how much will be measured.
  void begin(const Plan& plan, const Demand& demand, double measured);
  /// An invocation ended: one line, for `--verbose`.
  void tell(const Invocation& invocation);
  /// An invocation begins.
  void update(const Progress& progress);
  /// A build has finished a file: in the bar, or a line each quarter.
  void update(const BuildProgress& built);
  /// Prints once what the first verdicts will take, if it is known.
  void tell_price(const std::optional<FirstVerdicts>& first);
  /// Prints the rows after a look, each verdict once; before the first look, once, if the budget is
  /// too small for it.
  void show(const Report& provisional);

 private:
  void draw_bar(std::string line);
  void clear_bar();
  void tell_reach(const Report& provisional);

  std::FILE* out_;
  Style style_;
  double budget_;
  int width_;
  bool drawn_ = false;
  double began_at_ = 0;      ///< measured seconds when the demand began
  double next_line_at_ = 0;  ///< measured seconds of the next line in a log
  int shown_look_ = 0;
  bool told_reach_ = false;
  bool told_price_ = false;
  int built_quarters_ = 0;  ///< of the current build
};

}  // namespace perf
