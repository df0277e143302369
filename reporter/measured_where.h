#pragma once

#include <map>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// What workloads said of themselves, by workload: fact, value.
using WorkloadFacts = std::map<std::string, std::map<std::string, std::string>>;

/// A side: short oid, subject, the name asked for and the rule that led to it, and where two
/// settings are compared, which this side has.
Prose revision_line(const std::string& side, const Revision& revision, const Prose& settings = {});

/// Base and head, a line each.
std::vector<Prose> revision_lines(const Report& report);

/// Whether both sides ran in one environment, and which: processor, cores, memory, BLAS, threads.
Prose environment_line(const Environment& environment, const WorkloadFacts& said = {},
                       bool same = false);
Prose environment_line(const Report& report);

/// Every recorded fact of the machine, the image, the workloads and the policy: fact, value.
Table environment_table(const Report& report);

}  // namespace perf::reporter
