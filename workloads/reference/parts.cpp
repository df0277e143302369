#include "workloads/reference/parts.h"

#include <algorithm>
#include <cmath>

namespace perf::workloads::reference {

namespace {

double inverse_rms(const double* row, std::size_t columns, double epsilon) {
  double squares = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    squares += row[i] * row[i];
  }
  return 1 / std::sqrt(squares / static_cast<double>(columns) + epsilon);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

void rms_norm(const Values& in, const double* gain, double epsilon, std::size_t columns,
              Values& out) {
  out.resize(in.size());
  for (std::size_t start = 0; start < in.size(); start += columns) {
    const double r = inverse_rms(&in[start], columns, epsilon);
    for (std::size_t i = 0; i < columns; ++i) {
      out[start + i] = in[start + i] * r * gain[i];
    }
  }
}

void rms_norm_backward(const Values& in, const double* gain, double epsilon, std::size_t columns,
                       const Values& grad_out, Values& grad_in, double* grad_gain) {
  for (std::size_t start = 0; start < in.size(); start += columns) {
    const double* x = &in[start];
    const double* d = &grad_out[start];
    const double r = inverse_rms(x, columns, epsilon);
    // r depends on every x: dr/dx_i = -r^3 x_i / columns.
    double along = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      along += d[i] * gain[i] * x[i];
    }
    for (std::size_t i = 0; i < columns; ++i) {
      grad_in[start + i] +=
          r * d[i] * gain[i] - r * r * r * x[i] * along / static_cast<double>(columns);
      if (grad_gain != nullptr) {
        grad_gain[i] += d[i] * x[i] * r;
      }
    }
  }
}

void swiglu(const Values& gate_up, std::size_t inner, Values& out) {
  out.resize(gate_up.size() / 2);
  for (std::size_t start = 0; start < out.size(); start += inner) {
    for (std::size_t i = 0; i < inner; ++i) {
      const double gate = gate_up[2 * start + i], up = gate_up[2 * start + inner + i];
      out[start + i] = gate * sigmoid(gate) * up;
    }
  }
}

void swiglu_backward(const Values& gate_up, std::size_t inner, const Values& grad_out,
                     Values& grad_gate_up) {
  grad_gate_up.resize(gate_up.size());
  for (std::size_t start = 0; start < grad_out.size(); start += inner) {
    for (std::size_t i = 0; i < inner; ++i) {
      const double gate = gate_up[2 * start + i], up = gate_up[2 * start + inner + i];
      const double s = sigmoid(gate), d = grad_out[start + i];
      grad_gate_up[2 * start + i] = d * up * s * (1 + gate * (1 - s));
      grad_gate_up[2 * start + inner + i] = d * gate * s;
    }
  }
}

double rotary_angle(double theta, const RopeScaling& scaling, std::size_t size, std::size_t i) {
  constexpr double kTurn = 2 * 3.14159265358979323846;
  const double angle = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
  const double wave = kTurn / angle;
  if (wave < scaling.original_positions / scaling.high_frequency) {
    return angle;
  }
  if (wave > scaling.original_positions / scaling.low_frequency) {
    return angle / scaling.factor;
  }
  const double smooth = (scaling.original_positions / wave - scaling.low_frequency) /
                        (scaling.high_frequency - scaling.low_frequency);
  return (1 - smooth) * angle / scaling.factor + smooth * angle;
}

void rotate(const QkvRows& shape, double theta, const RopeScaling& scaling, double direction,
            Values& qkv) {
  const std::size_t half = shape.size / 2, turned = shape.query_width() + shape.kv_width();
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    for (std::size_t head = 0; head < turned; head += shape.size) {
      for (std::size_t i = 0; i < half; ++i) {
        const double position = static_cast<double>(row % shape.length);
        const double angle = direction * position * rotary_angle(theta, scaling, shape.size, i);
        double& low = qkv[row * shape.width() + head + i];
        double& high = qkv[row * shape.width() + head + half + i];
        const double before = low;
        low = before * std::cos(angle) - high * std::sin(angle);
        high = high * std::cos(angle) + before * std::sin(angle);
      }
    }
  }
}

double softmax(double* values, std::size_t count) {
  const double largest = *std::max_element(values, values + count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += values[i] = std::exp(values[i] - largest);
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] /= sum;
  }
  return largest + std::log(sum);
}

}  // namespace perf::workloads::reference
