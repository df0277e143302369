#include "workloads/micro/rope_work.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/rotary.h"
#include "workloads/kernels/spoil.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kRopeInputStream = 1, kRopeGradientStream = 2, kRopeBiasStream = 3;
// Small, as every call adds it once more.
constexpr float kBias = 0.01F;

QkvRows qkv_rows(const ModelShape& model, std::size_t length) {
  return {.sequences = 1,
          .length = length,
          .heads = static_cast<std::size_t>(model.heads),
          .kv_heads = static_cast<std::size_t>(model.kv_heads),
          .size = static_cast<std::size_t>(model.head_size)};
}

std::size_t room(const QkvRows& shape) {
  return 2 * Arena::room<float>(shape.rows() * shape.width()) +
         2 * Arena::room<float>(shape.width()) +
         2 * Arena::room<float>(shape.length * shape.size / 2);
}

// The seed's values once more, in double precision.
std::vector<double> seeded_values(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  fill_normal(values.data(), count, seed, 1);
  return {values.begin(), values.end()};
}

using Complex = std::complex<double>;

// The sum of e^(i k angle) for k = 1 .. calls.
Complex sum_of_turns(double angle, double calls) {
  const double half = std::sin(angle / 2);
  if (half == 0) {
    return calls;
  }
  return std::polar(std::sin(calls * angle / 2) / half, (calls + 1) * angle / 2);
}

// Row by row, every pair of a query or a key as a complex number: pair(low, high, angle) replaces
// the two, `low` at the column. All other values: other(value, column).
template <class Pair, class Other>
void for_pairs(const QkvRows& shape, double theta, std::vector<double>& rows, Pair pair,
               Other other) {
  const std::size_t half = shape.size / 2, turned = shape.query_width() + shape.kv_width();
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    double* values = &rows[row * shape.width()];
    for (std::size_t column = 0; column < turned; ++column) {
      const std::size_t i = column % shape.size;
      if (i >= half) {
        continue;
      }
      const double power = -2.0 * static_cast<double>(i) / static_cast<double>(shape.size);
      const double angle = static_cast<double>(row % shape.length) * std::pow(theta, power);
      const Complex result = pair(Complex(values[column], values[column + half]), column, angle);
      values[column] = result.real();
      values[column + half] = result.imag();
    }
    for (std::size_t column = turned; column < shape.width(); ++column) {
      values[column] = other(values[column], column);
    }
  }
}

// x after n calls of x -> (x + bias) e^(i angle): x e^(i n angle) + bias (e^(i angle) + ... + e^(i
// n angle)).
void turn_forward(const QkvRows& shape, double theta, double calls, const float* bias,
                  std::vector<double>& qkv) {
  const std::size_t half = shape.size / 2;
  for_pairs(
      shape, theta, qkv,
      [&](Complex x, std::size_t column, double angle) {
        return x * std::polar(1.0, calls * angle) +
               Complex(bias[column], bias[column + half]) * sum_of_turns(angle, calls);
      },
      [&](double x, std::size_t column) { return x + calls * bias[column]; });
}

void turn_back(const QkvRows& shape, double theta, double calls, std::vector<double>& grad) {
  for_pairs(
      shape, theta, grad,
      [&](Complex x, std::size_t, double angle) { return x * std::polar(1.0, -calls * angle); },
      [](double x, std::size_t) { return x; });
}

}  // namespace

RopeWork::RopeWork(const ModelShape& model, std::size_t length, std::uint64_t seed)
    : shape_(qkv_rows(model, length)),
      theta_(model.rope_theta),
      seed_(seed),
      memory_(room(shape_)),
      qkv_(memory_.take<float>(shape_.rows() * shape_.width())),
      grad_(memory_.take<float>(shape_.rows() * shape_.width())),
      bias_(memory_.take<float>(shape_.width())),
      grad_bias_(memory_.take<float>(shape_.width())),
      cosines_(memory_.take<float>(length * shape_.size / 2)),
      sines_(memory_.take<float>(length * shape_.size / 2)) {
  const std::size_t values = shape_.rows() * shape_.width();
  fill_normal(qkv_, values, derived_seed(seed, kRopeInputStream), 1);
  fill_normal(grad_, values, derived_seed(seed, kRopeGradientStream), 1);
  fill_uniform(bias_, shape_.width(), derived_seed(seed, kRopeBiasStream), kBias);
  rotary_table(theta_, length, shape_.size, cosines_, sines_);
}

std::size_t RopeWork::bytes(const ModelShape& model, std::size_t length) {
  return room(qkv_rows(model, length));
}

void RopeWork::forward() {
  bias_and_rotate(shape_, qkv_, bias_, cosines_, sines_);
  ++forward_calls_;
}

void RopeWork::backward() {
  rotate_back(shape_, grad_, grad_bias_, cosines_, sines_);
  ++backward_calls_;
}

MicroWork RopeWork::work() {
  const std::size_t tables = 2 * shape_.length * shape_.size / 2;
  const std::size_t values = 2 * shape_.rows() * shape_.width() + tables;
  // Both ways read and write all of it, but for the gradient of the values of attention, which is
  // only summed.
  const std::size_t moved =
      4 * shape_.rows() * shape_.width() - shape_.rows() * shape_.kv_width() + 2 * tables;
  MicroWork own;
  own.forward = [this] { forward(); };
  own.backward = [this] { backward(); };
  // The rest is replaced where it lies, and is further turned with each call.
  own.spoil = [this] { spoil(grad_bias_, shape_.width()); };
  own.amount = static_cast<double>(moved * sizeof(float));
  own.working_set = static_cast<double>(values * sizeof(float));
  return own;
}

double RopeWork::output_error() const {
  std::vector<double> want =
      seeded_values(shape_.rows() * shape_.width(), derived_seed(seed_, kRopeInputStream));
  turn_forward(shape_, theta_, static_cast<double>(forward_calls_), bias_, want);
  return largest_relative_error(qkv_, want.data(), want.size());
}

double RopeWork::gradient_error() const {
  std::vector<double> want =
      seeded_values(shape_.rows() * shape_.width(), derived_seed(seed_, kRopeGradientStream));
  turn_back(shape_, theta_, static_cast<double>(backward_calls_), want);
  return largest_relative_error(grad_, want.data(), want.size());
}

double RopeWork::bias_gradient_error() const {
  std::vector<double> want(shape_.width()),
      grad =
          seeded_values(shape_.rows() * shape_.width(), derived_seed(seed_, kRopeGradientStream));
  turn_back(shape_, theta_, static_cast<double>(backward_calls_), grad);
  for (std::size_t i = 0; i < grad.size(); ++i) {
    want[i % want.size()] += grad[i];
  }
  return largest_relative_error(grad_bias_, want.data(), want.size());
}

double RopeWork::tolerance() const {
  return 2e-7 * static_cast<double>(std::max(forward_calls_, backward_calls_));
}

double RopeWork::bias_gradient_tolerance() const {
  return tolerance() + 1e-6;
}

}  // namespace perf::workloads
