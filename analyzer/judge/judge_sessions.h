#pragma once

#include <map>
#include <string>
#include <vector>

#include "schema/policy.h"
#include "schema/report.h"
#include "schema/sample_set.h"

namespace perf {

/// Verdicts over samples that are no pairs: files that measured elsewhere, or stored runs of
/// different days. Each set is one session, each side in the order of time; one comparison for
/// every benchmark and metric of either side, sorted by both.
///
/// The change is the two-sample Hodges-Lehmann shift of the sessions' medians (of one session a
/// side: of its median). Repetitions within a session are one value, because they share its noise.
/// At least kFewestSessions sessions a side, of one fingerprint, show the noise between sessions:
/// then, once, the rule of docs/verdicts.md is applied to the interval of shift.h at
/// level alpha/m, with a note. With fewer the verdict is inconclusive, the interval null,
/// and a note gives the reason and a remedy. Sessions of another fingerprint than most are left
/// out; no fingerprint on both sides: incomparable where the machines differ, else inconclusive.
///
/// Parameters separate benchmarks of one name in files of other tools only; where those of a
/// workload of this one are not the same everywhere, its rows warn of it (unlike_params).
///
/// What only head has is new, what only base has missing, what failed in all of head's sessions
/// failed. m is `judged`. What the files do not judge by default, and --metric does not name, is
/// shown without a verdict. With `globs`, benchmarks that none of them matches get no rows: others
/// are judged by them. Throws UsageError for a glob that matches nothing.
std::vector<Comparison> judge_sessions(const std::vector<SampleSet>& base,
                                       const std::vector<SampleSet>& head, const Policy& policy,
                                       int judged, const std::vector<std::string>& globs = {});

/// Adds the quantiles of steps that the policy names to the sessions of files, one value each: of
/// step_time's values, which count as one process. Workloads have them already.
void add_quantiles(const Policy& policy, std::vector<SampleSet>& sessions);

/// Gives benchmarks without parameters, or without the names of these, those of the only other one
/// of their name: of two files one may lack Go's lines that name packages, or asv's
/// benchmarks.json. Where each side has one benchmark of a name, they are compared whatever their
/// settings (formats::is_setting): warns of those that differ, each once.
std::vector<Warning> complete_params(std::vector<SampleSet>& base, std::vector<SampleSet>& head);

/// How many comparisons that are to be judged have both sides: the m of a report of them.
int count_judged(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                 const Policy& policy, const std::vector<std::string>& globs = {});

/// What identifies a machine: readers write `name=value` lines into the fingerprint, with the
/// host's name, which is not a machine fact elsewhere.
std::map<std::string, std::string> machine_facts(const Environment& told);

/// Whether anything does.
bool names_machine(const Environment& told);

/// One session of one series: its place among the sets, and the one value that stands for it.
struct SessionValue {
  const SampleSet* session = nullptr;
  const SampleSeries* series = nullptr;
  double value = 0;  ///< the median of the session's values, base units
};

/// What of two sides may be held against each other.
struct ComparableSessions {
  std::vector<SessionValue> base, head;
  int left_out = 0;          ///< sessions of other machines
  bool one_machine = false;  ///< all of one fingerprint; false: not known
};

/// The fingerprint that most sessions of both sides share, and its sessions; where none is on both
/// sides, all sessions if no fact of the machine has two values among them, else those whose facts
/// are the same. Both sides empty where these differ: timings of unlike machines are not
/// comparable.
ComparableSessions comparable_sessions(const std::vector<SessionValue>& base,
                                       const std::vector<SessionValue>& head);

}  // namespace perf
