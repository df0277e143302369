#include "tests/schema/store/version_4.h"

#include <string>

#include "schema/store/connection.h"
#include "schema/store/migration.h"

namespace perf::example {
namespace {

constexpr char kRows[] = R"(
  INSERT INTO revision VALUES (1, 'aaaa', 0, 'Ada', 'Add');
  INSERT INTO environment VALUES (1, 'f1');
  INSERT INTO workload VALUES (1, 'w', '{}', '["bench"]', 'steps', 300);
  INSERT INTO name VALUES (1, 'forward'), (2, 'backward');
  INSERT INTO declaration VALUES (1, 'w', '{}', NULL, '{}');
  INSERT INTO run (key, id, tool_version, started_at, head, head_name, head_rule, head_dirty,
    environment, size, seed, threshold, alpha, looks, budget, policy, missing, warnings)
    VALUES (1, 'run-1', '0', '2026-01-01T00:00:00Z', 1, 'HEAD', 'HEAD', 0, 1, 'ci', 1, 0.1, 0.01, 6,
    600, '{}', '[]', '[]');
  INSERT INTO run_workload (run, idx, workload, base_missing, head_failed) VALUES (1, 0, 1, '', '');
  INSERT INTO invocation (key, run, start_order, workload, side, revision, pair, attempt, paired,
    steps_wanted, warmup_wanted, seed, padding, failure, timed_out, spawn_error, wall)
    VALUES (1, 1, 0, 1, 'head', 1, 0, 1, 0, 8, 2, 1, 0, '', 0, '', 1.5);
  INSERT INTO block VALUES (7, 1, 0, 1), (8, 1, 1, 1), (9, 1, 2, 1);
  INSERT INTO step VALUES
    (7, 0, 1, 9.0, NULL), (7, 1, 0, 0.3, 9223372036854775807), (7, 2, 0, 0.1, 0),
    (7, 5, 0, 0.2, 4096), (7, 6, 0, 0.7, NULL),
    (8, 0, 1, 2.0, NULL),
    (9, 0, 0, 1e308, 5), (9, 1, 0, 1.5e308, 5);
  INSERT INTO phase VALUES (7, 1, 0, 2, 0.125), (7, 1, 1, 1, 0.25), (7, 2, 0, 1, 0.0);
)";

}  // namespace

void make_version_4(const std::filesystem::path& file, int steps) {
  using store::Connection;
  Connection connection(file, Connection::Access::read_write);
  store::bring_up_to_date(connection,
                          {store::migrations().begin(), store::migrations().begin() + 4});
  connection.execute(kRows);
  if (steps > 0) {
    connection.run("INSERT INTO block VALUES (10, 1, 3, 1)");
    connection.run(
        "WITH RECURSIVE i (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ?1) "
        "INSERT INTO step SELECT 10, n, 0, 0.25 + n / 65536.0, 1000 + n FROM i",
        steps);
  }
}

}  // namespace perf::example
