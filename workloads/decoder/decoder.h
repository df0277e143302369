#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "workloads/decoder/decoder_setup.h"
#include "workloads/decoder/decoder_weights.h"
#include "workloads/kernels/cached_attention.h"
#include "workloads/kernels/kv_cache.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/weight_products.h"
#include "workloads/model/parameter_source.h"

namespace perf::workloads {

/// A decoder for inference: activations in fp32, weights and cache as the setup says. Memory comes
/// from a Ledger: weights, kv_cache, activations, workspace. Calls allocate nothing. Rows of a call
/// are (B,count): a sequence's new positions lie side by side.
class Decoder {
 public:
  /// Made over a counting Ledger it can do nothing else. Throws std::invalid_argument for a setup
  /// without sequences or capacity, or with fewer most_rows or logit_rows than sequences.
  Decoder(const DecoderSetup& setup, Ledger& memory);
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Reads and packs all parameters, by all threads, a block of rows at a time. Throws
  /// std::invalid_argument for a source of another shape, and what the source throws.
  void load(const ParameterSource& source) { weights_.load(source); }

  /// Forgets all tokens.
  void reset() { length_ = 0; }
  std::size_t length() const { return length_; }

  /// Appends `count` tokens to each sequence, tokens (B,count), and returns the logits (B,V) after
  /// the last ones, valid until the next call. Throws std::logic_error for more rows, or more
  /// positions, than the setup has, and for a token outside the vocabulary.
  const float* advance(const int* tokens, std::size_t count);

  /// The same, and the logits of all `count` positions of every sequence go to `visit(row, logits
  /// (V))` in the order of the rows, a few rows at a time: for the perplexity of a text.
  template <class Visit>
  void advance_and_visit(const int* tokens, std::size_t count, Visit visit) {
    forward(tokens, count, true);
    const std::size_t rows = setup_.sequences * count, vocabulary = setup_.shape.tokens();
    for (std::size_t first = 0; first < rows; first += setup_.logit_rows) {
      const std::size_t some = std::min(setup_.logit_rows, rows - first);
      for (std::size_t i = 0; i < some; ++i) {
        normalize_last(first + i, i);
      }
      const float* logits = multiply_last(some);
      for (std::size_t i = 0; i < some; ++i) {
        visit(first + i, logits + i * vocabulary);
      }
    }
  }

  /// One bidirectional pass over whole sequences, tokens (B,count), which forgets all before, and
  /// itself afterwards: the logits of each of the rows asked for go to `visit(index in rows, logits
  /// (V))` in their order, a few rows at a time. Masked diffusion predicts so. Throws
  /// std::logic_error as advance() does, and for a row that is not there.
  template <class Visit>
  void predict_and_visit(const int* tokens, std::size_t count, const std::vector<int>& rows,
                         Visit visit) {
    pass_over(tokens, count, rows);
    const std::size_t vocabulary = setup_.shape.tokens();
    for (std::size_t first = 0; first < rows.size(); first += setup_.logit_rows) {
      const std::size_t some = std::min(setup_.logit_rows, rows.size() - first);
      for (std::size_t i = 0; i < some; ++i) {
        normalize_last(static_cast<std::size_t>(rows[first + i]), i);
      }
      const float* logits = multiply_last(some);
      for (std::size_t i = 0; i < some; ++i) {
        visit(first + i, logits + i * vocabulary);
      }
    }
  }

  const DecoderSetup& setup() const { return setup_; }
  /// What decoding one token of each sequence reads: all matrices, and keys and values so far.
  std::size_t bytes_read() const;
  /// Floating-point operations of the products of advance(count) from an empty cache: of attention
  /// the causal half, of the logits the last rows.
  double operations(std::size_t count) const;

  /// For checks: what the stored parameters mean, `count` from `offset` on as ModelLayout has them.
  std::vector<float> parameters(std::size_t offset, std::size_t count) const {
    return weights_.parameters(offset, count);
  }

 private:
  /// Leaves the last layer's output in stream_, and length_ advanced.
  void forward(const int* tokens, std::size_t count, bool causal);
  /// A bidirectional pass for the logits of these rows, each of which is there.
  void pass_over(const int* tokens, std::size_t count, const std::vector<int>& rows);
  void embed(const int* tokens, std::size_t rows);
  void attend(std::size_t layer, const QkvRows& rows, bool causal);
  void feed_forward(const DecoderWeights::Layer& layer, std::size_t rows);
  /// The final norm of one row of the stream, into row `to` of last_.
  void normalize_last(std::size_t row, std::size_t to);
  /// The logits of the first `rows` rows of last_.
  const float* multiply_last(std::size_t rows);

  DecoderSetup setup_;
  DecoderWeights weights_;
  std::vector<KvCache> caches_;  // a layer's each
  CachedAttention attention_;
  WeightProducts products_;
  float *cosines_ = nullptr, *sines_ = nullptr;  // (capacity,S/2)
  float* stream_ = nullptr;                      // (most_rows,H)
  float* normed_ = nullptr;                      // (most_rows,H)
  float* wide_ = nullptr;                        // (most_rows,qkv_width), then (most_rows,2I)
  float* narrow_ = nullptr;                      // (most_rows,query_width), then (most_rows,I)
  float* inverse_rms_ = nullptr;                 // (most_rows)
  float* last_ = nullptr;                        // (logit_rows,H)
  float* logits_ = nullptr;                      // (logit_rows,V)
  std::size_t length_ = 0;
};

}  // namespace perf::workloads
