#include <fmt/core.h>

#include <string>
#include <vector>

#include "ci/cli/commands.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/signals.h"
#include "collector/hub/database/points.h"
#include "collector/hub/database/tables.h"
#include "collector/hub/hub.h"
#include "collector/postgres/address.h"
#include "collector/postgres/session.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/text/nearest_name.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

using postgres::Connection;

std::string init(Connection& connection) {
  const bool made = hub::make(connection);
  return fmt::format("{} (version {})\n", made ? "created the hub" : "the hub exists already",
                     hub::about(connection).version);
}

std::string upgrade(Connection& connection) {
  const int before = hub::upgrade(connection);
  const int now = hub::about(connection).version;
  return before == now ? fmt::format("is at version {} already\n", now)
                       : fmt::format("upgraded from version {} to {}\n", before, now);
}

std::string size_text(const hub::Month& of) {
  return fmt::format("{}, {} kB", counted(of.payloads, "payload", "payloads"),
                     (of.bytes + 999) / 1000);
}

std::string rights(const hub::Status& found) {
  std::vector<std::string> may;
  for (const auto& [has, what] :
       {std::pair(found.pushes, "push"), std::pair(found.pulls, "pull"),
        std::pair(found.indexes, "index"), std::pair(found.owns, "prune and upgrade")}) {
    if (has) {
      may.emplace_back(what);
    }
  }
  return fmt::format("{} may {}\n", reporter::terminal_text(found.user),
                     may.empty() ? "do nothing" : joined(may, ", "));
}

std::string status(Connection& connection) {
  const hub::Status found = hub::status(connection);
  const int newest = hub::migrations().back().version;
  std::string text = fmt::format("version {}", found.about.version);
  if (found.about.version != newest) {
    text += fmt::format(" (this perf-compare has {})", newest);
  }
  text += "\n" + rights(found);
  hub::Month all;
  for (const hub::Month& month : found.months.value_or(std::vector<hub::Month>())) {
    text += fmt::format("{}: {}\n", reporter::terminal_text(month.month), size_text(month));
    all.payloads += month.payloads;
    all.bytes += month.bytes;
  }
  if (found.months) {
    text += fmt::format("all: {}; {} not yet indexed, {} refused by index\n", size_text(all),
                        found.unindexed, found.refused);
  }
  if (found.untrusted) {
    text += fmt::format("untrusted: {}\n", size_text(*found.untrusted));
  }
  return text;
}

/// Each batch is a transaction, so that a retry continues where the last one ended.
int index(const Options& options, postgres::Session& session, std::string& said) {
  hub::Indexed done;
  session.run([&](Connection& connection) {
    hub::about(connection);
    done += options.all ? hub::index_again(connection, is_interrupted)
                        : hub::index_new(connection, is_interrupted);
  });
  said = fmt::format("indexed {} of {}\n", counted(done.payloads, "payload", "payloads"),
                     counted(done.runs, "run", "runs"));
  std::ranges::for_each(done.refused, print_error);
  return unless_interrupted(done.refused.empty() ? kFine : kNotMeasured);
}

}  // namespace

int hub_command(const Options& options, Spawner& spawner) {
  const std::string& action = options.hub_action;
  if (std::ranges::find(kHubActions, action) == kHubActions.end()) {
    throw UsageError("unknown hub action", action,
                     instead_of(action, {kHubActions.begin(), kHubActions.end()}));
  }
  if (action == "trust") {
    return trust_hub(options, spawner);
  }
  if (!postgres::is_address(options.hub)) {
    throw UsageError("not a PostgreSQL hub", shown_hub(options.hub),
                     "pass postgres://USER@HOST:PORT/DATABASE; git: and dir: hubs have no tables");
  }
  catch_interruptions();
  postgres::Session session(options.hub, is_interrupted);
  std::string said;
  int code = kFine;
  if (action == "index") {
    code = index(options, session, said);
  } else {
    session.run([&](Connection& connection) {
      said = action == "init"      ? init(connection)
             : action == "upgrade" ? upgrade(connection)
                                   : status(connection);
    });
  }
  write_text("-", fmt::format("{}: {}", reporter::terminal_text(shown_hub(options.hub)), said));
  return code;
}

}  // namespace perf
