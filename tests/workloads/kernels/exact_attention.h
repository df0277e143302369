#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/kernels/rotary.h"

namespace perf::workloads {

/// Causal attention straight from the definition, in double precision, one query and one head at a
/// time; its gradients are checked against finite differences.
class ExactAttention {
 public:
  explicit ExactAttention(const QkvRows& shape) : shape_(shape) {}

  /// out (rows,query_width), and log_sums (heads,rows).
  std::vector<double> forward(const std::vector<double>& qkv, std::vector<double>* log_sums) const {
    std::vector<double> out(shape_.rows() * shape_.query_width());
    log_sums->assign(shape_.heads * shape_.rows(), 0);
    for_queries([&](std::size_t row, std::size_t first, std::size_t head) {
      const std::vector<double> p =
          probabilities(qkv, row, first, head, &(*log_sums)[head * shape_.rows() + row]);
      for (std::size_t key = first; key <= row; ++key) {
        for (std::size_t i = 0; i < shape_.size; ++i) {
          out[out_at(row, head) + i] += p[key - first] * qkv[value_at(key, head) + i];
        }
      }
    });
    return out;
  }

  /// grad_qkv (rows,width) of the sum of grad_out * out.
  std::vector<double> backward(const std::vector<double>& qkv,
                               const std::vector<double>& grad_out) const {
    std::vector<double> grad(shape_.rows() * shape_.width());
    const double scale = 1 / std::sqrt(static_cast<double>(shape_.size));
    for_queries([&](std::size_t row, std::size_t first, std::size_t head) {
      double log_sum = 0, mean = 0;
      const std::vector<double> p = probabilities(qkv, row, first, head, &log_sum);
      std::vector<double> grad_p(p.size());
      for (std::size_t key = first; key <= row; ++key) {
        for (std::size_t i = 0; i < shape_.size; ++i) {
          const double g = grad_out[out_at(row, head) + i];
          grad[value_at(key, head) + i] += p[key - first] * g;
          grad_p[key - first] += g * qkv[value_at(key, head) + i];
        }
        mean += p[key - first] * grad_p[key - first];
      }
      for (std::size_t key = first; key <= row; ++key) {
        const double grad_score = p[key - first] * (grad_p[key - first] - mean) * scale;
        for (std::size_t i = 0; i < shape_.size; ++i) {
          grad[query_at(row, head) + i] += grad_score * qkv[key_at(key, head) + i];
          grad[key_at(key, head) + i] += grad_score * qkv[query_at(row, head) + i];
        }
      }
    });
    return grad;
  }

 private:
  // Calls visit(row, first row of its sequence, head).
  template <class Visit>
  void for_queries(Visit visit) const {
    for (std::size_t row = 0; row < shape_.rows(); ++row) {
      for (std::size_t head = 0; head < shape_.heads; ++head) {
        visit(row, row / shape_.length * shape_.length, head);
      }
    }
  }

  std::vector<double> probabilities(const std::vector<double>& qkv, std::size_t row,
                                    std::size_t first, std::size_t head, double* log_sum) const {
    std::vector<double> scores;
    for (std::size_t key = first; key <= row; ++key) {
      double dot = 0;
      for (std::size_t i = 0; i < shape_.size; ++i) {
        dot += qkv[query_at(row, head) + i] * qkv[key_at(key, head) + i];
      }
      scores.push_back(dot / std::sqrt(static_cast<double>(shape_.size)));
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) {
      sum += std::exp(score - largest);
    }
    *log_sum = largest + std::log(sum);
    for (double& score : scores) {
      score = std::exp(score - *log_sum);
    }
    return scores;
  }

  std::size_t out_at(std::size_t row, std::size_t head) const {
    return row * shape_.query_width() + head * shape_.size;
  }
  std::size_t query_at(std::size_t row, std::size_t head) const {
    return row * shape_.width() + head * shape_.size;
  }
  std::size_t key_at(std::size_t row, std::size_t head) const {
    const std::size_t group = shape_.heads / shape_.kv_heads;
    return row * shape_.width() + shape_.query_width() + head / group * shape_.size;
  }
  std::size_t value_at(std::size_t row, std::size_t head) const {
    return key_at(row, head) + shape_.kv_width();
  }

  QkvRows shape_;
};

}  // namespace perf::workloads
