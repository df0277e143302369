#include "workloads/kernels/matvec.h"

#include <algorithm>

namespace perf::workloads {

namespace {

// Four rows at once: four independent sums hide the latency of the additions, and x is loaded once.
void four_rows(const float* w, const float* x, float beta, float* y, std::size_t columns) {
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
#pragma omp simd reduction(+ : sum0, sum1, sum2, sum3)
  for (std::size_t i = 0; i < columns; ++i) {
    sum0 += w[i] * x[i];
    sum1 += w[columns + i] * x[i];
    sum2 += w[2 * columns + i] * x[i];
    sum3 += w[3 * columns + i] * x[i];
  }
  y[0] = sum0 + (beta == 0 ? 0 : beta * y[0]);
  y[1] = sum1 + (beta == 0 ? 0 : beta * y[1]);
  y[2] = sum2 + (beta == 0 ? 0 : beta * y[2]);
  y[3] = sum3 + (beta == 0 ? 0 : beta * y[3]);
}

}  // namespace

void matvec_reference(const float* weights, const float* x, float beta, float* y, std::size_t rows,
                      std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < columns; ++i)
      sum += static_cast<double>(weights[row * columns + i]) * x[i];
    y[row] = static_cast<float>(sum) + (beta == 0 ? 0 : beta * y[row]);
  }
}

void matvec(const float* weights, const float* x, float beta, float* y, std::size_t rows,
            std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < rows / 4; ++block)
    four_rows(weights + 4 * block * columns, x, beta, y + 4 * block, columns);
  const std::size_t done = rows / 4 * 4;
  matvec_reference(weights + done * columns, x, beta, y + done, rows - done, columns);
}

}  // namespace perf::workloads
