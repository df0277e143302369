#include <array>
#include <stdexcept>

#include "workloads/kernels/quantize.h"

namespace perf::workloads {

namespace {

struct NamedType {
  CodeType type;
  const char* name;
  std::size_t bits;
};
constexpr std::array<NamedType, 4> kNamedTypes = {{{CodeType::int8, "int8", 8},
                                                   {CodeType::int4, "int4", 4},
                                                   {CodeType::int2, "int2", 2},
                                                   {CodeType::nf4, "nf4", 4}}};

const NamedType& entry(CodeType type) {
  return kNamedTypes[static_cast<std::size_t>(type)];
}

}  // namespace

const std::vector<std::string>& code_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    result.reserve(kNamedTypes.size());
    for (const NamedType& type : kNamedTypes) {
      result.emplace_back(type.name);
    }
    return result;
  }();
  return names;
}

CodeType code_type_from(const std::string& name) {
  for (const NamedType& type : kNamedTypes) {
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

}  // namespace perf::workloads
