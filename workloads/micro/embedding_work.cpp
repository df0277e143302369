#include "workloads/micro/embedding_work.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/embedding.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kEmbeddingTokenStream = 1, kEmbeddingTableStream = 2,
                        kEmbeddingGradientStream = 3;

// Zipf's law, as words in text follow it: token k comes about 1/k as often as the first.
std::vector<int> tokens_like_text(std::size_t length, std::size_t vocabulary, std::uint32_t seed) {
  std::vector<int> tokens(length);
  for (std::size_t i = 0; i < length; ++i) {
    const double unit = random_unit(seed, static_cast<std::uint32_t>(i));
    const double rank = std::pow(static_cast<double>(vocabulary), unit);  // 1 .. vocabulary
    tokens[i] = static_cast<int>(std::min(rank, static_cast<double>(vocabulary)) - 1);
  }
  return tokens;
}

std::map<int, std::size_t> counted(const std::vector<int>& tokens) {
  std::map<int, std::size_t> counts;
  for (const int token : tokens) {
    ++counts[token];
  }
  return counts;
}

}  // namespace

EmbeddingWork::EmbeddingWork(const ModelShape& model, std::size_t length, std::uint64_t seed)
    : width_(model.width()),
      vocabulary_(model.tokens()),
      tokens_(tokens_like_text(length, vocabulary_, derived_seed(seed, kEmbeddingTokenStream))),
      table_seed_(derived_seed(seed, kEmbeddingTableStream)),
      gradient_seed_(derived_seed(seed, kEmbeddingGradientStream)),
      memory_(bytes(model, length)),
      table_(memory_.take<float>(vocabulary_ * width_)),
      grad_table_(memory_.take<float>(vocabulary_ * width_)),
      out_(memory_.take<float>(length * width_)),
      grad_(memory_.take<float>(length * width_)) {
  fill_normal(table_, vocabulary_ * width_, table_seed_, 1);
  fill_normal(grad_, length * width_, gradient_seed_, 1);
}

std::size_t EmbeddingWork::bytes(const ModelShape& model, std::size_t length) {
  return 2 * Arena::room<float>(model.tokens() * model.width()) +
         2 * Arena::room<float>(length * model.width());
}

void EmbeddingWork::forward() {
  embed(table_, tokens_.data(), tokens_.size(), width_, out_);
}

void EmbeddingWork::backward() {
  embed_backward(grad_, tokens_.data(), tokens_.size(), width_, grad_table_);
  ++backward_calls_;
}

MicroWork EmbeddingWork::work() {
  const std::size_t rows = tokens_.size(), different = counted(tokens_).size();
  const double row = static_cast<double>(width_ * sizeof(float));
  MicroWork own;
  own.forward = [this] { forward(); };
  own.backward = [this] { backward(); };
  // The table's gradient grows with each call.
  own.spoil = [this] { spoil(out_, tokens_.size() * width_); };
  // Forward reads the table's rows and writes the output; backward reads the gradient, and reads
  // and writes the rows of its table.
  own.amount = row * static_cast<double>(2 * rows + 3 * different);
  own.working_set = row * static_cast<double>(2 * rows + 2 * different);
  return own;
}

double EmbeddingWork::output_error() const {
  std::vector<float> want(width_);
  double worst = 0;
  for (std::size_t row = 0; row < tokens_.size(); ++row) {
    fill_normal_part(want.data(), static_cast<std::size_t>(tokens_[row]) * width_, width_,
                     table_seed_, 1);
    keep_worse(worst, largest_relative_error(out_ + row * width_, want.data(), width_));
  }
  return worst;
}

double EmbeddingWork::gradient_error() const {
  std::map<int, std::vector<double>> sums;
  std::vector<float> grad(width_);
  for (std::size_t row = 0; row < tokens_.size(); ++row) {
    fill_normal_part(grad.data(), row * width_, width_, gradient_seed_, 1);
    std::vector<double>& sum = sums[tokens_[row]];
    sum.resize(width_);
    for (std::size_t i = 0; i < width_; ++i) {
      sum[i] += static_cast<double>(backward_calls_) * grad[i];
    }
  }
  double scale = 0, worst = 0;
  for (const auto& [token, sum] : sums) {
    for (const double value : sum) {
      scale = std::max(scale, std::abs(value));
    }
  }
  const std::vector<double> nothing(width_);
  for (std::size_t token = 0; token < vocabulary_; ++token) {
    const auto found = sums.find(static_cast<int>(token));
    const std::vector<double>& want = found == sums.end() ? nothing : found->second;
    for (std::size_t i = 0; i < width_; ++i) {
      keep_worse(worst, std::abs(grad_table_[token * width_ + i] - want[i]) / scale);
    }
  }
  return worst;
}

std::size_t EmbeddingWork::most_repeated() const {
  std::size_t most = 0;
  for (const auto& [token, count] : counted(tokens_)) {
    most = std::max(most, count);
  }
  return most;
}

double EmbeddingWork::gradient_tolerance() const {
  return 0x1p-24 * static_cast<double>(backward_calls_) * static_cast<double>(most_repeated());
}

}  // namespace perf::workloads
