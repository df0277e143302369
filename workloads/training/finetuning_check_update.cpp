#include <cmath>
#include <stdexcept>

#include "workloads/kernels/agreement.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_reference.h"

namespace perf::workloads {

double update_error(Finetuning& model) {
  const TrainingSetup& setup = model.setup();
  ReferenceStates states;
  double worst = 0;
  for (int step = 1; step <= 2; ++step) {
    if (step > 1) {
      model.forward();
      model.loss();
      model.backward();
    }
    const std::vector<double> before = trained_values(model);
    std::vector<double> want = before;
    reference_optimize(setup.optimizer, step, want, doubles(model.gradients()), states);
    model.update();
    const std::vector<double> got = trained_values(model);
    double error = 0, change = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      keep_worse(error, std::abs(got[i] - want[i]) - rounding_of(setup.dtype) * std::abs(want[i]));
      keep_worse(change, std::abs(want[i] - before[i]));
    }
    keep_worse(worst, error / change);
  }
  return worst;
}

}  // namespace perf::workloads
