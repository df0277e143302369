#pragma once

#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf {

/// What the members of Store share. Each is defined in the file of what it reads or writes.
struct Store::Impl {
  store::Connection connection;
};

}  // namespace perf
