#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/bisect/bisect.h"
#include "ci/cli/run/visit.h"
#include "collector/trace/trace_programs.h"
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
  StoredBisection stored{};
  std::map<std::size_t, BisectVisit> visits{};  ///< by position in `line`
  std::optional<std::size_t> current{};         ///< the one measured last
  double last_measured = 0;                     ///< s, of the comparison at the end
  bool budget_spent = false;
  TracedProgram good_traced{};       ///< what GOOD runs
  std::vector<CommandSide> items{};  ///< of a list, GOOD's first; empty: commits are bisected

  std::size_t bad() const { return line.size() - 1; }
  double budget_left() const;  ///< s
  bool stopped() const;        ///< by its budget or a signal
};

/// Reads the options, and earlier measurements from the store. Throws UsageError for more than one
/// workload (or benchmark of it) or metric, and for a GOOD that is not on BAD's first-parent line.
BisectWork begin_bisect(Context& context, ProgressView& progress);

/// An item of a list, and what it runs.
struct BisectItem {
  std::string name;
  CommandSide side;
};
/// Reads the file of --list, and puts the items in place of {} in the command and in --prepare.
/// Throws UsageError.
std::vector<BisectItem> items_of(const Options& options);

/// The same for the items of a list.
BisectWork begin_bisect_of_items(Context& context, const std::vector<BisectItem>& items,
                                 ProgressView& progress);

/// Reads the options of the search, and earlier measurements from the store.
void open_bisection(BisectWork& work, ProgressView& progress);

BisectStanding standing_of(const BisectWork& work);

/// Builds a commit and measures it against GOOD for as long as it is the one to measure. Throws
/// Error where GOOD or BAD cannot be measured.
void visit(BisectWork& work, std::size_t commit, ProgressView& progress);

/// Traces both sides of a visit that is built; records the result in its plan, and which commit
/// stands for it. In doubt, and with --measure all, none does.
void trace_visit(BisectWork& work, std::size_t commit, BisectVisit& visit);

/// The same for an item: the item against GOOD, and against BAD if that is measured.
void trace_item(BisectWork& work, std::size_t commit, BisectVisit& visit);

/// Reads which commit stands for a stored visit.
void recall_trace(const BisectWork& work, std::size_t commit, BisectVisit& visit);

/// Traces the two neighbours of the step, which are built.
void trace_neighbours(BisectWork& work, const BisectSearch& search, Run& run);

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

/// What GOOD (-1) or an item of the line runs.
const CommandSide& side_at(const BisectWork& work, int position);

/// The run of two of them: of commits or of items.
PlannedRun planned_between(const BisectWork& work, int before, int after);

/// "commit" or "item".
std::string kind_of_line(const BisectWork& work);

/// The command that repeats the search in a list.
std::string reproduce_list(const BisectWork& work);

/// The command that repeats the comparison of two items.
std::string reproduce_items(const BisectWork& work, const Plan& plan, double threshold);

}  // namespace perf
