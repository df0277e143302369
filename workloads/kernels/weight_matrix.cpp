#include "workloads/kernels/weight_matrix.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "workloads/kernels/quantized_tiles.h"

namespace perf::workloads {

namespace {

template <class T>
T* plain_row(const WeightMatrix& matrix, std::size_t row) {
  return reinterpret_cast<T*>(matrix.values) + row * matrix.columns;
}

void unpack_plain(const Bf16* from, std::size_t count, Bf16* to) {
  std::copy_n(from, count, to);
}

template <class T>
void unpack_plain(const T* from, std::size_t count, float* to) {
  widen(from, count, to);
}

template <class T>
void unpack_plain(const T* from, std::size_t count, Bf16* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = narrow<Bf16>(widen(from[i]));
  }
}

template <class T>
void unpack(const WeightMatrix& from, std::size_t first, std::size_t count, T* values) {
  assert(first + count <= from.rows);
  switch (from.type) {
    case WeightType::fp32:
      return unpack_plain(plain_row<float>(from, first), count * from.columns, values);
    case WeightType::bf16:
      return unpack_plain(plain_row<Bf16>(from, first), count * from.columns, values);
    case WeightType::fp16:
      return unpack_plain(plain_row<Fp16>(from, first), count * from.columns, values);
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      return unpack_quantized(from, first, count, values);
  }
}

}  // namespace

const std::vector<std::string>& weight_type_names() {
  static const std::vector<std::string> names = {"fp32", "bf16", "fp16", "int8", "int4", "nf4"};
  return names;
}

WeightType weight_type_from(const std::string& name) {
  const std::vector<std::string>& names = weight_type_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument("no such type of weights: " + name);
  }
  return static_cast<WeightType>(found - names.begin());
}

std::string name_of(WeightType type) {
  return weight_type_names().at(static_cast<std::size_t>(type));
}

std::optional<DType> plain_dtype(WeightType type) {
  switch (type) {
    case WeightType::fp32:
      return DType::fp32;
    case WeightType::bf16:
      return DType::bf16;
    case WeightType::fp16:
      return DType::fp16;
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      break;
  }
  return std::nullopt;
}

WeightMatrix WeightMatrix::take(WeightType type, std::size_t rows, std::size_t columns,
                                Ledger& memory) {
  WeightMatrix result{.type = type, .rows = rows, .columns = columns};
  result.values = memory.take<std::byte>(Purpose::weights, result.bytes());
  return result;
}

std::size_t WeightMatrix::bytes() const {
  switch (type) {
    case WeightType::fp32:
      return rows * columns * sizeof(float);
    case WeightType::bf16:
    case WeightType::fp16:
      return rows * columns * sizeof(Bf16);
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      break;
  }
  return quantized_bytes(type, rows, columns);
}

void pack_rows(const float* values, std::size_t first, std::size_t count, WeightMatrix& to) {
  assert(first + count <= to.rows);
  switch (to.type) {
    case WeightType::fp32:
      return narrow(values, count * to.columns, plain_row<float>(to, first));
    case WeightType::bf16:
      return narrow(values, count * to.columns, plain_row<Bf16>(to, first));
    case WeightType::fp16:
      return narrow(values, count * to.columns, plain_row<Fp16>(to, first));
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      return pack_quantized(values, first, count, to);
  }
}

void unpack_rows(const WeightMatrix& from, std::size_t first, std::size_t count, float* values) {
  unpack(from, first, count, values);
}

void unpack_rows(const WeightMatrix& from, std::size_t first, std::size_t count, Bf16* values) {
  unpack(from, first, count, values);
}

}  // namespace perf::workloads
