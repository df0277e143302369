#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/bisect/bisect.h"
#include "ci/cli/run/visit.h"
#include "schema/bisection.h"

namespace perf {

/// One commit measured against GOOD.
struct BisectVisit : Visit {
  BisectSamples samples{};
  /// The commit (GOOD: -1) that runs the same program, and stands for this one.
  std::optional<int> same_as{};
  TracedProgram traced{};  ///< what this one runs

  /// Why the commit cannot be measured; empty when it can.
  std::string skipped() const;
};

/// The state of a bisection.
struct BisectWork {
  Context& context;
  PlannedRun ends;  ///< GOOD against BAD: the model of every run
  VisitTracer tracer;
  std::vector<Revision> line{};  ///< from GOOD's child to BAD
  std::string benchmark{};       ///< followed of those that the workload yields; empty: it is one
  Policy policy{};               ///< judges the one metric
  double threshold = 0;          ///< the smallest step searched for, relative
  Rule rule{};                   ///< by which GOOD and BAD are compared
  StoredBisection stored{};
  std::map<std::size_t, BisectVisit> visits{};  ///< by position in `line`
  std::optional<std::size_t> current{};         ///< the one measured last
  double last_measured = 0;                     ///< s, of the comparison at the end
  bool budget_spent = false;
  TracedProgram good_traced{};  ///< what GOOD runs

  std::size_t bad() const { return line.size() - 1; }
  double budget_left() const;  ///< s
  bool stopped() const;        ///< by its budget or a signal
};

/// Reads the options, and earlier measurements from the store. Throws UsageError for more than one
/// workload (or benchmark of it) or metric, and for a GOOD that is not on BAD's first-parent line.
BisectWork begin_bisect(Context& context, ProgressView& progress);

BisectStanding standing_of(const BisectWork& work);

/// Builds a commit and measures it against GOOD for as long as it is the one to measure. Throws
/// Error where GOOD or BAD cannot be measured.
void visit(BisectWork& work, std::size_t commit, ProgressView& progress);

/// Traces both sides of a visit that is built; records the result in its plan, and which commit
/// stands for it. In doubt, and with --measure all, none does.
void trace_visit(BisectWork& work, std::size_t commit, BisectVisit& visit);

/// Reads which commit stands for a stored visit.
void recall_trace(const BisectWork& work, std::size_t commit, BisectVisit& visit);

/// Traces the two neighbours of the step, which are built.
void trace_neighbours(BisectWork& work, Run& run);

/// The neighbours of the step against each other, by the ordinary rule.
struct LastComparison {
  Report report;
  bool ended =
      false;  ///< else the budget or a signal stopped it, and the next command continues it
  bool compared = false;      ///< both sides gave something to compare
  bool regressed = false;     ///< what is followed; the workload may yield others
  bool same_program = false;  ///< nothing was measured: no commit between them changed it
};

/// Measures the neighbours of the step against each other, or reads what was measured before;
/// nothing where the bisection is stopped already, or while they are built.
std::optional<LastComparison> compare_neighbours(BisectWork& work, const BisectStanding& standing,
                                                 ProgressView& progress);

/// What BAD against GOOD has shown; nothing yet where it was not measured.
const BisectSamples& at_bad(const BisectWork& work);

/// GOOD (-1) or a commit of the line.
const Revision& revision_at(const BisectWork& work, int position);

}  // namespace perf
