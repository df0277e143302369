#pragma once

#include "schema/store/connection.h"

namespace perf::store {

/// BEGIN IMMEDIATE ... COMMIT; rolled back when it is left without commit(). Immediate, because a
/// read transaction that turns into a write ignores the busy handler and fails under load.
class WriteTransaction {
 public:
  explicit WriteTransaction(Connection& connection);
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

/// One state of the store for several queries.
class ReadTransaction {
 public:
  explicit ReadTransaction(Connection& connection);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Connection& connection_;
};

}  // namespace perf::store
