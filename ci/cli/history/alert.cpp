#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/trend/alert_states.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/store_and_config.h"
#include "ci/cli/store/stored_ids.h"
#include "collector/git/repository.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

/// Bytes of the author's name that are kept.
constexpr std::size_t kLongestAuthor = 200;

AlertNews news_of(const std::string& decision) {
  std::vector<std::string_view> words;
  for (const auto& [word, news] : kDecisions) {
    if (decision == word) {
      return news;
    }
    words.push_back(word);
  }
  throw UsageError("unknown decision", decision, instead_of(decision, words));
}

void check_length(const std::string& reason) {
  if (reason.size() > kLongestReason) {
    throw UsageError(
        fmt::format("--reason must be at most {} bytes, got {}", kLongestReason, reason.size()), "",
        "refer to an issue for the details");
  }
}

/// Why a decision has little effect; empty where it has.
std::string note_of(const Alert& alert) {
  const AlertLife life = life_of(alert);
  const char* const note =
      !life.shown()
          ? "it was only part of a machine event; the decision applies once it is an alert"
      : life.recovered ? "it has recovered: the decision has no effect"
      : life.withdrawn ? "later points did not confirm it: the decision applies if it returns"
      : life.refuted() ? "a comparison found no regression: it was closed already"
                       : nullptr;
  return note == nullptr ? std::string() : fmt::format("  {}\n", note);
}

}  // namespace

int alert_command(const Options& options, Spawner& spawner) {
  const AlertNews news = news_of(options.decision);
  check_length(options.reason);
  const std::string author = Repository::open(options.repo, make_run_process(spawner))
                                 .user_name()
                                 .substr(0, kLongestAuthor);
  Store store(store_to_look_into(options, spawner));
  const Alert alert = require_alert(store, options.run);
  store.record_alerts({}, {{alert.id, {news, utc_now(), "", author, options.reason}}});
  write_text("-",
             fmt::format("{}: alert {}, {}\n{}", to_string(news), alert.id.substr(0, kShortOid),
                         reporter::terminal_text(series_and_change(alert)), note_of(alert)));
  return 0;
}

}  // namespace perf
