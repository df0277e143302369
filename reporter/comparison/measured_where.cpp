#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kOidDigits = 10;
constexpr std::size_t kHostDigits = 8;
constexpr const char* kFingerprint = "fingerprint";

/// "Intel Xeon Platinum 8481C" of "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz": the line has to
/// fit; the table of the environment has the full name.
std::string tidy_processor(std::string model) {
  model.erase(std::min(model.find(" @"), model.size()));
  for (const std::string noise : {"(R)", "(r)", "(TM)", "(tm)", " CPU", " Processor"}) {
    for (std::size_t at = model.find(noise); at != std::string::npos; at = model.find(noise)) {
      model.erase(at, noise.size());
    }
  }
  return model;
}

std::string value_of(const Facts& facts, const std::string& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? std::string() : found->second;
}

/// Of the first key that is there: formats of other tools have words of their own.
std::string value_of(const Facts& facts, std::initializer_list<const char*> keys) {
  const auto found = std::ranges::find_if(keys, [&](const char* key) { return facts.count(key); });
  return found == keys.end() ? std::string() : facts.at(*found);
}

/// What the workloads report under a key; several values where they differ.
std::string reported_value(const std::map<std::string, Facts>& workload_facts,
                           const std::string& key) {
  std::set<std::string> values;
  for (const auto& [workload, facts] : workload_facts) {
    values.insert(value_of(facts, key));
  }
  values.erase("");
  return perf::joined({values.begin(), values.end()}, " or ");
}

template <class Value>
std::set<std::string> values_of(const Report& report, const Value& value) {
  std::set<std::string> values;
  for (const MeasuredOn& on : report.environments) {
    values.insert(value(on));
  }
  return values;
}

/// "shard 2/4"; "4 shards on 3 hosts", of a report that was joined; empty where there are none.
std::string shards_text(const Report& report) {
  if (report.shard) {
    return "shard " + to_text(*report.shard);
  }
  if (report.environments.empty() || !report.environments.front().shard) {
    return {};
  }
  const std::size_t hosts = values_of(report, [](const MeasuredOn& on) { return on.host; }).size();
  return counted(report.environments.size(), "shard") + " on " + counted(hosts, "host");
}

/// Facts on which all machines agree once, others under the shard's number.
void add_machine_rows(Table& table, const Report& report) {
  const auto add = [&](const auto& facts_of) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> shards_of;
    for (const MeasuredOn& on : report.environments) {
      for (const auto& fact : facts_of(on.environment)) {
        shards_of[fact].push_back(on.shard ? to_text(*on.shard) : "");
      }
    }
    for (const auto& [fact, shards] : shards_of) {
      const bool alike = shards.size() == report.environments.size();
      const std::string of = alike ? "" : " of shard " + perf::joined(shards, ", ");
      Prose label{fact.first == kFingerprint ? words(fact.first) : name(fact.first)};
      if (!of.empty()) {
        label.push_back(words(of));
      }
      add_fact(table, std::move(label), fact.second);
    }
  };
  add([](const Environment& one) { return Facts{{kFingerprint, one.fingerprint}}; });
  add([](const Environment& one) { return one.machine; });
  add([](const Environment& one) { return one.facts; });
  for (const MeasuredOn& on : report.environments) {
    if (on.shard) {
      add_fact(table, {words("shard " + to_text(*on.shard))},
               "host " + on.host.substr(0, kHostDigits) + ", attempt " +
                   std::to_string(on.attempt) + ": " +
                   (on.workloads.empty() ? "no workload" : perf::joined(on.workloads, ", ")));
    }
  }
}

void add_part(Prose& line, const std::string& value, const std::string& after) {
  if (!value.empty()) {
    append(line, words(line.empty() ? "" : ", "), data(value), words(after));
  }
}

/// Facts that all workloads share once, others under the workload's name.
void add_workload_rows(Table& table, const Report& report) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> said_by;
  for (const auto& [workload, facts] : report.workload_facts) {
    for (const auto& [key, value] : facts) {
      said_by[{key, value}].insert(workload);
    }
  }
  for (const auto& [fact, workloads] : said_by) {
    if (workloads.size() == report.workload_facts.size()) {
      add_fact(table, {name(fact.first)}, fact.second);
      continue;
    }
    for (const std::string& workload : workloads) {
      add_fact(table, {name(fact.first), " of ", name(workload)}, fact.second);
    }
  }
}

}  // namespace

Prose revision_line(const std::string& side, const Revision& revision, const Prose& settings) {
  if (is_command(revision) || revision.kind == SideKind::files) {
    return joined(strong(side), "  ", data(revision.name));
  }
  Prose line = joined(strong(side), "  ", data(revision.oid.substr(0, kOidDigits)), "  ",
                      data(revision.subject), dim("  ("),
                      name(revision.name.empty() ? side : revision.name));
  // The rule "git revision NAME" repeats the name.
  const bool obvious =
      revision.rule == revision.name || revision.rule == "git revision " + revision.name;
  if (!revision.rule.empty() && !obvious) {
    append(line, dim(": "), data(revision.rule));
  }
  line.push_back(dim(")"));
  if (revision.dirty) {
    append(line, ", ", warn("with uncommitted changes"));
  }
  if (!settings.empty()) {
    append(line, ", ", settings);
  }
  return line;
}

std::vector<Prose> revision_lines(const Report& report) {
  return {report.base ? revision_line("base", *report.base, settings_phrase(report, Side::base))
                      : Prose{strong("base"), "  none: nothing to compare with"},
          revision_line("head", report.head, settings_phrase(report, Side::head))};
}

Prose machine_line(const Environment& environment, bool same,
                   const std::map<std::string, Facts>& workload_facts) {
  const Facts& machine = environment.machine;
  Prose facts;
  add_part(facts, tidy_processor(value_of(machine, {"cpu_model", "cpu"})), "");
  const std::string cores =
      value_of(machine, {"cores_allowed", "num_cpus", "num_cpu", "cpu_count"});
  add_part(facts, cores, cores == "1" ? " core" : " cores");
  add_part(facts, value_of(machine, "memory_gib"), " GiB");
  add_part(facts, value_of(machine, "device"), "");
  const std::string blas = reported_value(workload_facts, "blas");
  const std::string core = reported_value(workload_facts, "blas_core");
  add_part(facts, blas.empty() || core.empty() ? blas + core : blas + " " + core, "");
  const std::string threads = reported_value(workload_facts, "threads");
  add_part(facts, threads, threads == "1" ? " thread" : " threads");
  Prose line{words(same ? "same machine" : "machine")};
  if (!facts.empty()) {
    append(line, ": ", facts);
  }
  return line;
}

Prose machine_line(const Report& report) {
  // Base and head of one run take turns on one machine; what cannot be compared says why itself.
  const bool elsewhere = is_judged_elsewhere(report);
  const bool same =
      !elsewhere && report.base && with_verdict(report, Verdict::incomparable).empty();
  const std::size_t kinds =
      values_of(report, [](const MeasuredOn& on) { return on.environment.fingerprint; }).size();
  if (kinds > 1) {
    return {words(counted(kinds, "kind") + " of machine: "), words(shards_text(report))};
  }
  Prose line = machine_line(
      report.environments.empty() ? Environment() : report.environments.front().environment, same,
      report.workload_facts);
  if (const std::string shards = shards_text(report); !shards.empty()) {
    append(line, "; ", words(shards));
  }
  return elsewhere && line.size() == 1 ? Prose{} : line;  // many files name no machine
}

void add_fact(Table& table, Prose fact, const std::string& value) {
  if (!value.empty()) {
    table.rows.push_back({{std::move(fact), {data(value)}}});
  }
}

void add_facts(Table& table, const Facts& facts) {
  for (const auto& [fact, value] : facts) {
    add_fact(table, {name(fact)}, value);
  }
}

Table environment_table(const Report& report) {
  Table table{{"fact", "value"}};
  add_machine_rows(table, report);
  add_workload_rows(table, report);
  add_fact(table, {"size"}, report.size);
  const bool measured_here = !is_judged_elsewhere(report);
  add_fact(table, {"seed"}, measured_here ? std::to_string(report.seed) : "");
  add_fact(table, {"workload list"}, report.config_source);
  add_fact(table, {"build"}, report.build_source);
  add_fact(table, {"threshold"}, percentage(report.policy.threshold));
  add_fact(table, {"error rate of the report"}, percentage(report.policy.alpha));
  add_fact(table, {"judged comparisons"}, std::to_string(report.judged));
  add_fact(table, {"looks at each"}, std::to_string(report.policy.looks));
  if (measured_here) {
    add_fact(table, {"measured"}, report.measured > 0 ? elapsed(report.measured) : "nothing");
    add_fact(table, {"budget"}, elapsed(report.policy.budget));
  }
  add_fact(table, {"perf-compare"}, report.tool_version);
  add_fact(table, {"report"}, report.id);
  add_fact(table, {"generated at"}, report.generated_at);
  return table;
}

}  // namespace perf::reporter
