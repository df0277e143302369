#include "reporter/commit_phrase.h"

#include <fmt/core.h>

#include <optional>

#include "reporter/civil_date.h"

namespace perf::reporter {

std::string date_of(std::int64_t seconds) {
  const std::optional<Date> date = civil_date(seconds);
  return date ? fmt::format("{:04}-{:02}-{:02}", date->year, date->month, date->day)
              : std::string();
}

Prose short_commit_phrase(const Revision& revision) {
  return {data(revision.oid.substr(0, kShortOid)), words(" "), data(revision.subject)};
}

Prose commit_phrase(const Revision& revision) {
  Prose phrase = short_commit_phrase(revision);
  const std::string date = date_of(revision.committed_at);
  if (!revision.author.empty() || !date.empty()) {
    append(phrase, dim(" ("), data(revision.author),
           dim((revision.author.empty() || date.empty() ? "" : ", ") + date + ")"));
  }
  return phrase;
}

}  // namespace perf::reporter
