#include "workloads/model/safetensors_contents.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "workloads/model/bad_checkpoint.h"

namespace perf::workloads {

namespace {

constexpr char kAnotherCopy[] = "another copy of the file";
constexpr char kMetadata[] = "__metadata__";

using Json = nlohmann::json;

/// Takes the JSON event by event, so that nesting and memory are bounded, and nothing that comes
/// twice is lost. Levels: 1 the object of all, 2 a tensor's or the metadata, 3 a tensor's lists.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  SafetensorsContents contents;

  bool key(std::string& text) override {
    if (level_ == 1) {
      name_ = text;
      members_.clear();
      if (!names_.insert(text).second) {
        fail("a name comes twice");
      }
    } else {
      member_ = text;
      if (!members_.insert(text).second) {
        fail("'" + printable(text) + "' comes twice");
      }
      if (!in_metadata() && text != "dtype" && text != "shape" && text != "data_offsets") {
        fail("the format has no member '" + printable(text) + "'");
      }
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (level_ > 1) {
      fail("an object where a value should be");
    }
    if (++level_ == 2 && !in_metadata()) {
      contents.tensors.push_back({{name_, "", {}}, 0, 0});
    }
    return true;
  }

  bool end_object() override {
    if (level_-- == 2 && !in_metadata()) {
      for (const char* wanted : {"dtype", "shape", "data_offsets"}) {
        if (members_.count(wanted) == 0) {
          fail(std::string("no '") + wanted + "'");
        }
      }
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (level_ != 2 || in_metadata() || member_ == "dtype") {
      fail("a list where there should be none");
    }
    ++level_;
    offsets_ = 0;
    return true;
  }

  bool end_array() override {
    --level_;
    if (member_ == "data_offsets" && offsets_ != 2) {
      fail("offsets are two numbers");
    }
    return true;
  }

  bool string(std::string& text) override {
    if (level_ == 2 && in_metadata()) {
      contents.metadata[member_] = text;
    } else if (level_ == 2 && member_ == "dtype") {
      contents.tensors.back().entry.type = text;
    } else {
      fail("a text where there should be none");
    }
    return true;
  }

  bool number_unsigned(std::uint64_t number) override {
    if (level_ != 3) {
      fail("a number where there should be none");
    }
    PlacedTensor& tensor = contents.tensors.back();
    if (member_ == "shape") {
      tensor.entry.shape.push_back(number);
    } else {
      if (offsets_ == 2) {
        fail("offsets are two numbers");
      }
      (offsets_++ == 0 ? tensor.begin : tensor.end) = number;
    }
    return true;
  }

  bool null() override { fail("null is no value of the format"); }
  bool boolean(bool) override { fail("true and false are no values of the format"); }
  bool number_integer(std::int64_t) override { fail("a negative number"); }
  bool number_float(double, const std::string& text) override {
    fail("not a whole number below 2^64: " + printable(text));
  }
  bool binary(Json::binary_t&) override { fail("not JSON"); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    fail("at byte " + std::to_string(position) + " not the JSON of a header in UTF-8 (" +
         printable(error.what()) + ")");
  }

 private:
  bool in_metadata() const { return name_ == kMetadata; }

  [[noreturn]] void fail(const std::string& why) const {
    throw BadCheckpoint("a broken safetensors header",
                        path_ + (name_.empty() ? "" : ", " + printable(name_)) + ": " + why,
                        kAnotherCopy);
  }

  const std::string& path_;
  int level_ = 0;
  int offsets_ = 0;     // of the running list
  std::string name_;    // of the running tensor
  std::string member_;  // of it
  std::set<std::string> names_, members_;
};

[[noreturn]] void refuse(const std::string& path, const PlacedTensor& tensor,
                         const std::string& why, const std::string& hint = kAnotherCopy) {
  throw BadCheckpoint("a broken tensor", path + ", " + printable(tensor.entry.name) + ": " + why,
                      hint);
}

std::string place(const PlacedTensor& tensor) {
  return "offsets " + std::to_string(tensor.begin) + " to " + std::to_string(tensor.end);
}

// Bytes that its shape and dtype take.
std::uint64_t expected_bytes(const PlacedTensor& tensor, const std::string& path) {
  const unsigned bits = safetensors_bits(tensor.entry.type);
  if (bits == 0) {
    refuse(path, tensor, "no such dtype: '" + printable(tensor.entry.type) + "'",
           "a file whose tensors are F32, BF16 or F16");
  }
  std::uint64_t total = bits;
  bool overflows = false;
  for (const std::size_t dimension : tensor.entry.shape) {
    if (dimension == 0)  // nothing, however large the rest is
    {
      return 0;
    }
    overflows = overflows || total > std::numeric_limits<std::uint64_t>::max() / dimension;
    total *= dimension;
  }
  if (overflows) {
    refuse(path, tensor, "a shape of more than 2^64 bits");
  }
  if (total % 8 != 0) {
    refuse(path, tensor, "a shape that ends within a byte");
  }
  return total / 8;
}

}  // namespace

unsigned safetensors_bits(const std::string& type) {
  constexpr std::array<std::pair<const char*, unsigned>, 22> kTypes = {{
      {"F32", 32},    {"BF16", 16},   {"F16", 16},        {"F64", 64},        {"I64", 64},
      {"U64", 64},    {"C64", 64},    {"I32", 32},        {"U32", 32},        {"I16", 16},
      {"U16", 16},    {"I8", 8},      {"U8", 8},          {"BOOL", 8},        {"F8_E4M3", 8},
      {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6},
      {"F6_E3M2", 6}, {"F4", 4},
  }};
  for (const auto& [name, bits] : kTypes) {
    if (type == name) {
      return bits;
    }
  }
  return 0;
}

void require_whole(const PlacedTensor& tensor, std::uint64_t data_bytes, const std::string& path) {
  if (tensor.begin > tensor.end) {
    refuse(path, tensor, place(tensor) + " run backwards");
  }
  const std::uint64_t bytes = expected_bytes(tensor, path);
  if (tensor.end - tensor.begin != bytes) {
    refuse(path, tensor,
           place(tensor) + " hold " + std::to_string(tensor.end - tensor.begin) +
               " bytes, its shape takes " + std::to_string(bytes));
  }
  if (tensor.end > data_bytes) {
    refuse(path, tensor,
           place(tensor) + " lie outside of the file's " + std::to_string(data_bytes) +
               " bytes of data",
           "copying or downloading the file again: it may have been cut short");
  }
}

SafetensorsContents read_safetensors_header(std::string_view json, std::uint64_t data_bytes,
                                            const std::string& path) {
  if (json.empty() || json.front() != '{') {
    throw BadCheckpoint("no safetensors file", path + ": its header is no JSON object",
                        "a file that ends in .safetensors");
  }
  // The parser takes a NUL for the end of the text, and would pass over whatever follows.
  if (json.find('\0') != std::string_view::npos) {
    throw BadCheckpoint("a broken safetensors header", path + ": a NUL byte in it", kAnotherCopy);
  }
  HeaderReader reader(path);
  Json::sax_parse(json.begin(), json.end(), &reader);
  std::vector<PlacedTensor>& tensors = reader.contents.tensors;
  for (const PlacedTensor& tensor : tensors) {
    require_whole(tensor, data_bytes, path);
  }
  std::stable_sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::uint64_t end = 0;
  for (const PlacedTensor& tensor : tensors) {
    if (tensor.begin != end) {
      refuse(path, tensor,
             place(tensor) +
                 (tensor.begin < end ? " overlap the tensor before, which ends at "
                                     : " leave a gap after ") +
                 std::to_string(end));
    }
    end = tensor.end;
  }
  if (end != data_bytes) {
    throw BadCheckpoint(
        "a broken safetensors file",
        path + ": " + std::to_string(data_bytes - end) + " bytes after the last tensor",
        kAnotherCopy);
  }
  return std::move(reader.contents);
}

}  // namespace perf::workloads
