#include "schema/store/transaction.h"

#include "schema/error.h"

namespace perf::store {

WriteTransaction::WriteTransaction(Connection& connection) : connection_(connection) {
  connection_.execute("BEGIN IMMEDIATE");
}

WriteTransaction::~WriteTransaction() {
  if (open_) {
    try {
      connection_.execute("ROLLBACK");
    } catch (const Error&) {
      // SQLite rolls back by itself after some errors (disk full, I/O) and then refuses this one.
    }
  }
}

void WriteTransaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

ReadTransaction::ReadTransaction(Connection& connection) : connection_(connection) {
  connection_.execute("BEGIN");
}

ReadTransaction::~ReadTransaction() {
  try {
    connection_.execute("COMMIT");
  } catch (const Error&) {
    // Nothing was written, so nothing can be lost.
  }
}

}  // namespace perf::store
