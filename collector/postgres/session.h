#pragma once

#include <functional>
#include <memory>
#include <string>

#include "collector/postgres/connection.h"

namespace perf::postgres {

/// How long a server that does not take what it should is tried again, in seconds.
struct Patience {
  double unreached = 5;  ///< one that did not answer yet
  double known = 120;    ///< one that did, or that says that it is busy
};

/// A server that may be full, go away and come back.
class Session {
 public:
  Session(std::string address, std::function<bool()> interrupted, Patience patience = {});

  /// Runs `work` on a connection, and again on a new one where the server was full, went away or
  /// let another transaction go first: it has to be such that twice is once.
  void run(const std::function<void(Connection&)>& work);
  /// Gives the connection back: a server has few.
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
