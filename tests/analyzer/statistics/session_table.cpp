// The table of docs/judge.md: BUILD/tests/session_table

#include <cstdio>

#include "tests/analyzer/statistics/session_replay.h"

int main() {
  std::printf(
      "| sessions a side | correlation | m | some regressed at half the threshold, noise 10 %% | "
      "some "
      "unchanged at the threshold, noise 1 %% | unchanged of no change, noise 2 %% | regressed of "
      "1.5 thresholds, noise 2 %% | widening |\n|---|---|---|---|---|---|---|---|\n");
  for (const int sessions : {8, 12, 20}) {
    for (const double correlation : {0.0, 0.3, 0.5, 0.7}) {
      for (const int comparisons : {1, 24}) {
        perf::replay::SessionScenario scenario;
        scenario.sessions = sessions;
        scenario.correlation = correlation;
        scenario.comparisons = comparisons;
        scenario.reports = comparisons == 1 ? 30000 : 3000;
        const auto at = [&scenario](double change, double deviation) {
          scenario.change = change;
          scenario.deviation = deviation;
          return perf::replay::run(scenario);
        };
        const double reports = scenario.reports / 100.0;
        const auto clean = at(0, 0.02);
        std::printf("| %d | %.1f | %d | %.2f %% | %.2f %% | %.2f | %.2f | %.1f |\n", sessions,
                    correlation, comparisons, at(0.5, 0.1).reports_with_regressed / reports,
                    at(1, 0.01).reports_with_unchanged / reports, clean.unchanged,
                    at(1.5, 0.02).regressed, clean.mean_widening);
      }
    }
  }
}
