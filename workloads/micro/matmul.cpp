#include <fmt/format.h>

#include "workloads/kernels/product_error.h"
#include "workloads/kernels/products.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"
#include "workloads/micro/micro_run.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

// A (m,k) times B (k,n) into C (m,n).
template <class T>
struct Matmul {
  Matmul(const Gemm& shape, Backend backend, Ledger& memory)
      : products(backend, memory),
        a(memory.take<T>(Purpose::activations, size(shape.m, shape.k))),
        b(memory.take<T>(Purpose::activations, size(shape.k, shape.n))),
        c(memory.take<T>(Purpose::activations, size(shape.m, shape.n))) {}

  static std::size_t size(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }

  Products<T> products;
  T *a, *b, *c;
};

// Uniform in [-1, 1).
template <class T>
void fill(T* values, std::size_t count, std::uint32_t seed) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = narrow<T>(2 * random_unit(seed, static_cast<std::uint32_t>(i)) - 1);
  }
}

template <class T>
void run_typed(const Settings& settings, Backend backend, StepEmitter& out) {
  const Gemm shape{.m = settings.count("m"), .n = settings.count("n"), .k = settings.count("k")};
  Ledger counted;
  const Matmul<T> counting(shape, backend, counted);
  require_memory(counted.total(),
                 fmt::format("a product of {} x {} x {}", shape.m, shape.n, shape.k));
  Ledger memory(counted);
  Matmul<T> matmul(shape, backend, memory);
  fill(matmul.a, matmul.size(shape.m, shape.k), derived_seed(out.wanted().seed, 1));
  fill(matmul.b, matmul.size(shape.k, shape.n), derived_seed(out.wanted().seed, 2));
  run_micro(settings,
            {.forward = [&] { matmul.products.multiply(shape, matmul.a, matmul.b, matmul.c); },
             .spoil = [&] { spoil(matmul.c, matmul.size(shape.m, shape.n)); },
             .bound = Bound::products,
             .amount = shape.operations(),
             .dtype = kDType<T>},
            out);
  out.check("product_matches_reference", product_error(shape, matmul.a, matmul.b, matmul.c),
            kProductTolerance);
}

void run_matmul(const Settings& settings, StepEmitter& out) {
  const DType dtype = dtype_from(settings.text("dtype"));
  const std::string chosen = chosen_backend(settings.text("backend"));
  const Backend backend = backend_from(chosen);
  out.environment("backend", chosen);
  switch (dtype) {
    case DType::fp32:
      return run_typed<float>(settings, backend, out);
    case DType::bf16:
      return run_typed<Bf16>(settings, backend, out);
    case DType::fp16:
      return run_typed<Fp16>(settings, backend, out);
  }
}

std::vector<Parameter> matmul_parameters() {
  return micro_parameters(
      {
          integer("m", {512, 512, 1024}, 1, 16384, "rows of A (m,k) and of C (m,n)"),
          integer("n", {512, 512, 1024}, 1, 16384, "columns of B (k,n) and of C"),
          integer("k", {512, 512, 1024}, 1, 16384, "columns of A, rows of B"),
          choice("dtype", dtype_names(), "of the operands and the result"),
          backend_parameter({"auto"}),
      },
      {4, 4, 40}, Bound::products);
}

}  // namespace

Workload micro_matmul() {
  return {
      .name = "micro/matmul",
      .summary = "A product of two matrices, C = A B.",
      .parameters = matmul_parameters(),
      .phases = {"forward"},
      .metrics = micro_metrics(Bound::products),
      .checks = {"product_matches_reference"},
      .run = run_matmul,
  };
}

}  // namespace perf::workloads
