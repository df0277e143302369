// A perf-compare with a migration: brings the store of the current folder to today's version and
// prints errors as perf-compare does.

#include <cstdio>

#include "schema/error.h"
#include "tests/schema/store/older_store.h"

int main() {
  try {
    perf::example::open_older_store(".perf-compare/results.db");
    return 0;
  } catch (const perf::Error& error) {
    std::fprintf(stderr, "error: %s: %s\nhint: %s\n", error.what.c_str(), error.subject.c_str(),
                 error.hint.c_str());
    return 3;
  }
}
