#pragma once

#include <array>
#include <cstddef>

#include "workloads/kernels/ledger.h"
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// Bytes that a training setup takes, in closed form from its shape, without running any of the
/// code that takes them. For n layers, H hidden, Q = heads * head_size, W = Q + 2 kv_heads *
/// head_size, I intermediate and V vocabulary, the model has
///     P = V H + n (H + W (H + 1) + H Q + H + 3 I H) + H
/// parameters (without biases n W fewer, with an output of its own V H more), and an adapter rank
/// (inputs + outputs). With T of them trained (all, or the adapters'), b bytes a value:
///     weights     (P + adapters) b
///     gradients   T b
///     optimizer   states * T * s         s: bytes of a state value
///                 states: 2 for AdamW, 1 for momentum, 0 for SGD
/// and for N = batch * length rows:
///     activations n N H + 2 N H: the layers' inputs, the last output and its norm; and, for each
///                 layer, or once for all with checkpointing,
///                 N (W + Q + H + 2 I): qkv, attention, the stream after it, gate and up
///                 N (2 H + I): norms and the MLP's product, where gradients of weights read them
///                 (with LoRA: where an adapter does; the other layers share one)
///                 N rank for an adapter; in floats N (heads + 2): log sums, inverse norms
///     workspace   min(N, loss_rows) V: logits of one chunk of rows, turned into their gradients
///                 N (2 H + W + Q + I + rank): gradients on their way down
///                 in floats, 64 H for sums of the norms' gains, length * head_size for RoPE's
///                 tables, attention's tiles, and what 16-bit operands are widened into
struct MemoryModel {
  std::array<double, kTrainingPurposes> bytes{};  ///< by Purpose
  std::size_t parameters = 0, trained = 0;
  double value_bytes = 4;

  double total() const;
  /// The k of the rule of thumb "training takes k P b": total / (parameters * value_bytes).
  double rule_of_thumb() const;
};

MemoryModel memory_model(const TrainingSetup& setup, int threads);

/// Largest |measured/predicted - 1| over the purposes that matter (a purpose below a hundredth of
/// the total counts against that hundredth) and over the total.
double memory_drift(const MemoryModel& model, const Ledger& measured);

}  // namespace perf::workloads
