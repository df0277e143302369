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

/// All of collector/hub/database/sql, in order. The first makes the tables; each of the others
/// makes the next version of the one before.
const std::vector<Migration>& migrations();

/// What anybody who may use a hub may know of it.
struct About {
  std::string id;  ///< of this hub in this database of this server
  int version = 0;
  int oldest_client = 0;  ///< a program that knows no later version of the tables is refused
};

/// Throws Error where there is no hub, or it is newer than this program.
About about(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// Makes the roles and the tables of a hub; false where they are there already.
bool make(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// Brings the tables to the version of the last step; answers the version that they had.
int upgrade(postgres::Connection& connection, const std::vector<Migration>& steps = migrations());

/// What lies in one month.
struct Month {
  std::string month;
  std::int64_t payloads = 0;
  std::int64_t bytes = 0;
};

/// A hub as one of its users sees it: what he may not see is not there.
struct Status {
  About about;
  std::string user;
  bool owns = false, pushes = false, pulls = false, indexes = false;
  std::optional<std::vector<Month>> months;  ///< oldest first
  std::int64_t unindexed = 0;                ///< payloads that `hub index` did not look at yet
  std::int64_t refused = 0;                  ///< and those that it did not take
  std::optional<Month> untrusted;            ///< of all months
};

Status status(postgres::Connection& connection);

}  // namespace perf::hub
