#include "workloads/reference/decoder_forward.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/reference/parts.h"

namespace perf::workloads::reference {

namespace {

using Values = std::vector<double>;  // (positions,columns), row by row

constexpr std::size_t kChunk = 1 << 20;  // parameters read at once

// Waking the other threads costs some ten microseconds, as much as so many products.
bool worth_sharing(std::size_t products) {
  return products > 20'000;
}

/// One sequence on its way through a decoder.
class Forward {
 public:
  Forward(const ModelShape& shape, const ParameterReader& read, const std::vector<int>& tokens,
          bool causal)
      : shape_(shape), layout_(shape), read_(read), positions_(tokens.size()), causal_(causal) {
    for (const int token : tokens) {
      if (token < 0 || token >= shape.vocabulary) {
        throw std::invalid_argument("a token outside the vocabulary");
      }
      const Values row = read(static_cast<std::size_t>(token) * shape.width(), shape.width());
      stream_.insert(stream_.end(), row.begin(), row.end());
    }
  }

  Values logits() {
    for (int layer = 0; layer < shape_.layers; ++layer) {
      attention(layer);
      mlp(layer);
    }
    return linear(layout_.output(), shape_.tokens(), shape_.width(), normed(layout_.final_norm()));
  }

 private:
  // stream += O attend(rotate(QKV norm(stream) + bias))
  void attention(int layer) {
    Values qkv = linear(layout_.qkv(layer), shape_.qkv_width(), shape_.width(),
                        normed(layout_.attention_norm(layer)));
    const Values bias = read_(layout_.qkv_bias(layer), shape_.bias_width());
    for (std::size_t i = 0; i < qkv.size() && !bias.empty(); ++i) {
      qkv[i] += bias[i % bias.size()];
    }
    rotate(qkv);
    add(linear(layout_.out(layer), shape_.width(), shape_.query_width(), attended(qkv)));
  }

  // stream += Down (silu(Gate x) * Up x), x = norm(stream)
  void mlp(int layer) {
    const std::size_t inner = shape_.inner();
    const Values gate_up =
        linear(layout_.gate_up(layer), 2 * inner, shape_.width(), normed(layout_.mlp_norm(layer)));
    Values activated;
    for (std::size_t position = 0; position < positions_; ++position) {
      for (std::size_t i = 0; i < inner; ++i) {
        const double gate = gate_up[position * 2 * inner + i];
        const double up = gate_up[position * 2 * inner + inner + i];
        activated.push_back(gate / (1 + std::exp(-gate)) * up);
      }
    }
    add(linear(layout_.down(layer), shape_.width(), inner, activated));
  }

  // RMSNorm of the stream: x / sqrt(mean(x^2) + epsilon) * gain
  Values normed(std::size_t gain_offset) const {
    const std::size_t width = shape_.width();
    const Values gain = read_(gain_offset, width);
    Values out;
    for (std::size_t position = 0; position < positions_; ++position) {
      const double* x = &stream_[position * width];
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) {
        squares += x[i] * x[i];
      }
      const double rms = std::sqrt(squares / static_cast<double>(width) + shape_.norm_epsilon);
      for (std::size_t i = 0; i < width; ++i) {
        out.push_back(x[i] / rms * gain[i]);
      }
    }
    return out;
  }

  // out (positions,outputs) = in (positions,inputs) W^T, W (outputs,inputs) read in pieces
  Values linear(std::size_t offset, std::size_t outputs, std::size_t inputs,
                const Values& in) const {
    Values out(positions_ * outputs);
    const std::size_t together = std::max<std::size_t>(kChunk / inputs, 1);
    for (std::size_t first = 0; first < outputs; first += together) {
      const std::size_t last = std::min(outputs, first + together);
      const Values weights = read_(offset + first * inputs, (last - first) * inputs);
#pragma omp parallel for schedule(static) if (worth_sharing(in.size() * (last - first)))
      for (std::size_t output = first; output < last; ++output) {
        const double* w = &weights[(output - first) * inputs];
        for (std::size_t position = 0; position < positions_; ++position) {
          const double* x = &in[position * inputs];
          double sum = 0;
#pragma omp simd reduction(+ : sum)
          for (std::size_t i = 0; i < inputs; ++i) {
            sum += w[i] * x[i];
          }
          out[position * outputs + output] = sum;
        }
      }
    }
    return out;
  }

  // RoPE: in each head of queries and keys the pair (i, i + size/2) as a complex number, times
  // e^(j position angle)
  void rotate(Values& qkv) const {
    const auto size = static_cast<std::size_t>(shape_.head_size);
    const auto heads =
        static_cast<std::size_t>(shape_.heads) + static_cast<std::size_t>(shape_.kv_heads);
    for (std::size_t position = 0; position < positions_; ++position) {
      for (std::size_t head = 0; head < heads; ++head) {
        for (std::size_t i = 0; i < size / 2; ++i) {
          double& real = qkv[position * shape_.qkv_width() + head * size + i];
          double& imaginary = qkv[position * shape_.qkv_width() + head * size + size / 2 + i];
          const double angle = static_cast<double>(position) *
                               rotary_angle(shape_.rope_theta, shape_.rope_scaling, size, i);
          const double turned = real * std::cos(angle) - imaginary * std::sin(angle);
          imaginary = real * std::sin(angle) + imaginary * std::cos(angle);
          real = turned;
        }
      }
    }
  }

  // out (positions,query_width) = softmax(q k^T / sqrt(size)) v; heads / kv_heads query heads share
  // a key-value head.
  Values attended(const Values& qkv) const {
    const auto size = static_cast<std::size_t>(shape_.head_size);
    const auto heads = static_cast<std::size_t>(shape_.heads);
    const auto sharing = static_cast<std::size_t>(shape_.heads / shape_.kv_heads);
    Values out(positions_ * shape_.query_width());
    for (std::size_t position = 0; position < positions_; ++position) {
      for (std::size_t head = 0; head < heads; ++head) {
        const double* query = &qkv[position * shape_.qkv_width() + head * size];
        const std::size_t key_at = shape_.query_width() + head / sharing * size;
        const std::size_t value_at = key_at + shape_.kv_width();
        double* result = &out[position * shape_.query_width() + head * size];
        Values weights(causal_ ? position + 1 : positions_);
        for (std::size_t other = 0; other < weights.size(); ++other) {
          double score = 0;
          for (std::size_t i = 0; i < size; ++i) {
            score += query[i] * qkv[other * shape_.qkv_width() + key_at + i];
          }
          weights[other] = score / std::sqrt(static_cast<double>(size));
        }
        const double largest = *std::max_element(weights.begin(), weights.end());
        double total = 0;
        for (double& weight : weights) {
          total += weight = std::exp(weight - largest);
        }
        for (std::size_t other = 0; other < weights.size(); ++other) {
          for (std::size_t i = 0; i < size; ++i) {
            result[i] += weights[other] / total * qkv[other * shape_.qkv_width() + value_at + i];
          }
        }
      }
    }
    return out;
  }

  void add(const Values& branch) {
    for (std::size_t i = 0; i < stream_.size(); ++i) {
      stream_[i] += branch[i];
    }
  }

  ModelShape shape_;
  ModelLayout layout_;
  const ParameterReader& read_;
  std::size_t positions_;
  bool causal_;
  Values stream_;  // (positions,H)
};

}  // namespace

std::vector<double> decoder_logits(const ModelShape& shape, const ParameterReader& read,
                                   const std::vector<int>& tokens, bool causal) {
  return Forward(shape, read, tokens, causal).logits();
}

std::vector<double> decoder_logits(const ModelShape& shape, const std::vector<double>& parameters,
                                   const std::vector<int>& tokens, bool causal) {
  if (parameters.size() != shape.parameters()) {
    throw std::invalid_argument("as many parameters as the shape has");
  }
  const ParameterReader read = [&](std::size_t offset, std::size_t count) {
    const auto first = parameters.begin() + static_cast<std::ptrdiff_t>(offset);
    return Values(first, first + static_cast<std::ptrdiff_t>(count));
  };
  return decoder_logits(shape, read, tokens, causal);
}

double perplexity(const std::vector<double>& logits, const std::vector<int>& tokens) {
  if (tokens.size() < 2) {
    throw std::invalid_argument("perplexity takes two tokens or more");
  }
  const std::size_t vocabulary = logits.size() / tokens.size();
  double nats = 0;
  for (std::size_t position = 0; position + 1 < tokens.size(); ++position) {
    const double* row = &logits[position * vocabulary];
    const double largest = *std::max_element(row, row + vocabulary);
    double total = 0;
    for (std::size_t i = 0; i < vocabulary; ++i) {
      total += std::exp(row[i] - largest);
    }
    nats += largest + std::log(total) - row[tokens[position + 1]];
  }
  return std::exp(nats / static_cast<double>(tokens.size() - 1));
}

}  // namespace perf::workloads::reference
