#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/parquet_parts.h"

namespace perf::workloads {

namespace {

constexpr std::uint64_t kValuesAlignment = 64;

std::string four_bytes(std::uint64_t number) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(number >> shift & 0xff);
  }
  return bytes;
}

// A run of equal levels of one bit, as Encodings.md of the format has it.
std::string level_run(std::uint64_t count, char level) {
  std::string bytes;
  for (count <<= 1; count >= 0x80; count >>= 7) {
    bytes += static_cast<char>(count | 0x80);
  }
  return bytes + static_cast<char>(count) + level;
}

// Of one row: the list begins at the first value (repetition 0). An empty one is a value that is
// not there (definition 0).
std::string page_levels(std::uint64_t values) {
  const std::string repetition = level_run(1, 0) + (values > 1 ? level_run(values - 1, 1) : "");
  const std::string definition = values > 0 ? level_run(values, 1) : level_run(1, 0);
  return four_bytes(repetition.size()) + repetition + four_bytes(definition.size()) + definition;
}

std::string modality(const std::string& name) {
  constexpr std::pair<const char*, const char*> kWords[] = {{"vision", "vision"},
                                                            {"visual", "vision"},
                                                            {"image", "vision"},
                                                            {"audio", "audio"},
                                                            {"speech", "audio"}};
  for (const auto& [word, found] : kWords) {
    if (name.find(word) != std::string::npos) {
      return found;
    }
  }
  return "text";
}

parquet::SchemaElement schema_element(const std::string& name, const ParquetColumn& column) {
  parquet::SchemaElement element;
  element.name = name;
  element.__set_type(column.type);
  element.__set_repetition_type(parquet::Repetition::REPEATED);
  if (column.type == parquet::Type::FIXED_LEN_BYTE_ARRAY) {
    element.__set_type_length(static_cast<std::int32_t>(column.value_bytes));
  }
  if (column.is_half) {
    parquet::LogicalType half;
    half.__set_FLOAT16({});
    element.__set_logicalType(half);
  }
  return element;
}

// The page's header and levels, which stand before its values.
std::string page_start(const SafetensorsEntry& tensor, std::uint64_t values) {
  const std::string before = page_levels(values);
  const std::uint64_t bytes = before.size() + tensor.bytes();
  if (bytes > std::numeric_limits<std::int32_t>::max()) {
    throw BadCheckpoint("a tensor too large for a Parquet file",
                        printable(tensor.name) + ": " + std::to_string(tensor.bytes()) +
                            " bytes, a page has less than 2 GiB",
                        "the container safetensors");
  }
  parquet::PageHeader header;
  header.type = parquet::PageType::DATA_PAGE;
  header.uncompressed_page_size = header.compressed_page_size = static_cast<std::int32_t>(bytes);
  parquet::DataPageHeader page;
  page.num_values = static_cast<std::int32_t>(std::max<std::uint64_t>(values, 1));
  page.encoding = parquet::Encoding::PLAIN;
  page.definition_level_encoding = page.repetition_level_encoding = parquet::Encoding::RLE;
  header.__set_data_page_header(page);
  return encode_compact(header) + before;
}

parquet::KeyValue key_value(const std::string& key, const std::string& value) {
  parquet::KeyValue pair;
  pair.key = key;
  pair.__set_value(value);
  return pair;
}

}  // namespace

ParquetColumn parquet_column(const SafetensorsEntry& tensor) {
  const std::uint64_t bytes = tensor.bytes();
  for (const auto& [dtype, type, value_bytes] :
       {std::tuple("F32", parquet::Type::FLOAT, 4U), std::tuple("F64", parquet::Type::DOUBLE, 8U),
        std::tuple("I32", parquet::Type::INT32, 4U), std::tuple("I64", parquet::Type::INT64, 8U)}) {
    if (tensor.type == dtype) {
      return {type, value_bytes, false};
    }
  }
  if (tensor.type == "F16") {
    return {parquet::Type::FIXED_LEN_BYTE_ARRAY, 2, true};
  }
  std::uint64_t rows = bytes == 0 ? 0 : 1;
  for (std::size_t i = 0; rows > 0 && i + 1 < tensor.shape.size(); ++i) {
    rows *= tensor.shape[i];
  }
  const bool whole = rows > 0 && bytes % rows == 0;  // none of 4 bits that ends within a byte
  return {parquet::Type::FIXED_LEN_BYTE_ARRAY, whole ? bytes / rows : 1, false};
}

TensorFileLayout parquet_layout(const std::vector<SafetensorsEntry>& tensors,
                                const std::map<std::string, std::string>& metadata) {
  TensorFileLayout layout;
  parquet::FileMetaData file;
  file.version = 1;
  file.num_rows = 1;
  file.__set_created_by("perf-workloads");
  file.schema.resize(1);
  file.schema[0].name = "model";
  file.schema[0].__set_num_children(static_cast<std::int32_t>(tensors.size()));
  file.row_groups.resize(1);
  parquet::RowGroup& group = file.row_groups[0];
  group.num_rows = 1;
  group.total_byte_size = 0;
  nlohmann::json described = nlohmann::json::object();
  std::string before = kParquetMagic;
  for (const SafetensorsEntry& tensor : tensors) {
    if (described.contains(tensor.name)) {
      throw std::invalid_argument("a Parquet file has each name once: " + tensor.name);
    }
    described[tensor.name] = {
        {"dtype", tensor.type}, {"shape", tensor.shape}, {"modality", modality(tensor.name)}};
    const ParquetColumn column = parquet_column(tensor);
    file.schema.push_back(schema_element(tensor.name, column));
    const std::uint64_t values = tensor.bytes() / column.value_bytes;
    const std::string start = page_start(tensor, values);
    const std::uint64_t end = layout.bytes + before.size() + start.size();
    before.resize(before.size() + (kValuesAlignment - end % kValuesAlignment) % kValuesAlignment);
    const std::uint64_t place = layout.bytes + before.size();

    parquet::ColumnMetaData data;
    data.type = column.type;
    data.encodings = {parquet::Encoding::PLAIN, parquet::Encoding::RLE};
    data.path_in_schema = {tensor.name};
    data.codec = parquet::Codec::UNCOMPRESSED;
    data.num_values = static_cast<std::int64_t>(std::max<std::uint64_t>(values, 1));
    data.total_uncompressed_size = data.total_compressed_size =
        static_cast<std::int64_t>(start.size() + tensor.bytes());
    data.data_page_offset = static_cast<std::int64_t>(place);
    group.total_byte_size += data.total_compressed_size;
    parquet::ColumnChunk chunk;
    chunk.file_offset = data.data_page_offset;
    chunk.__set_meta_data(data);
    group.columns.push_back(std::move(chunk));

    layout.around.emplace_back(layout.bytes, before + start);
    layout.begins.push_back(place + start.size());
    layout.bytes = layout.begins.back() + tensor.bytes();
    before.clear();
  }
  std::vector<parquet::KeyValue> pairs = {key_value(kParquetTensors, described.dump())};
  for (const auto& [key, value] : metadata) {
    if (key == kParquetTensors) {
      throw std::invalid_argument("metadata of a Parquet file cannot be named " + key);
    }
    pairs.push_back(key_value(key, value));
  }
  file.__set_key_value_metadata(pairs);
  const std::string footer = encode_compact(file);
  layout.around.emplace_back(layout.bytes,
                             before + footer + four_bytes(footer.size()) + kParquetMagic);
  layout.bytes += layout.around.back().second.size();
  return layout;
}

}  // namespace perf::workloads
