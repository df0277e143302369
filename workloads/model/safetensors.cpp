#include "workloads/model/safetensors.h"

#include <set>
#include <stdexcept>

#include "workloads/model/safetensors_contents.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kLengthBytes = 8;

// A JSON string. Bytes past ASCII are UTF-8 already, and stay.
std::string quoted(const std::string& text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += {'\\', letter};
    } else if (code < 0x20) {
      out += {'\\', 'u', '0', '0', kHex[code / 16], kHex[code % 16]};
    } else {
      out += letter;
    }
  }
  return out + "\"";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) {
    out += (out.empty() ? "" : ",") + part;
  }
  return out;
}

}  // namespace

std::uint64_t SafetensorsEntry::bytes() const {
  const unsigned bits = safetensors_bits(type);
  if (bits == 0) {
    throw std::invalid_argument(name + ": no such type in a safetensors file: " + type);
  }
  std::uint64_t values = 1;
  for (const std::size_t dimension : shape) {
    values *= dimension;
  }
  return values * bits / 8;
}

std::string safetensors_type(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return "F32";
    case DType::bf16:
      return "BF16";
    case DType::fp16:
      return "F16";
  }
  throw std::invalid_argument("no such dtype");
}

std::string safetensors_header(const std::vector<SafetensorsEntry>& tensors,
                               const std::map<std::string, std::string>& metadata) {
  std::vector<std::string> members, strings;
  for (const auto& [key, value] : metadata) {
    strings.push_back(quoted(key) + ":" + quoted(value));
  }
  if (!strings.empty()) {
    members.push_back("\"__metadata__\":{" + joined(strings) + "}");
  }
  std::set<std::string> names = {"__metadata__"};
  std::uint64_t begin = 0;
  for (const SafetensorsEntry& tensor : tensors) {
    if (!names.insert(tensor.name).second) {
      throw std::invalid_argument("a safetensors file has each name once: " + tensor.name);
    }
    std::vector<std::string> shape;
    for (const std::size_t dimension : tensor.shape) {
      shape.push_back(std::to_string(dimension));
    }
    const std::uint64_t end = begin + tensor.bytes();
    members.push_back(quoted(tensor.name) + ":{\"dtype\":\"" + tensor.type + "\",\"shape\":[" +
                      joined(shape) + "],\"data_offsets\":[" + std::to_string(begin) + "," +
                      std::to_string(end) + "]}");
    begin = end;
  }
  std::string json = "{" + joined(members) + "}";
  json.resize((json.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');
  std::string header;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    header += static_cast<char>(json.size() >> (8 * i) & 0xff);
  }
  return header + json;
}

}  // namespace perf::workloads
