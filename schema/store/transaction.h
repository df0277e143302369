#pragma once

#include "schema/error.h"
#include "schema/store/connection.h"

namespace perf::store {

/// Runs a statement when it goes out of scope. That it fails is passed over: SQLite rolls back by
/// itself after some errors (disk full, I/O) and then refuses to; and what was only read or
/// attached goes with the connection.
class AtEnd {
 public:
  AtEnd(Connection& connection, const char* statement)
      : connection_(connection), statement_(statement) {}
  ~AtEnd() {
    try {
      connection_.execute(statement_);
    } catch (const Error&) {
    }
  }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 protected:
  Connection& connection_;
  const char* statement_;  ///< an empty one does nothing
};

/// BEGIN IMMEDIATE ... COMMIT; rolled back when it is left without commit(). Immediate, because a
/// read transaction that turns into a write ignores the busy handler and fails under load.
class WriteTransaction : AtEnd {
 public:
  explicit WriteTransaction(Connection& connection)
      : AtEnd((connection.execute("BEGIN IMMEDIATE"), connection), "ROLLBACK") {}
  void commit() {
    connection_.execute("COMMIT");
    statement_ = "";
  }
};

/// One state of the store for several queries.
class ReadTransaction : AtEnd {
 public:
  explicit ReadTransaction(Connection& connection)
      : AtEnd((connection.execute("BEGIN"), connection), "COMMIT") {}
};

}  // namespace perf::store
