#include <algorithm>
#include <bit>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/parquet_parts.h"

namespace perf::workloads {

namespace {

constexpr std::uint64_t kMostPageHeader = 64 << 10;

}  // namespace

ParquetPage::ParquetPage(const ReadBytes& read, const std::string& path, const ParquetLeaf& leaf,
                         std::uint64_t chunk_begin, std::uint64_t chunk_end)
    : begin(chunk_begin), end(chunk_end), read_(read), path_(path), leaf_(leaf) {
  std::string start(std::min(end - begin, kMostPageHeader), '\0');
  read_(begin, start.data(), start.size());
  parquet::PageHeader page;
  try {
    begin += decode_compact(start, page);
  } catch (const apache::thrift::TException& error) {
    refuse("its page header at " + std::to_string(begin) + " is broken (" +
           printable(error.what()) + ")");
  }
  const std::uint64_t room = end - begin;
  const auto bytes = static_cast<std::uint64_t>(page.compressed_page_size);
  if (page.compressed_page_size < 0 || bytes > room ||
      page.uncompressed_page_size != page.compressed_page_size) {
    refuse("its page of " + std::to_string(page.compressed_page_size) + " bytes at " +
           std::to_string(begin) + " does not fit into the column chunk");
  }
  if (bytes < room) {
    unsupported_parquet(path_, leaf_.path.front(), "more than one page");
  }
  std::int32_t encoding = parquet::Encoding::PLAIN;
  std::string definition;
  if (page.type == parquet::PageType::DATA_PAGE && page.__isset.data_page_header) {
    const parquet::DataPageHeader& header = page.data_page_header;
    if (header.repetition_level_encoding != parquet::Encoding::RLE ||
        header.definition_level_encoding != parquet::Encoding::RLE) {
      unsupported_parquet(path_, leaf_.path.front(), "an encoding of levels other than RLE");
    }
    listed = header.num_values;
    encoding = header.encoding;
    if (leaf_.repetition > 0) {
      take_with_length();
    }
    definition = leaf_.definition > 0 ? take_with_length() : "";
  } else if (page.type == parquet::PageType::DATA_PAGE_V2 && page.__isset.data_page_header_v2) {
    const parquet::DataPageHeaderV2& header = page.data_page_header_v2;
    if (header.repetition_levels_byte_length < 0 || header.definition_levels_byte_length < 0) {
      refuse("levels of a negative length");
    }
    listed = header.num_values;
    encoding = header.encoding;
    take(static_cast<std::uint64_t>(header.repetition_levels_byte_length));
    definition = take(static_cast<std::uint64_t>(header.definition_levels_byte_length));
  } else {
    unsupported_parquet(path_, leaf_.path.front(), "a page of type " + std::to_string(page.type));
  }
  if (encoding != parquet::Encoding::PLAIN) {
    unsupported_parquet(path_, leaf_.path.front(), "encoding " + std::to_string(encoding));
  }
  count_values(definition);
}

void ParquetPage::refuse(const std::string& why) const {
  refuse_parquet(path_, leaf_.path.front(), why);
}

std::string ParquetPage::take(std::uint64_t count) {
  if (count > end - begin) {
    refuse("levels of " + std::to_string(count) + " bytes at " + std::to_string(begin) +
           " go beyond its page");
  }
  std::string bytes(count, '\0');
  read_(begin, bytes.data(), bytes.size());
  begin += count;
  return bytes;
}

// In version 1 of pages the length stands before the levels.
std::string ParquetPage::take_with_length() {
  const std::string length = take(4);
  return take(parquet_number(length.data()));
}

// All are there, or none of an empty list. Repetition levels do not matter: values lie in the
// tensor's order, whatever rows and lists they are in.
void ParquetPage::count_values(const std::string& definition) {
  if (listed < 0) {
    refuse(std::to_string(listed) + " values in its page");
  }
  if (leaf_.definition == 0 || are_all(definition, leaf_.definition)) {
    values = static_cast<std::uint64_t>(listed);
  } else if (leaf_.repetition == 0 || listed != 1 || !are_all(definition, leaf_.empty)) {
    unsupported_parquet(path_, leaf_.path.front(), "nulls");
  }
}

// Whether the levels of the listed values are all this one: runs, as Encodings.md of the format has
// them.
bool ParquetPage::are_all(const std::string& runs, unsigned level) const {
  const auto width = static_cast<unsigned>(std::bit_width(leaf_.definition));  // at most 5
  const auto count = static_cast<std::uint64_t>(listed);
  std::size_t at = 0;
  const auto next = [&] {
    if (at == runs.size()) {
      refuse("fewer levels than values");
    }
    return static_cast<unsigned char>(runs[at++]);
  };
  for (std::uint64_t done = 0; done < count;) {
    std::uint64_t header = 0;
    for (unsigned shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      if (shift > 28) {
        refuse("a run of levels that is too long");
      }
      byte = next();
      header |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    }
    const std::uint64_t length = header >> 1;
    if (header % 2 == 0) {
      if (next() != level && length > 0) {
        return false;
      }
      done += length;
      continue;
    }
    std::uint64_t bits = 0;
    unsigned held = 0;
    for (std::uint64_t left = 8 * length; left > 0 && done < count; --left, ++done) {
      for (; held < width; held += 8) {
        bits |= static_cast<std::uint64_t>(next()) << held;
      }
      if ((bits & ((1U << width) - 1)) != level) {
        return false;
      }
      bits >>= width;
      held -= width;
    }
  }
  return true;
}

}  // namespace perf::workloads
