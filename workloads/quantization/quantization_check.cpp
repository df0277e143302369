#include "workloads/quantization/quantization_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/dtype.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kCheckedRowStream = 3'000'001;
constexpr std::uint32_t kRowsBetween = 3;
constexpr double kTieRoom = 1e-4;  // of the scale: 127 times single precision, and room

// Read here by itself: what checks the kernels shares no code with them.
double scale_value(const Scheme& scheme, const std::byte* scales, std::size_t index) {
  if (scheme.group == 0) {
    float scale = 0;
    std::memcpy(&scale, scales + index * sizeof scale, sizeof scale);
    return scale;
  }
  Bf16 scale;
  std::memcpy(&scale, scales + index * sizeof scale, sizeof scale);
  return widen(scale);
}

/// Memory for one row, quantized.
struct QuantizedRow {
  std::vector<std::uint8_t> codes;
  std::vector<float> scales;  // room, and alignment, for Bf16 as well
  QuantizedMatrix matrix;

  QuantizedRow(const Scheme& scheme, std::size_t columns)
      : codes(scheme.code_row_bytes(columns)),
        scales(scheme.groups(columns)),
        matrix{scheme, 1, columns, codes.data(), reinterpret_cast<std::byte*>(scales.data())} {}

  double scale(std::size_t group) const { return scale_value(matrix.scheme, matrix.scales, group); }
  double scale_of_column(std::size_t column) const {
    return scale(matrix.scheme.group == 0 ? 0 : column / matrix.scheme.group);
  }
  /// What the codes mean.
  std::vector<float> values() const {
    std::vector<float> values(matrix.columns);
    dequantize(matrix, values.data());
    return values;
  }
};

// How many of a row's values ended further from what they were than the reference's did, by more
// than single precision explains: a value half-way between two codes may go to either.
std::size_t further_than(const std::vector<float>& wanted, const std::vector<float>& got,
                         const std::vector<float>& exact, const QuantizedRow& reference) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double least = std::abs(static_cast<double>(exact[i]) - wanted[i]);
    const double room = kTieRoom * std::abs(reference.scale_of_column(i));
    const double distance = std::abs(static_cast<double>(exact[i]) - got[i]);
    count += got[i] == wanted[i] || distance <= least + room ? 0 : 1;  // NaN is no match
  }
  return count;
}

double relative_difference(double got, double wanted) {
  return got == wanted ? 0 : std::abs(got - wanted) / std::abs(wanted);
}

std::set<std::size_t> checked_rows(std::size_t rows, std::uint32_t random) {
  std::set<std::size_t> chosen = {0, rows - 1};
  for (std::uint32_t i = 0; i < kRowsBetween; ++i) {
    chosen.insert(random_bits(random, i) % rows);
  }
  return chosen;
}

}  // namespace

ReferenceErrors reference_errors(const TensorSource& source, const Scheme& scheme,
                                 std::uint64_t seed, const ReadQuantizedRow& read) {
  ReferenceErrors errors;
  std::size_t further = 0, values = 0;
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const Tensor& tensor = source.tensors()[i];
    std::vector<float> exact(tensor.columns);
    QuantizedRow wanted(scheme, tensor.columns), got(scheme, tensor.columns);
    const std::uint32_t random =
        derived_seed(seed, kCheckedRowStream + static_cast<std::uint32_t>(i));
    for (const std::size_t row : checked_rows(tensor.rows, random)) {
      source.read(i, row, 1, exact.data());
      quantize_reference(exact.data(), wanted.matrix);
      read(i, row, got.matrix);
      further += further_than(wanted.values(), got.values(), exact, wanted);
      for (std::size_t group = 0; group < scheme.groups(tensor.columns); ++group) {
        keep_worse(errors.scales, relative_difference(got.scale(group), wanted.scale(group)));
      }
      values += tensor.columns;
    }
  }
  errors.codes = static_cast<double>(further) / static_cast<double>(values);
  return errors;
}

namespace {

// Of a group of values: what its scale is before it is rounded, by the formulas of quantize.h.
double exact_scale(CodeType type, const float* in, std::size_t count) {
  float low = 0, high = 0;
#pragma omp simd reduction(min : low) reduction(max : high)
  for (std::size_t i = 0; i < count; ++i) {
    low = in[i] < low ? in[i] : low;
    high = in[i] > high ? in[i] : high;
  }
  const double m = -low >= high ? low : high;
  switch (type) {
    case CodeType::int8:
      return std::abs(m) / 127;
    case CodeType::int4:
      return m / -8;
    case CodeType::int2:
      return m / -2;
    case CodeType::nf4:
      break;
  }
  return std::abs(m);
}

// A scale that would be subnormal is stored as 0.
double scale_difference(double got, double exact) {
  if (got == 0 && std::abs(exact) < std::numeric_limits<float>::min()) {
    return 0;
  }
  return relative_difference(got, exact);
}

}  // namespace

void QuantizationQuality::add(const float* in, const QuantizedMatrix& quantized) {
  error += quantization_error(in, quantized);
  const Scheme& scheme = quantized.scheme;
  const std::size_t columns = quantized.columns, groups = scheme.groups(columns);
  const std::size_t group = scheme.group == 0 ? columns : scheme.group;
  double worst = scales;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for schedule(static)
    for (std::size_t row = 0; row < quantized.rows; ++row) {
      for (std::size_t i = 0; i < groups; ++i) {
        const std::size_t begin = i * group, count = std::min(group, columns - begin);
        double exact = exact_scale(scheme.type, in + row * columns + begin, count);
        if (scheme.group != 0) {
          exact = widen(narrow<Bf16>(static_cast<float>(exact)));
        }
        keep_worse(
            own, scale_difference(scale_value(scheme, quantized.scales, row * groups + i), exact));
      }
    }
#pragma omp critical
    keep_worse(worst, own);
  }
  scales = worst;
}

std::uint64_t quantized_bytes_by_formula(const TensorSource& source, const Scheme& scheme) {
  const std::size_t bits = scheme.type == CodeType::int8   ? 8
                           : scheme.type == CodeType::int2 ? 2
                                                           : 4;
  std::uint64_t sum = 0;
  for (const Tensor& tensor : source.tensors()) {
    const std::size_t codes = (tensor.columns * bits + 7) / 8;
    const std::size_t scales =
        scheme.group == 0 ? 4 : 2 * ((tensor.columns + scheme.group - 1) / scheme.group);
    sum += static_cast<std::uint64_t>(tensor.rows) * (codes + scales);
  }
  return sum;
}

}  // namespace perf::workloads
