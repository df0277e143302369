#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf::workloads {

/// A safetensors file read by another hand than the one that writes it, for tests. Throws
/// std::runtime_error where it breaks the format's rules: header length, padding, offsets that
/// follow each other without gaps from 0 to the end of the file.
struct SafetensorsFile {
  nlohmann::json header;
  std::string data;

  explicit SafetensorsFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::uint64_t length = 0;
    if (all.size() < 8) {
      throw std::runtime_error("no header length");
    }
    for (int i = 7; i >= 0; --i) {
      length = length << 8 | static_cast<unsigned char>(all[static_cast<std::size_t>(i)]);
    }
    if (length % 8 != 0 || 8 + length > all.size() || all[8] != '{') {
      throw std::runtime_error("bad header length");
    }
    const auto refuse_duplicates = [keys = std::vector<std::string>()](
                                       int depth, nlohmann::json::parse_event_t event,
                                       nlohmann::json& parsed) mutable {
      if (depth != 1 || event != nlohmann::json::parse_event_t::key) {
        return true;
      }
      for (const std::string& key : keys) {
        if (parsed == key) {
          throw std::runtime_error("duplicate " + key);
        }
      }
      keys.push_back(parsed);
      return true;
    };
    header = nlohmann::json::parse(all.substr(8, length), refuse_duplicates);
    data = all.substr(8 + length);
    require_no_gaps();
  }

  const nlohmann::json& tensor(const std::string& name) const { return header.at(name); }
  std::size_t begin(const std::string& name) const {
    return tensor(name).at("data_offsets").at(0).get<std::size_t>();
  }
  std::size_t size(const std::string& name) const {
    return tensor(name).at("data_offsets").at(1).get<std::size_t>() - begin(name);
  }
  /// The values of a tensor as their bits say.
  template <class T>
  std::vector<T> values(const std::string& name) const {
    std::vector<T> out(size(name) / sizeof(T));
    std::memcpy(out.data(), &data[begin(name)], out.size() * sizeof(T));
    return out;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, tensor] : header.items()) {
      if (name != "__metadata__") {
        all.push_back(name);
      }
    }
    return all;
  }

 private:
  void require_no_gaps() const {
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (const std::string& name : names()) {
      const auto type = tensor(name).at("dtype").get<std::string>();
      std::size_t bytes = type == "U8" ? 1 : type == "I64" ? 8 : type.find("16") <= 2 ? 2 : 4;
      for (const nlohmann::json& dimension : tensor(name).at("shape")) {
        bytes *= dimension.get<std::size_t>();
      }
      if (bytes != size(name)) {
        throw std::runtime_error(name + " has another size than its shape");
      }
      spans.emplace_back(begin(name), begin(name) + size(name));
    }
    std::sort(spans.begin(), spans.end());
    std::size_t end = 0;
    for (const auto& [first, last] : spans) {
      if (first != end) {
        throw std::runtime_error("gap or overlap at " + std::to_string(first));
      }
      end = last;
    }
    if (end != data.size()) {
      throw std::runtime_error("the data does not end where the last tensor does");
    }
  }
};

}  // namespace perf::workloads
