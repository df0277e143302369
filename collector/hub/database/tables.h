#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/postgres/connection.h"

namespace perf::hub {

/// One file of collector/hub/database/sql, embedded at build.
struct Migration {
  int version = 0;        ///< of the hub after it
  std::string_view name;  ///< 0001_initial
  std::string_view sql;
};

/// All of collector/hub/database/sql, in order. The first creates the tables; each of the others
/// upgrades them to the next version.
const std::vector<Migration>& migrations();

/// What every user of a hub may know about it.
struct About {
  std::string id;  ///< of this hub in this database of this server
  int version = 0;
  int oldest_client = 0;  ///< programs that only know older versions of the tables are refused
};

/// Throws Error where there is no hub, or it is too new for this program.
About about(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// Creates the roles and the tables of a hub; false where they exist already.
bool make(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// Upgrades the tables to the version of the last step; returns the version before.
int upgrade(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// The payloads of one month.
struct Month {
  std::string month;
  std::int64_t payloads = 0;
  std::int64_t bytes = 0;
};

/// A hub as its user sees it, without what the user may not see.
struct Status {
  About about;
  std::string user;
  bool owns = false, pushes = false, pulls = false, indexes = false;
  std::optional<std::vector<Month>> months;  ///< oldest first
  std::int64_t unindexed = 0;                ///< payloads that `hub index` has not read yet
  std::int64_t refused = 0;                  ///< payloads that it rejected
  std::optional<Month> untrusted;            ///< of all months
};

Status status(postgres::Connection& connection);

}  // namespace perf::hub
