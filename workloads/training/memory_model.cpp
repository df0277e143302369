#include "workloads/training/memory_model.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "workloads/kernels/products.h"

namespace perf::workloads {

namespace {

// The sizes of the formulas in the header, as numbers that multiply without overflow.
struct Sizes {
  explicit Sizes(const TrainingSetup& setup, int thread_count)
      : layers(setup.shape.layers),
        N(static_cast<double>(setup.rows())),
        H(setup.shape.hidden),
        Q(static_cast<double>(setup.shape.heads) * setup.shape.head_size),
        KV(static_cast<double>(setup.shape.kv_heads) * setup.shape.head_size),
        W(Q + 2 * KV),
        I(setup.shape.intermediate),
        V(setup.shape.vocabulary),
        biases(setup.shape.has_qkv_bias ? 1 : 0),
        tables(setup.shape.is_tied ? 1 : 2),
        heads(setup.shape.heads),
        head_size(setup.shape.head_size),
        length(setup.length),
        rank(setup.lora.rank),
        threads(thread_count),
        b(static_cast<double>(bytes_of(setup.dtype))),
        s(static_cast<double>(bytes_of(setup.state_dtype))) {}

  double layers, N, H, Q, KV, W, I, V, biases, tables, heads, head_size, length, rank, threads;
  double b, s;  // bytes of a value, of an optimizer state
};

constexpr double kFloat = 4;
constexpr double kNormParts = 64;  // as kernels/rms_norm.h has it

double parameters_of(const Sizes& z) {
  const double attention = z.H + z.W * (z.H + z.biases) + z.H * z.Q;
  const double mlp = z.H + 3 * z.I * z.H;
  return z.tables * z.V * z.H + z.layers * (attention + mlp) + z.H;
}

// How many layers have adapters beside any of `targets`.
double adapted_layers(const TrainingSetup& setup, std::initializer_list<Projection> targets) {
  const LoraOptions& lora = setup.lora;
  const bool any = std::any_of(targets.begin(), targets.end(), [&](Projection target) {
    return std::find(lora.targets.begin(), lora.targets.end(), target) != lora.targets.end();
  });
  if (lora.rank == 0 || !any) {
    return 0;
  }
  if (lora.layers.empty()) {
    return setup.shape.layers;
  }
  return static_cast<double>(std::count(lora.layers.begin(), lora.layers.end(), true));
}

double inputs_of(const Sizes& z, Projection target) {
  return target == Projection::o ? z.Q : target == Projection::down ? z.I : z.H;
}
double outputs_of(const Sizes& z, Projection target) {
  switch (target) {
    case Projection::q:
      return z.Q;
    case Projection::k:
    case Projection::v:
      return z.KV;
    case Projection::gate:
    case Projection::up:
      return z.I;
    case Projection::o:
    case Projection::down:
      break;
  }
  return z.H;
}

// A and B of every adapter: rank (inputs + outputs) values.
double adapter_parameters(const TrainingSetup& setup, const Sizes& z) {
  double total = 0;
  for (int index = 0; index < kProjections; ++index) {
    const auto target = static_cast<Projection>(index);
    total +=
        adapted_layers(setup, {target}) * z.rank * (inputs_of(z, target) + outputs_of(z, target));
  }
  return total;
}

double activation_bytes(const TrainingSetup& setup, const Sizes& z) {
  // How many layers keep an array of their own: with checkpointing one set serves all. An input
  // that only adapters read again is kept where they are, and shared by the other layers.
  const double sets = setup.checkpointing ? 1 : z.layers;
  const auto kept = [&](std::initializer_list<Projection> readers) {
    if (setup.trains_all()) {
      return sets;
    }
    const double adapted = adapted_layers(setup, readers);
    return std::min(sets, adapted < z.layers ? adapted + 1 : adapted);
  };
  const auto adapted = [&](Projection target) {
    return std::min(sets, adapted_layers(setup, {target}));
  };
  double values = z.layers * z.H;                                       // inputs
  values += sets * (z.W + z.Q + z.H + 2 * z.I);                         // qkv ... gate_up
  values += kept({Projection::q, Projection::k, Projection::v}) * z.H;  // normed1
  values += kept({Projection::gate, Projection::up}) * z.H;             // normed2
  values += kept({Projection::down}) * z.I;                             // act
  values += 2 * z.H;                                                    // the last output
  for (int index = 0; index < kProjections; ++index) {
    values += adapted(static_cast<Projection>(index)) * z.rank;  // x A^T
  }
  const double floats = sets * (z.heads + 2) + 1;  // sums, norms
  return z.N * (values * z.b + floats * kFloat);
}

double rounded_up(double value, double multiple) {
  return std::ceil(value / multiple) * multiple;
}

// Floats that attention works in (kernels/attention_tiles.h): a head's queries, their gradients and
// those of the output over a whole sequence in tiles of 64 rows, with two numbers a row, and tiles
// of keys and values as they are and turned, a thread; then every head's share of the gradients of
// keys and values. A head's columns are padded to 32.
double attention_floats(const TrainingSetup& setup, const Sizes& z) {
  constexpr double kTile = 64, kPadding = 32;
  const double rows = rounded_up(z.length, kTile);
  const double columns = rounded_up(z.head_size, kPadding);
  const double per_thread = rows * (3 * columns + 2) + 4 * kTile * columns + 2 * kTile * kTile;
  return z.threads * per_thread + 2 * setup.batch * z.heads * rows * columns;
}

// Floats into which operands and results of 16 bits are widened for libraries that multiply only
// floats, block by block (kernels/products_widened.h): 512 x 1024, 1024 x 1024, 512 x 1024. Where
// oneDNN multiplies Bf16 as it is, it wants 2^19 floats a thread (kernels/products.h).
double product_floats(const TrainingSetup& setup, const Sizes& z) {
  constexpr double kRows = 512, kColumns = 1024, kDepth = 1024, kOnednn = 1 << 19;
  if (setup.dtype == DType::fp32 || setup.backend == Backend::reference) {
    return 0;
  }
  const double widened = kRows * kDepth + kDepth * kColumns + kRows * kColumns;
  return multiplies_unwidened(setup.backend, setup.dtype) ? std::max(widened, kOnednn * z.threads)
                                                          : widened;
}

double workspace_bytes(const TrainingSetup& setup, const Sizes& z) {
  const double logits = std::min(z.N, static_cast<double>(setup.loss_rows)) * z.V;
  const double gradients = z.N * (2 * z.H + z.W + z.Q + z.I + z.rank);
  const double norm_sums = kNormParts * z.H;     // of the gains' gradients
  const double tables = z.length * z.head_size;  // cosines and sines, half a head each
  const double floats = norm_sums + tables + attention_floats(setup, z) + product_floats(setup, z);
  return (logits + gradients) * z.b + floats * kFloat;
}

}  // namespace

double MemoryModel::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

double MemoryModel::rule_of_thumb() const {
  return total() / (static_cast<double>(parameters) * value_bytes);
}

MemoryModel memory_model(const TrainingSetup& setup, int threads) {
  const Sizes z(setup, threads);
  const double parameters = parameters_of(z), adapters = adapter_parameters(setup, z);
  const double trained = setup.trains_all() ? parameters : adapters;
  const double states =
      setup.gradients_only ? 0 : static_cast<double>(states_of(setup.optimizer.kind));
  MemoryModel model;
  model.bytes = {(parameters + adapters) * z.b, trained * z.b, states * trained * z.s,
                 activation_bytes(setup, z), workspace_bytes(setup, z)};
  model.parameters = static_cast<std::size_t>(parameters);
  model.trained = static_cast<std::size_t>(trained);
  model.value_bytes = z.b;
  return model;
}

double memory_drift(const MemoryModel& model, const Ledger& measured) {
  const double total = model.total();
  double drift = std::abs(static_cast<double>(measured.total()) / total - 1);
  for (std::size_t i = 0; i < model.bytes.size(); ++i) {
    const auto bytes = static_cast<double>(measured.bytes(static_cast<Purpose>(i)));
    const double against = std::max(model.bytes[i], total / 100);
    drift = std::max(drift, std::abs(bytes - model.bytes[i]) / against);
  }
  return drift;
}

}  // namespace perf::workloads
