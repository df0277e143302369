#pragma once

#include <map>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

using Facts = std::map<std::string, std::string>;

/// Which revision a side is: short oid, subject, the name asked for and the rule that led to it,
/// and where two settings are compared, which this side has.
Prose revision_line(const std::string& side, const Revision& revision, const Prose& settings = {});

/// Base and head, a line each.
std::vector<Prose> revision_lines(const Report& report);

/// The machine: processor, cores, memory, and as its workloads say, BLAS and threads. `same`: base
/// and head both ran on it.
Prose machine_line(const Environment& environment, bool same = false,
                   const std::map<std::string, Facts>& workload_facts = {});
Prose machine_line(const Report& report);

/// Adds a row to a table of facts and their values, unless there is no value.
void add_fact(Table& table, Prose fact, const std::string& value);
void add_facts(Table& table, const Facts& facts);

/// Every recorded fact of the machine, the image, the workloads and the policy: fact, value.
Table environment_table(const Report& report);

}  // namespace perf::reporter
