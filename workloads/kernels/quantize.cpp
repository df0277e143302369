#include "workloads/kernels/quantize.h"

#include <omp.h>

#include <algorithm>

#include "workloads/kernels/quantize_run.h"

namespace perf::workloads {

namespace {

// Rows [begin, end) of whole groups and whole bytes are one long run, as are groups of them.
void quantize_groups(const float* in, const QuantizedMatrix& to, std::size_t group,
                     std::size_t begin, std::size_t end) {
  const bool has_float_scales = to.scheme.group == 0;
  quantize_run({to.scheme.type, has_float_scales, group, (end - begin) * group, in + begin * group,
                to.codes + begin * group * bits_of(to.scheme.type) / 8,
                to.scales + begin * to.scheme.scale_bytes()});
}

void quantize_row(const float* in, const QuantizedMatrix& to, std::size_t group, std::size_t row) {
  quantize_run({to.scheme.type, to.scheme.group == 0, group, to.columns, in + row * to.columns,
                to.codes + row * to.scheme.code_row_bytes(to.columns),
                to.scales + row * to.scheme.scale_row_bytes(to.columns)});
}

}  // namespace

void quantize(const float* in, const QuantizedMatrix& to) {
  if (to.rows == 0 || to.columns == 0) {
    return;
  }
  const std::size_t group = to.scheme.group == 0 ? to.columns : to.scheme.group;
  // Where no group or byte ends inside of a row's end, the matrix is shared out by groups, as many
  // as a step takes: few long rows as well as many short ones.
  const std::size_t step = groups_at_once(group);
  if (to.columns % group == 0 && step * group * bits_of(to.scheme.type) % 8 == 0 &&
      to.columns * bits_of(to.scheme.type) % 8 == 0) {
    const std::size_t groups = to.rows * (to.columns / group), steps = (groups + step - 1) / step;
#pragma omp parallel if (steps > 1)
    {
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const auto own = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t begin = steps * own / team * step, end = steps * (own + 1) / team * step;
      quantize_groups(in, to, group, begin, std::min(end, groups));
    }
    return;
  }
#pragma omp parallel for schedule(static) if (to.rows > 1)
  for (std::size_t row = 0; row < to.rows; ++row) {
    quantize_row(in, to, group, row);
  }
}

}  // namespace perf::workloads
