#include "workloads/kernels/quantize.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "workloads/kernels/quantize_run.h"

namespace perf::workloads {

namespace {

struct NamedType {
  CodeType type;
  const char* name;
  std::size_t bits;
};
constexpr std::array<NamedType, 4> kTypes = {{{CodeType::int8, "int8", 8},
                                              {CodeType::int4, "int4", 4},
                                              {CodeType::int2, "int2", 2},
                                              {CodeType::nf4, "nf4", 4}}};

const NamedType& entry(CodeType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

const std::vector<std::string>& code_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    result.reserve(kTypes.size());
    for (const NamedType& type : kTypes) {
      result.emplace_back(type.name);
    }
    return result;
  }();
  return names;
}

CodeType code_type_from(const std::string& name) {
  for (const NamedType& type : kTypes) {
    if (name == type.name) {
      return type.type;
    }
  }
  throw std::invalid_argument("no type of codes is called '" + name + "'");
}

std::string name_of(CodeType type) {
  return entry(type).name;
}

std::size_t bits_of(CodeType type) {
  return entry(type).bits;
}

std::size_t Scheme::groups(std::size_t columns) const {
  if (group == 0) {
    return columns == 0 ? 0 : 1;
  }
  return (columns + group - 1) / group;
}

std::size_t Scheme::code_row_bytes(std::size_t columns) const {
  return (columns * bits_of(type) + 7) / 8;
}

std::size_t Scheme::scale_row_bytes(std::size_t columns) const {
  return groups(columns) * scale_bytes();
}

QuantizedMatrix QuantizedMatrix::take(const Scheme& scheme, std::size_t rows, std::size_t columns,
                                      Arena& memory) {
  QuantizedMatrix result{scheme, rows, columns};
  result.codes = memory.take<std::uint8_t>(result.code_bytes());
  result.scales = memory.take<std::byte>(result.scale_bytes());
  return result;
}

std::size_t QuantizedMatrix::room(const Scheme& scheme, std::size_t rows, std::size_t columns) {
  const QuantizedMatrix matrix{scheme, rows, columns};
  return Arena::room<std::uint8_t>(matrix.code_bytes()) +
         Arena::room<std::byte>(matrix.scale_bytes());
}

namespace {

// Rows [begin, end) of whole groups and whole bytes are one long run, as are groups of them.
void quantize_groups(const float* in, const QuantizedMatrix& to, std::size_t group,
                     std::size_t begin, std::size_t end) {
  const bool has_float_scales = to.scheme.group == 0;
  quantize_run({to.scheme.type, has_float_scales, group, (end - begin) * group, in + begin * group,
                to.codes + begin * group * bits_of(to.scheme.type) / 8,
                to.scales + begin * to.scheme.scale_bytes()});
}

void quantize_row(const float* in, const QuantizedMatrix& to, std::size_t group, std::size_t row) {
  quantize_run({to.scheme.type, to.scheme.group == 0, group, to.columns, in + row * to.columns,
                to.codes + row * to.scheme.code_row_bytes(to.columns),
                to.scales + row * to.scheme.scale_row_bytes(to.columns)});
}

}  // namespace

void quantize(const float* in, const QuantizedMatrix& to) {
  if (to.rows == 0 || to.columns == 0) {
    return;
  }
  const std::size_t group = to.scheme.group == 0 ? to.columns : to.scheme.group;
  // Where no group or byte ends inside of a row's end, the matrix is shared out by groups, as many
  // as a step takes: few long rows as well as many short ones.
  const std::size_t step = groups_at_once(group);
  if (to.columns % group == 0 && step * group * bits_of(to.scheme.type) % 8 == 0 &&
      to.columns * bits_of(to.scheme.type) % 8 == 0) {
    const std::size_t groups = to.rows * (to.columns / group), steps = (groups + step - 1) / step;
#pragma omp parallel if (steps > 1)
    {
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const auto own = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t begin = steps * own / team * step, end = steps * (own + 1) / team * step;
      quantize_groups(in, to, group, begin, std::min(end, groups));
    }
    return;
  }
#pragma omp parallel for schedule(static) if (to.rows > 1)
  for (std::size_t row = 0; row < to.rows; ++row) {
    quantize_row(in, to, group, row);
  }
}

}  // namespace perf::workloads
