#include "collector/git/resolve.h"

#include "collector/process/captured_text.h"
#include "schema/nearest_name.h"

namespace perf {
namespace {

/// The name that differs in the fewest letters, if those are at most a third of it.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = name.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate, least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others) {
  constexpr std::size_t kLongName = 256;  // B; longer ones are no typing errors
  std::vector<std::string> candidates = repository.ref_names();
  candidates.insert(candidates.end(), others.begin(), others.end());
  candidates.emplace_back("HEAD");
  candidates.emplace_back("baseline");
  const std::string likely = name.size() > kLongName ? "" : nearest(name, candidates);
  std::string hint = likely.empty() ? "" : "did you mean '" + likely + "'? ";
  hint += repository.is_shallow()
              ? "this clone is shallow: fetch the whole history and the tags (`fetch-depth: 0` in "
                "actions/checkout, `git fetch --unshallow --tags` by hand)"
              : "`git branch -a` and `git tag` list the names; `git fetch --tags` brings new ones";
  return UsageError("no such revision", to_one_line(name), hint);
}

Revision resolve(const Repository& repository, const std::string& expression) {
  if (std::optional<Revision> revision = repository.find(expression)) {
    return *std::move(revision);
  }
  throw unknown_name(repository, expression);
}

}  // namespace perf
