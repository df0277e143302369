#include <cmath>

#include "workloads/reference/parts.h"

namespace perf::workloads::reference {

namespace {

// Waking the other threads costs some ten microseconds.
bool worth_sharing(const QkvRows& shape) {
  constexpr std::size_t kRows = 32;
  return shape.rows() > kRows;
}

double dot(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

void add_scaled(double factor, const double* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] += factor * from[i];
  }
}

/// Where the vectors of a query head and of its key-value head begin in a row of q, k, v.
struct Head {
  std::size_t query, key, value;

  Head(const QkvRows& shape, std::size_t head) {
    const std::size_t kv_head = head * shape.kv_heads / shape.heads;
    query = head * shape.size;
    key = shape.query_width() + kv_head * shape.size;
    value = key + shape.kv_width();
  }
};

// softmax(q k^T / sqrt(size)) of the row over the rows first .. row.
Values probabilities(const QkvRows& shape, const Head& head, const Values& qkv, std::size_t first,
                     std::size_t row) {
  Values scores;
  for (std::size_t other = first; other <= row; ++other) {
    scores.push_back(dot(&qkv[row * shape.width() + head.query],
                         &qkv[other * shape.width() + head.key], shape.size) /
                     std::sqrt(static_cast<double>(shape.size)));
  }
  softmax(scores.data(), scores.size());
  return scores;
}

// What one row's output of one head sends back to its query and to the keys and values it saw.
void row_backward(const QkvRows& shape, const Head& head, const Values& qkv, std::size_t first,
                  std::size_t row, const double* grad_out, Values& grad_qkv) {
  const std::size_t width = shape.width(), size = shape.size;
  const Values p = probabilities(shape, head, qkv, first, row);
  Values grad_p;
  for (std::size_t i = 0; i < p.size(); ++i) {
    grad_p.push_back(dot(grad_out, &qkv[(first + i) * width + head.value], size));
  }
  const double mean = dot(p.data(), grad_p.data(), p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t other = (first + i) * width;
    const double grad_score = p[i] * (grad_p[i] - mean) / std::sqrt(static_cast<double>(size));
    add_scaled(p[i], grad_out, size, &grad_qkv[other + head.value]);
    add_scaled(grad_score, &qkv[row * width + head.query], size, &grad_qkv[other + head.key]);
    add_scaled(grad_score, &qkv[other + head.key], size, &grad_qkv[row * width + head.query]);
  }
}

}  // namespace

void attend(const QkvRows& shape, const Values& qkv, Values& out) {
  out.assign(shape.rows() * shape.query_width(), 0);
#pragma omp parallel for if (worth_sharing(shape))
  for (std::size_t index = 0; index < shape.heads; ++index) {
    const Head head(shape, index);
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const std::size_t first = row - row % shape.length;  // of the row's own sequence
      const Values p = probabilities(shape, head, qkv, first, row);
      for (std::size_t i = 0; i < p.size(); ++i) {
        add_scaled(p[i], &qkv[(first + i) * shape.width() + head.value], shape.size,
                   &out[row * shape.query_width() + head.query]);
      }
    }
  }
}

void attend_backward(const QkvRows& shape, const Values& qkv, const Values& grad_out,
                     Values& grad_qkv) {
  grad_qkv.assign(shape.rows() * shape.width(), 0);
  // By sequence: the query heads that share a key-value head add to the same gradients.
#pragma omp parallel for if (worth_sharing(shape))
  for (std::size_t first = 0; first < shape.rows(); first += shape.length) {
    for (std::size_t index = 0; index < shape.heads; ++index) {
      const Head head(shape, index);
      for (std::size_t row = first; row < first + shape.length; ++row) {
        row_backward(shape, head, qkv, first, row,
                     &grad_out[row * shape.query_width() + head.query], grad_qkv);
      }
    }
  }
}

}  // namespace perf::workloads::reference
