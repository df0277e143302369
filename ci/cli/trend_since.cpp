#include <algorithm>
#include <cstdio>
#include <optional>

#include "ci/cli/trend_parts.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"
#include "schema/units.h"
#include "schema/utc_time.h"

namespace perf {
namespace {

/// Seconds since the epoch of the beginning of a day, "2026-01-31"; nullopt for any other text.
std::optional<std::int64_t> beginning_of_day(const std::string& text) {
  const bool looks_so = text.size() == 10 && text[4] == '-' && text[7] == '-';
  return looks_so ? utc_seconds(text + "T00:00:00Z") : std::nullopt;
}

/// Seconds of "30d" or "18h", of any length: history is longer than anybody measures.
std::optional<std::int64_t> duration_of(const std::string& text) {
  constexpr std::int64_t kDay = 86400, kMostDays = std::int64_t{100} * 366;
  long long days = 0;
  int used = 0;
  if (text.size() <= 8 && text.find_first_not_of("0123456789d") == std::string::npos &&
      std::sscanf(text.c_str(), "%lldd%n", &days, &used) == 1 &&
      used == static_cast<int>(text.size())) {
    return kDay * std::min<std::int64_t>(days, kMostDays);
  }
  try {
    return static_cast<std::int64_t>(parse_duration(text, "--since"));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::uint32_t first_from(const std::vector<Revision>& line, std::int64_t time) {
  const auto found = std::ranges::find_if(
      line, [time](const Revision& commit) { return commit.committed_at >= time; });
  return static_cast<std::uint32_t>(found - line.begin());
}

std::optional<std::uint32_t> position_of(const std::vector<Revision>& line,
                                         const std::string& oid) {
  const auto found =
      std::ranges::find_if(line, [&](const Revision& commit) { return commit.oid == oid; });
  if (found == line.end()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(found - line.begin());
}

Revision revision_of(const Repository& repository, const std::string& when,
                     const NameSources& sources) {
  try {
    return resolve_head(repository, when, sources);
  } catch (const UsageError& error) {
    throw UsageError("neither a day, nor a duration, nor a revision", "--since " + when,
                     "a day (2026-01-31), a duration (30d) or a revision" +
                         (error.hint.empty() ? "" : "\n" + error.hint));
  }
}

std::uint32_t after(const Repository& repository, const Revision& revision,
                    const std::vector<Revision>& line) {
  std::optional<std::uint32_t> position = position_of(line, revision.oid);
  if (!position) {
    const auto fork = merge_base(repository, revision.oid, line.back().oid);
    position = fork ? position_of(line, *fork) : std::nullopt;
  }
  if (!position) {
    throw UsageError("the revision is not on the first-parent line", "--since " + revision.name,
                     "name a commit of the line, a day (2026-01-31) or a duration (30d)");
  }
  return *position + 1;
}

}  // namespace

std::uint32_t position_since(const std::string& when, std::int64_t now,
                             const Repository& repository, const NameSources& sources,
                             const std::vector<Revision>& line) {
  if (const std::optional<std::int64_t> day = beginning_of_day(when)) {
    return first_from(line, *day);
  }
  if (const std::optional<std::int64_t> duration = duration_of(when)) {
    return first_from(line, now - *duration);
  }
  return after(repository, revision_of(repository, when, sources), line);
}

}  // namespace perf
