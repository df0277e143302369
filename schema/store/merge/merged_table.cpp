#include "schema/store/merge/merged_table.h"

namespace perf::store {

const std::vector<MergedTable>& merged_tables() {
  static const std::vector<MergedTable> tables{
      {"revision", {"oid"}, "key", true},
      {"parent", {}, "", false, "r_revision.fresh"},
      {"workload", {"name", "params", "command", "format", "timeout"}, "key", true},
      {"metric", {"name", "unit", "better"}, "key", true},
      {"name", {"name"}, "key", true},
      {"declaration", {"workload", "params", "facts", "tokens_per_step"}, "key", true},
      {"run", {"id"}, "key", true},
      {"run_fact", {}, "", false, "r_run.fresh"},
      {"run_workload", {}, "", false, "r_run.fresh"},
      // What a finished run measured is complete.
      {"invocation",
       {"run", "start_order"},
       "key",
       false,
       "r_run.fresh OR NOT EXISTS (SELECT 1 FROM main.report WHERE run = r_run.new)"},
      {"output", {}, ""},
      {"block", {}, "key"},
      {"step", {}, ""},
      {"phase", {}, ""},
      {"metric_value", {}, ""},
      {"check_result", {}, ""},
      {"pruned_block", {}, ""},
      {"report", {"run"}, "run"},
      {"comparison", {}, ""},
      {"calibration", {"run"}, "key"},
      {"calibrated_series", {}, ""},
      {"bisection", {"id"}, "key", true},
      {"bisection_run", {"run"}, ""},
      {"imported", {"run"}, "", false, "r_run.fresh"},
      {"alert", {"id"}, "key", true},
      {"alert_event", {"alert", "news", "at", "run"}, ""},
  };
  return tables;
}

}  // namespace perf::store
