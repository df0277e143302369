#include "workloads/model/quantized_tensors.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "workloads/model/bad_checkpoint.h"

namespace perf::workloads {

namespace {

constexpr char kChannel[] = "channel";
constexpr std::size_t kGroups[] = {32, 64, 128};

std::string group_text(std::size_t group) {
  return group == 0 ? kChannel : std::to_string(group);
}

std::string metadata_text(const TensorReader& file, const char* name) {
  const auto found = file.metadata().find(name);
  return found == file.metadata().end() ? "" : found->second;
}

}  // namespace

SafetensorsEntry codes_entry(const Scheme& scheme, const std::string& name, std::size_t rows,
                             std::size_t columns) {
  return {name + kCodes, "U8", {rows, scheme.code_row_bytes(columns)}};
}

SafetensorsEntry scales_entry(const Scheme& scheme, const std::string& name, std::size_t rows,
                              std::size_t columns) {
  return {name + kScales, scheme.group == 0 ? "F32" : "BF16", {rows, scheme.groups(columns)}};
}

std::map<std::string, std::string> quantized_metadata(const Scheme& scheme) {
  return {{"format", kQuantizedFormat},
          {"type", name_of(scheme.type)},
          {"group", group_text(scheme.group)}};
}

std::optional<Scheme> quantized_scheme(const TensorReader& file) {
  if (metadata_text(file, "format") != kQuantizedFormat) {
    return std::nullopt;
  }
  const std::string type = metadata_text(file, "type"), group = metadata_text(file, "group");
  try {
    Scheme scheme{.type = code_type_from(type)};
    const auto* const known =
        std::find_if(std::begin(kGroups), std::end(kGroups),
                     [&](std::size_t one) { return group_text(one) == group; });
    if (known == std::end(kGroups) && group != kChannel) {
      throw std::invalid_argument("no such group");
    }
    scheme.group = group == kChannel ? 0 : *known;
    return scheme;
  } catch (const std::invalid_argument&) {
    throw BadCheckpoint("a checkpoint that is quantized in an unknown way",
                        file.path() + ": type " + printable(type) + ", group " + printable(group),
                        "a file that perf-workloads run quantization/... --output FILE wrote");
  }
}

void read_codes(const QuantizedPlace& from, std::size_t first, const QuantizedMatrix& to) {
  from.codes_file.copy(from.codes, first * from.scheme.code_row_bytes(to.columns), to.code_bytes(),
                       reinterpret_cast<std::byte*>(to.codes));
  from.scales_file.copy(from.scales, first * from.scheme.scale_row_bytes(to.columns),
                        to.scale_bytes(), to.scales);
}

void read_quantized(const QuantizedPlace& from, std::size_t columns, std::size_t first,
                    std::size_t count, float* values) {
  const std::size_t row = first / columns, last = (first + count + columns - 1) / columns;
  QuantizedMatrix some{from.scheme, last - row, columns};
  std::vector<std::uint8_t> codes(some.code_bytes());
  std::vector<std::byte> scales(some.scale_bytes());
  some.codes = codes.data();
  some.scales = scales.data();
  read_codes(from, row, some);
  std::vector<float> rows(some.rows * columns);
  dequantize(some, rows.data());
  std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(first - row * columns), count, values);
}

}  // namespace perf::workloads
