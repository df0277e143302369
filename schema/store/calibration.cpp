#include "schema/calibration.h"

#include <optional>
#include <string>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf {

void Store::add_calibration(const Calibration& calibration) {
  store::WriteTransaction transaction(*connection_);
  const std::int64_t run = store::find_run(*connection_, calibration.id);
  if (connection_->value<std::int64_t>("SELECT key FROM calibration WHERE run = ?1", run)) {
    throw Error("the run already has a calibration", calibration.id,
                "start a new run: stored results are never replaced");
  }
  const std::int64_t key = connection_->add_row("calibration (run, generated_at, measured, result)",
                                                run, calibration.generated_at, calibration.measured,
                                                store::result_of(calibration));
  for (std::size_t i = 0; i < calibration.series.size(); ++i) {
    const CalibratedMetric& series = calibration.series[i];
    connection_->add_row(
        "calibrated_series (calibration, idx, workload, params, metric, pairs, robust_sd, "
        "smallest_threshold)",
        key, i, series.workload, store::text_of(series.params),
        store::intern_metric(*connection_, series.metric), series.pairs, series.robust_sd,
        series.smallest_threshold);
  }
  transaction.commit();
}

std::optional<Calibration> Store::latest_calibration(const std::string& fingerprint,
                                                     const std::string& size) const {
  const store::ReadTransaction transaction(*connection_);
  Calibration calibration;
  std::int64_t run = 0;
  std::string result;
  {
    store::Statement rows = connection_->query(
        "SELECT run.key, run.tool_version, run.alpha, run.looks, c.result FROM calibration AS c "
        "JOIN run ON run.key = c.run JOIN environment AS e ON e.key = run.environment "
        "WHERE e.fingerprint = ?1 AND (?2 = '' OR run.size = ?2) ORDER BY c.key DESC LIMIT 1",
        fingerprint, size);
    if (!rows.next()) {
      return std::nullopt;
    }
    rows.read(run, calibration.tool_version, calibration.alpha, calibration.looks, result);
  }
  Plan plan = store::load_plan(*connection_, run);
  calibration.id = plan.run_id;
  calibration.revision = std::move(plan.head);
  calibration.environment = std::move(plan.environment);
  calibration.size = plan.size;
  calibration.seed = plan.seed;
  store::read_result(result, calibration);
  return calibration;
}

}  // namespace perf
