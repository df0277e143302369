#include "workloads/commands/suite_choice.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

using Options = std::map<std::string, std::string>;

// `*` takes as little as it can; where the rest then fails, one more. Only the last `*` needs to:
// what an earlier one took is irrelevant.
bool glob_matches(std::string_view glob, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t at = 0, in_text = 0, after_star = kNone, star_ends = 0;
  while (in_text < text.size()) {
    if (at < glob.size() && glob[at] == '*') {
      after_star = ++at;
      star_ends = in_text;
    } else if (at < glob.size() && (glob[at] == '?' || glob[at] == text[in_text])) {
      ++at;
      ++in_text;
    } else if (after_star != kNone) {
      at = after_star;
      in_text = ++star_ends;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', at) == kNone;
}

bool matches(const std::string& pattern, const std::string& name) {
  return name.rfind(pattern + "/", 0) == 0 || glob_matches(pattern, name);
}

void require_one_match(const std::string& pattern, const std::vector<Workload>& all) {
  std::set<std::string> names;
  for (const Workload& workload : all) {
    if (matches(pattern, workload.name)) {
      return;
    }
    names.insert(workload.name);
    names.insert(workload.name.substr(0, workload.name.find('/')));
  }
  throw Error("no workload matches", "'" + pattern + "'",
              nearest(pattern, {names.begin(), names.end()}) +
                  " (`perf-workloads list` has the names; quote a * against the shell)");
}

void require_known(const Options& options, const std::vector<const Workload*>& chosen) {
  std::set<std::string> known = {"size"};
  std::vector<std::vector<Parameter>> of_each;
  for (const Workload* workload : chosen) {
    for (const Parameter& parameter : of_each.emplace_back(all_parameters(*workload))) {
      known.insert(parameter.name);
    }
  }
  for (const auto& [name, value] : options) {
    const bool has_one = name == "size" || std::any_of(of_each.begin(), of_each.end(),
                                                       [&name = name](const auto& parameters) {
                                                         return is_among(parameters, name);
                                                       });
    if (!has_one) {
      throw Error("no such parameter of a chosen workload", "--" + name,
                  "--" + nearest(name, {known.begin(), known.end()}) +
                      " (`perf-workloads describe NAME` lists a workload's)");
    }
  }
}

Options options_of(const Workload& workload, const Options& options) {
  const std::vector<Parameter> parameters = all_parameters(workload);
  Options own;
  for (const auto& [name, value] : options) {
    if (name == "size" || is_among(parameters, name)) {
      own.emplace(name, value);
    }
  }
  return own;
}

std::vector<NamedRequest> requests_of(const Workload& workload, const Options& options) {
  try {
    return read_run_requests(workload, options_of(workload, options));
  } catch (const Error& error) {
    throw Error(error.what_happened, error.subject + ", of " + workload.name,
                error.hint + "; or patterns that leave it out");
  }
}

}  // namespace

std::vector<const Workload*> matching_workloads(const std::vector<Workload>& all,
                                                const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    require_one_match(pattern, all);
  }
  std::vector<const Workload*> chosen;
  for (const Workload& workload : all) {
    if (patterns.empty() ||
        std::any_of(patterns.begin(), patterns.end(),
                    [&](const std::string& pattern) { return matches(pattern, workload.name); })) {
      chosen.push_back(&workload);
    }
  }
  return chosen;
}

std::vector<SuiteSeries> read_suite_series(const std::vector<Workload>& all,
                                           const std::vector<std::string>& patterns,
                                           const Options& options) {
  const std::vector<const Workload*> chosen = matching_workloads(all, patterns);
  require_known(options, chosen);
  std::vector<SuiteSeries> series;
  for (const Workload* workload : chosen) {
    for (NamedRequest& one : requests_of(*workload, options)) {
      series.push_back({workload,
                        one.name == workload->name ? one.name : workload->name + "/" + one.name,
                        std::move(one.request)});
    }
  }
  return series;
}

}  // namespace perf::workloads
