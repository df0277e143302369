#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/bounded_json.h"
#include "workloads/model/parquet_parts.h"

namespace perf::workloads {

namespace {

constexpr std::uint64_t kMagicBytes = 4, kEndBytes = 8;  // of the file: the footer's length, magic
constexpr std::uint64_t kMostFooter = 16 << 20;
constexpr int kMostLevels = 16;  // of groups in the schema

class FooterReader {
 public:
  FooterReader(std::uint64_t file_bytes, const ReadBytes& read, const std::string& path)
      : file_bytes_(file_bytes), read_(read), path_(path) {}

  SafetensorsContents contents() {
    read_footer();
    add_leaves(0, {});
    if (next_ != footer_.schema.size()) {
      refuse_parquet(path_, "", "its schema has elements that belong to no group");
    }
    read_metadata();
    if (footer_.row_groups.size() != 1) {
      unsupported_parquet(path_, "", std::to_string(footer_.row_groups.size()) + " row groups");
    }
    const std::vector<parquet::ColumnChunk>& chunks = footer_.row_groups[0].columns;
    if (chunks.size() != leaves_.size()) {
      refuse_parquet(path_, "",
                     std::to_string(chunks.size()) + " column chunks for " +
                         std::to_string(leaves_.size()) + " columns");
    }
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      read_column(leaves_[i], chunks[i]);
    }
    require_apart();
    for (const auto& [name, described] : tensors_.items()) {
      if (names_.count(name) == 0) {
        refuse_parquet(path_, name, "described in the metadata, but there is no such column");
      }
    }
    return std::move(contents_);
  }

 private:
  void read_footer() {
    if (file_bytes_ < kMagicBytes + kEndBytes) {
      refuse_parquet(path_, "", std::to_string(file_bytes_) + " bytes, shorter than any");
    }
    char end[kEndBytes];
    read_(file_bytes_ - kEndBytes, end, kEndBytes);
    if (std::string(end + 4, 4) != kParquetMagic) {
      refuse_parquet(path_, "", "it does not end with the format's magic bytes");
    }
    const std::uint64_t length = parquet_number(end), room = file_bytes_ - kMagicBytes - kEndBytes;
    if (length > room) {
      refuse_parquet(path_, "",
                     "a footer of " + std::to_string(length) + " bytes in a file of " +
                         std::to_string(file_bytes_));
    }
    if (length > kMostFooter) {
      unsupported_parquet(path_, "",
                          "a footer of " + std::to_string(length) + " bytes, more than 16 MiB");
    }
    footer_begin_ = file_bytes_ - kEndBytes - length;
    std::string bytes(length, '\0');
    read_(footer_begin_, bytes.data(), bytes.size());
    try {
      decode_compact(bytes, footer_);
    } catch (const apache::thrift::TException& error) {
      refuse_parquet(path_, "",
                     std::string("its footer is broken (") + printable(error.what()) + ")");
    }
  }

  // The schema is a tree in the order of depth first.
  void add_leaves(int level, ParquetLeaf leaf) {
    if (next_ == footer_.schema.size() || level > kMostLevels) {
      refuse_parquet(path_, "", "its schema has fewer elements than it says, or too many levels");
    }
    const parquet::SchemaElement& element = footer_.schema[next_++];
    leaf.element = &element;
    if (level > 0) {
      leaf.path.push_back(element.name);
      leaf.empty =
          element.repetition_type == parquet::Repetition::REPEATED ? leaf.definition : leaf.empty;
      leaf.definition += element.repetition_type != parquet::Repetition::REQUIRED;
      leaf.repetition += element.repetition_type == parquet::Repetition::REPEATED;
    }
    if (element.__isset.type && level > 0) {
      leaves_.push_back(std::move(leaf));
      return;
    }
    if (element.num_children < 0 || (element.num_children == 0 && level > 0)) {
      refuse_parquet(path_, element.name, "a group without columns");
    }
    for (std::int32_t i = 0; i < element.num_children; ++i) {
      add_leaves(level + 1, leaf);
    }
  }

  // All text is UTF-8, as in a safetensors file.
  void require_text(const std::string& text) const {
    try {
      static_cast<void>(nlohmann::json(text).dump());
    } catch (const nlohmann::json::exception&) {
      refuse_parquet(path_, text, "a name or value that is not UTF-8");
    }
  }

  void read_metadata() {
    std::set<std::string> keys;
    for (const parquet::KeyValue& pair : footer_.key_value_metadata) {
      require_text(pair.key);
      require_text(pair.value);
      if (!keys.insert(pair.key).second) {
        refuse_parquet(path_, pair.key, "a key comes twice in the metadata");
      }
      if (pair.key != kParquetTensors) {
        contents_.metadata[pair.key] = pair.value;
        continue;
      }
      const auto fail = [&](const std::string& why) { refuse_parquet(path_, pair.key, why); };
      tensors_ = bounded_json(pair.value, 3, fail);
      if (!tensors_.is_object()) {
        fail("its value is no JSON object");
      }
    }
  }

  void read_column(const ParquetLeaf& leaf, const parquet::ColumnChunk& chunk) {
    const std::string& name = leaf.path.front();
    require_text(name);
    if (!names_.insert(name).second) {
      refuse_parquet(path_, name, "a name comes twice");
    }
    const parquet::ColumnMetaData& data = chunk.meta_data;
    if (!chunk.__isset.meta_data || chunk.__isset.file_path) {
      unsupported_parquet(path_, name, "a column chunk in another file, or encrypted");
    }
    if (data.type != leaf.element->type || data.path_in_schema != leaf.path) {
      refuse_parquet(path_, name, "its column chunk is of another column");
    }
    if (data.codec != parquet::Codec::UNCOMPRESSED) {
      unsupported_parquet(path_, name, "compressed (codec " + std::to_string(data.codec) + ")");
    }
    if (data.__isset.dictionary_page_offset) {
      unsupported_parquet(path_, name, "a dictionary");
    }
    PlacedTensor tensor{described(leaf), 0, 0};
    place(leaf, data, tensor);
    if (tensor.entry.type.empty()) {
      unsupported_parquet(path_, name,
                          "a column of type " + std::to_string(data.type) +
                              " without a dtype in the metadata 'tensors'");
    }
    require_whole(tensor, footer_begin_, path_);
    contents_.tensors.push_back(std::move(tensor));
  }

  void place(const ParquetLeaf& leaf, const parquet::ColumnMetaData& data, PlacedTensor& tensor) {
    const std::string& name = tensor.entry.name;
    const auto begin = static_cast<std::uint64_t>(data.data_page_offset);
    const auto bytes = static_cast<std::uint64_t>(data.total_compressed_size);
    if (data.data_page_offset < static_cast<std::int64_t>(kMagicBytes) ||
        data.total_compressed_size < 0 || begin > footer_begin_ || bytes > footer_begin_ - begin) {
      refuse_parquet(path_, name,
                     "its " + std::to_string(data.total_compressed_size) + " bytes at " +
                         std::to_string(data.data_page_offset) + " lie outside of the data");
    }
    pages_.emplace_back(begin, begin + bytes, name);
    const ParquetPage page(read_, path_, leaf, begin, begin + bytes);
    const std::int64_t rows = footer_.row_groups[0].num_rows;
    if (page.listed != data.num_values || (leaf.repetition == 0 && page.listed != rows)) {
      refuse_parquet(path_, name,
                     std::to_string(page.listed) + " values in its page, " +
                         std::to_string(data.num_values) + " in its column chunk, " +
                         std::to_string(rows) + " rows");
    }
    const std::uint64_t each = value_bytes(*leaf.element), all = page.end - page.begin;
    if (all % each != 0 || all / each != page.values) {
      refuse_parquet(path_, name,
                     "its page has " + std::to_string(all) + " bytes for " +
                         std::to_string(page.values) + " values of " + std::to_string(each));
    }
    tensor.begin = page.begin;
    tensor.end = page.end;
    if (tensors_.is_null()) {
      tensor.entry.shape = {page.values};
    }
  }

  static std::uint64_t value_bytes(const parquet::SchemaElement& element) {
    switch (element.type) {
      case parquet::Type::INT32:
      case parquet::Type::FLOAT:
        return 4;
      case parquet::Type::INT64:
      case parquet::Type::DOUBLE:
        return 8;
      case parquet::Type::FIXED_LEN_BYTE_ARRAY:
        return static_cast<std::uint64_t>(std::max(element.type_length, 0));
      default:
        return 0;
    }
  }

  // The tensor's dtype and shape, of the metadata where the file has them.
  SafetensorsEntry described(const ParquetLeaf& leaf) const {
    SafetensorsEntry entry{leaf.path.front(), "", {}};
    const parquet::SchemaElement& element = *leaf.element;
    if (value_bytes(element) == 0) {
      unsupported_parquet(path_, entry.name, "values of type " + std::to_string(element.type));
    }
    for (const char* dtype : {"F32", "F64", "I32", "I64", "F16"}) {
      const ParquetColumn column = parquet_column({"", dtype, {1}});
      if (column.type == element.type && column.value_bytes == value_bytes(element) &&
          column.is_half == element.logicalType.__isset.FLOAT16) {
        entry.type = dtype;
      }
    }
    if (tensors_.is_null()) {
      return entry;
    }
    const auto found = tensors_.find(entry.name);
    if (found == tensors_.end() || !found->is_object() || !found->contains("dtype") ||
        !(*found)["dtype"].is_string() || !found->contains("shape") ||
        !(*found)["shape"].is_array()) {
      refuse_parquet(path_, entry.name, "no dtype and shape in the metadata 'tensors'");
    }
    const auto dtype = (*found)["dtype"].get<std::string>();
    if (!entry.type.empty() && entry.type != dtype) {
      refuse_parquet(path_, entry.name,
                     "dtype " + printable(dtype) + " in a column of " + entry.type);
    }
    entry.type = dtype;
    for (const nlohmann::json& dimension : (*found)["shape"]) {
      if (!dimension.is_number_unsigned()) {
        refuse_parquet(path_, entry.name, "a shape is a list of whole numbers");
      }
      entry.shape.push_back(dimension.get<std::size_t>());
    }
    return entry;
  }

  void require_apart() {
    std::sort(pages_.begin(), pages_.end());
    std::uint64_t end = kMagicBytes;
    for (const auto& [begin, after, name] : pages_) {
      if (begin < end) {
        refuse_parquet(path_, name,
                       "its bytes at " + std::to_string(begin) +
                           " overlap the column before, which ends at " + std::to_string(end));
      }
      end = after;
    }
    std::sort(contents_.tensors.begin(), contents_.tensors.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
  }

  const std::uint64_t file_bytes_;
  const ReadBytes& read_;
  const std::string& path_;
  std::uint64_t footer_begin_ = 0;
  parquet::FileMetaData footer_;
  std::size_t next_ = 0;  // of the schema
  std::vector<ParquetLeaf> leaves_;
  nlohmann::json tensors_;  // null where the file does not describe them
  std::set<std::string> names_;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string>> pages_;
  SafetensorsContents contents_;
};

}  // namespace

void refuse_parquet(const std::string& path, const std::string& column, const std::string& why) {
  throw BadCheckpoint("a broken Parquet file",
                      path + (column.empty() ? "" : ", " + printable(column)) + ": " + why,
                      "copying or downloading it again: it may have been cut short");
}

void unsupported_parquet(const std::string& path, const std::string& column,
                         const std::string& what) {
  throw BadCheckpoint("unsupported Parquet file",
                      path + (column.empty() ? "" : ", " + printable(column)) + ": " + what,
                      "one row group, plain encoding, no compression, one data page a column");
}

std::uint32_t parquet_number(const char* bytes) {
  std::uint32_t number = 0;
  for (int i = 3; i >= 0; --i) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

SafetensorsContents read_parquet(std::uint64_t file_bytes, const ReadBytes& read,
                                 const std::string& path) {
  return FooterReader(file_bytes, read, path).contents();
}

}  // namespace perf::workloads
