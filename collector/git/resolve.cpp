#include <algorithm>
#include <string_view>

#include "collector/git/repository.h"
#include "collector/process/captured_text.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

/// The remote branch REMOTE/NAME where only the remote has it; else the nearest name.
std::string likely_name(const std::string& name, const std::vector<std::string>& candidates) {
  const auto is_remote = [&](std::string_view candidate) {
    const std::size_t slash = candidate.find('/');
    return slash != std::string_view::npos && candidate.substr(slash + 1) == name;
  };
  const auto found = std::ranges::find_if(candidates, is_remote);
  return found != candidates.end()
             ? *found
             : std::string(nearest_name(name, {candidates.begin(), candidates.end()}));
}

}  // namespace

UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others) {
  constexpr std::size_t kLongName = 256;  // B; longer names are not typing errors
  std::vector<std::string> candidates = repository.ref_names();
  candidates.insert(candidates.end(), others.begin(), others.end());
  candidates.emplace_back("HEAD");
  candidates.emplace_back("baseline");
  const std::string likely = name.size() > kLongName ? "" : likely_name(name, candidates);
  std::string hint = likely.empty() ? "" : "did you mean '" + likely + "'? ";
  const std::string fetch = "`" + repository.fetch_command(Fetch::names) + "`";
  hint += repository.is_shallow()
              ? "this clone is shallow: " + fetch + " brings the whole history and all names (" +
                    "`fetch-depth: 0` in actions/checkout)"
              : "`git branch -a` and `git tag` list the names; " + fetch + " brings new ones";
  const std::string shown = to_one_line(name);
  return UsageError("no such revision", shown.empty() ? "an empty name" : shown, hint);
}

Revision resolve(const Repository& repository, const std::string& expression) {
  if (std::optional<Revision> revision = repository.find(expression)) {
    return *std::move(revision);
  }
  throw unknown_name(repository, expression);
}

}  // namespace perf
