#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/output.h"
#include "ci/cli/signals.h"
#include "collector/hub/hub.h"
#include "collector/hub/tables.h"
#include "collector/postgres/address.h"
#include "collector/postgres/session.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/nearest_name.h"

namespace perf {
namespace {

using postgres::Connection;

std::string init(Connection& connection) {
  const bool made = hub::make(connection);
  return fmt::format("{} (version {})", made ? "the hub is made" : "the hub was made before",
                     hub::about(connection).version);
}

std::string upgrade(Connection& connection) {
  const int before = hub::upgrade(connection);
  const int now = hub::about(connection).version;
  return before == now ? fmt::format("the hub is at version {} already", now)
                       : fmt::format("the hub went from version {} to {}", before, now);
}

std::string status(Connection& connection) {
  return fmt::format("version {}", hub::about(connection).version);
}

}  // namespace

int hub_command(const Options& options, Spawner&) {
  const std::string& action = options.hub_action;
  if (std::ranges::find(kHubActions, action) == kHubActions.end()) {
    throw UsageError("a hub is not managed so", action,
                     instead_of(action, {kHubActions.begin(), kHubActions.end()}));
  }
  if (!postgres::is_address(options.hub)) {
    throw UsageError("only a PostgreSQL hub has tables", shown_hub(options.hub),
                     "postgres://USER@HOST:PORT/DATABASE; git: and dir: hubs want nothing made");
  }
  catch_interruptions();
  postgres::Session session(options.hub, is_interrupted);
  std::string said;
  session.run([&](Connection& connection) {
    said = action == "init"      ? init(connection)
           : action == "upgrade" ? upgrade(connection)
                                 : status(connection);
  });
  write_text("-", fmt::format("{}: {}\n", reporter::terminal_text(shown_hub(options.hub)), said));
  return kFine;
}

}  // namespace perf
