#include "workloads/kernels/gemm_rate.h"

#include <algorithm>
#include <chrono>

#include "workloads/kernels/product_error.h"
#include "workloads/kernels/products.h"
#include "workloads/kernels/products_onednn.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"

namespace perf::workloads {

namespace {

template <class T>
Backend best_backend() {
  return kDType<T> != DType::fp32 && has_onednn() ? Backend::onednn : Backend::openblas;
}

// Uniform in [-1, 1).
template <class T>
void fill(T* values, std::size_t count, std::uint32_t seed) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = narrow<T>(2 * random_unit(seed, static_cast<std::uint32_t>(i)) - 1);
  }
}

// A (n,n) times B (n,n) into C (n,n).
template <class T>
struct Square {
  Square(std::size_t n, Ledger& memory)
      : products(best_backend<T>(), memory),
        a(memory.take<T>(Purpose::workspace, n * n)),
        b(memory.take<T>(Purpose::workspace, n * n)),
        c(memory.take<T>(Purpose::workspace, n * n)) {}

  Products<T> products;
  T *a, *b, *c;
};

template <class T>
Ledger room_for_square(std::size_t n) {
  Ledger counted;
  const Square<T> square(n, counted);
  return Ledger(counted);
}

}  // namespace

struct GemmRate::Product {
  virtual ~Product() = default;
  virtual void multiply(const Gemm& shape) = 0;
  virtual void spoil_result(std::size_t n) = 0;
  virtual double error(const Gemm& shape) const = 0;
  virtual std::size_t bytes() const = 0;
};

template <class T>
struct GemmRate::TypedProduct : Product {
  explicit TypedProduct(std::size_t n) : memory(room_for_square<T>(n)), square(n, memory) {
    fill(square.a, n * n, 1);
    fill(square.b, n * n, 2);
  }
  void multiply(const Gemm& shape) override {
    square.products.multiply(shape, square.a, square.b, square.c);
  }
  void spoil_result(std::size_t n) override { spoil(square.c, n * n); }
  double error(const Gemm& shape) const override {
    return product_error(shape, square.a, square.b, square.c);
  }
  std::size_t bytes() const override { return memory.total(); }

  Ledger memory;
  Square<T> square;
};

GemmRate::GemmRate(int size, DType dtype) : size_(size) {
  if (size == 0) {
    return;
  }
  const auto n = static_cast<std::size_t>(size);
  switch (dtype) {
    case DType::fp32:
      product_ = std::make_unique<TypedProduct<float>>(n);
      break;
    case DType::bf16:
      product_ = std::make_unique<TypedProduct<Bf16>>(n);
      break;
    case DType::fp16:
      product_ = std::make_unique<TypedProduct<Fp16>>(n);
      break;
  }
}

GemmRate::~GemmRate() = default;

void GemmRate::measure(int times) {
  if (size_ == 0) {
    return;
  }
  const Gemm shape{.m = size_, .n = size_, .k = size_};
  if (!warm_) {
    product_->multiply(shape);
  }
  warm_ = true;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    product_->multiply(shape);
    const auto end = std::chrono::steady_clock::now();
    seconds_.push_back(std::chrono::duration<double>(end - start).count());
  }
}

void GemmRate::spoil_result() {
  if (product_ != nullptr) {
    product_->spoil_result(static_cast<std::size_t>(size_));
  }
}

double GemmRate::operations() const {
  return Gemm{.m = size_, .n = size_, .k = size_}.operations();
}

double GemmRate::error() const {
  return warm_ ? product_->error({.m = size_, .n = size_, .k = size_}) : 0;
}

std::size_t GemmRate::bytes() const {
  return product_ == nullptr ? 0 : product_->bytes();
}

double GemmRate::rate() const {
  if (seconds_.empty()) {
    return 0;
  }
  return operations() / *std::min_element(seconds_.begin(), seconds_.end());
}

}  // namespace perf::workloads
