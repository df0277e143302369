#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/model/tensor_reader.h"

namespace perf::workloads {

/// The files of a checkpoint of any model, opened, and where its tensors lie in them: a folder with
/// model.safetensors (or model.safetensors.index.json and the files that it names, or
/// model.parquet), or one such file. Of files with an index, what the index does not name is not there.
class CheckpointFiles {
 public:
  /// Throws BadCheckpoint, naming file and tensor: what TensorReader throws; a folder without
  /// a checkpoint; an index that is none, that names files elsewhere, or a tensor that is not in
  /// the file that it names.
  explicit CheckpointFiles(const std::string& path);

  struct Place {
    const TensorReader* file;
    const MappedTensor* tensor;  ///< mapped as long as the object lives
  };
  const std::map<std::string, Place>& places() const { return places_; }  ///< by tensor
  /// Null if there is no tensor of that name.
  const Place* find(const std::string& name) const;

  const std::vector<std::unique_ptr<TensorReader>>& files() const { return files_; }
  std::vector<std::string> paths() const;
  std::uint64_t file_bytes() const;  ///< of all files

  /// config.json beside them, whether or not there is one.
  const std::string& config() const { return config_; }
  bool has_index() const { return has_index_; }
  /// Whether it is a single file, beside an index that may name more.
  bool is_part() const { return is_part_; }

 private:
  void open_folder(const std::string& folder);
  void open_file(const std::string& path);
  void open_shards(const std::string& index);

  std::vector<std::unique_ptr<TensorReader>> files_;
  std::map<std::string, Place> places_;
  std::string config_;
  bool has_index_ = false, is_part_ = false;
};

}  // namespace perf::workloads
