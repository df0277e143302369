#include "workloads/model/parameter_source.h"

#include "workloads/model/initial_weights.h"

namespace perf::workloads {

void SeededParameters::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                            float* values) const {
  fill_initial_values(shape_, tensor, seed_, first, count, values);
}

}  // namespace perf::workloads
