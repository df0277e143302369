#include "workloads/commands/output_file.h"

#include <filesystem>

#include "workloads/model/tensor_writer.h"
#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

void require_folder(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code unknown;
  if (!folder.empty() && !std::filesystem::is_directory(folder, unknown)) {
    throw Error("no such folder", folder.string(), "mkdir -p " + folder.string());
  }
}

}  // namespace

void require_writable(const std::string& file, bool force) {
  require_folder(file);
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) {
    return;
  }
  if (!std::filesystem::is_regular_file(file, unknown)) {
    throw Error("not a file to replace", file, "another name");
  }
  if (!force) {
    throw Error("the file exists already", file, "another name, or --force to replace it");
  }
}

bool take_force(std::map<std::string, std::string>& options) {
  const auto found = options.find("force");
  if (found == options.end()) {
    return false;
  }
  const bool force = found->second == "on";
  if (!force && found->second != "off") {
    throw Error("not an accepted value", "--force " + found->second, "on or off");
  }
  options.erase(found);
  return force;
}

std::uint64_t write_tensors(const std::vector<NamedTensor>& tensors, const std::string& verb,
                            const std::string& file) {
  std::vector<SafetensorsEntry> entries;
  std::uint64_t bytes = 0;
  for (const NamedTensor& tensor : tensors) {
    entries.push_back({tensor.name, tensor.integers.empty() ? "F32" : "I32", tensor.shape});
    bytes += entries.back().bytes();
  }
  TensorWriter out(file, safetensors_header(entries, {{"made_by", "perf-workloads " + verb}}),
                        bytes);
  for (const NamedTensor& tensor : tensors) {
    if (tensor.integers.empty()) {
      out.append(tensor.floats.data(), tensor.floats.size() * sizeof(float));
    } else {
      out.append(tensor.integers.data(), tensor.integers.size() * sizeof(std::int32_t));
    }
  }
  out.finish();
  return bytes;
}

}  // namespace perf::workloads
