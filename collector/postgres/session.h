#pragma once

#include <functional>
#include <memory>
#include <string>

#include "collector/postgres/connection.h"

namespace perf::postgres {

/// How long a failing server is tried again, in seconds.
struct Patience {
  double unreached = 5;  ///< a server that has not answered yet
  double known = 120;    ///< a server that has, or that is busy
};

/// Connections to a server that may be busy or restart.
class Session {
 public:
  Session(std::string address, std::function<bool()> interrupted, Patience patience = {});

  /// Runs `work` on a connection, and again on a new one where the server was full, went away or
  /// preferred another transaction: `work` must be idempotent.
  void run(const std::function<void(Connection&)>& work);
  /// Closes the connection: a server has few.
  void close() { connection_.reset(); }

 private:
  bool is_tried_again(const Refused& refused, double began, int tries) const;

  std::string address_;
  std::function<bool()> interrupted_;
  Patience patience_;
  std::unique_ptr<Connection> connection_{};
  bool reached_ = false;
};

}  // namespace perf::postgres
