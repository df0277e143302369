#include "reporter/commit_phrase.h"

#include "schema/utc_time.h"

namespace perf::reporter {

std::string date_of(std::int64_t seconds) {
  constexpr std::size_t kDay = 10;  ///< characters
  return utc_text(seconds).substr(0, kDay);
}

Prose short_commit_phrase(const Revision& revision) {
  return {data(short_oid(revision.oid)), " ", data(revision.subject)};
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
