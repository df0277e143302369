#include "workloads/model/parquet.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/parquet_parts.h"
#include "workloads/model/tensor_reader.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

class Parquet : public testing::Test {
 protected:
  ~Parquet() override { fs::remove(path_); }

  /// A tensor's bytes are 1, 2, 3, ...
  static std::string data_of(const SafetensorsEntry& tensor) {
    std::string bytes(tensor.bytes(), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<char>(i + 1);
    }
    return bytes;
  }

  void write_tensors(const std::vector<SafetensorsEntry>& tensors,
                     const std::map<std::string, std::string>& metadata) const {
    const TensorFileLayout layout = parquet_layout(tensors, metadata);
    TensorWriter file(path_, layout);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::string bytes = data_of(tensors[i]);
      file.put(layout.begins[i], bytes.data(), bytes.size());
    }
    file.finish();
  }

  void write_text(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  std::string refusal(const std::string& text) const {
    write_text(text);
    try {
      const TensorReader file(path_);
    } catch (const BadCheckpoint& error) {
      EXPECT_EQ(error.subject.find(path_), 0U) << error.subject;
      EXPECT_FALSE(error.hint.empty());
      return error.what();
    }
    return "nothing";
  }

  const std::string path_ = testing::TempDir() + "parquet_test_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
};

/// A file of the column "w", with the values 1.0 and 2.0 in a list, by another hand than the one
/// under test.
struct HandmadeFile {
  parquet::FileMetaData footer;
  parquet::PageHeader page;
  std::string body =
      std::string("\4\0\0\0\2\0\2\1\2\0\0\0\4\1", 14) + std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  std::uint64_t page_bytes = 0;

  explicit HandmadeFile(const std::function<void(HandmadeFile&)>& change) {
    parquet::SchemaElement root, element;
    root.__set_num_children(1);
    element.name = "w";
    element.__set_type(parquet::Type::FLOAT);
    element.__set_repetition_type(parquet::Repetition::REPEATED);
    footer.schema = {root, element};
    footer.version = 1;
    footer.num_rows = 1;
    page.type = parquet::PageType::DATA_PAGE;
    parquet::DataPageHeader header;
    header.num_values = 2;
    header.encoding = parquet::Encoding::PLAIN;
    header.definition_level_encoding = parquet::Encoding::RLE;
    header.repetition_level_encoding = parquet::Encoding::RLE;
    page.__set_data_page_header(header);
    page.uncompressed_page_size = page.compressed_page_size =
        static_cast<std::int32_t>(body.size());
    parquet::ColumnMetaData data;
    data.type = parquet::Type::FLOAT;
    data.path_in_schema = {"w"};
    data.codec = parquet::Codec::UNCOMPRESSED;
    data.num_values = 2;
    data.data_page_offset = 4;
    data.total_compressed_size = -1;  // as the page is large
    parquet::ColumnChunk chunk;
    chunk.__set_meta_data(data);
    footer.row_groups.resize(1);
    footer.row_groups[0].columns = {chunk};
    footer.row_groups[0].num_rows = 1;
    change(*this);
  }

  parquet::ColumnChunk& chunk() { return footer.row_groups[0].columns[0]; }
  parquet::ColumnMetaData& data() { return chunk().meta_data; }
  parquet::SchemaElement& column() { return footer.schema[1]; }
  parquet::DataPageHeader& header() { return page.data_page_header; }
  void resize_page() {
    page.uncompressed_page_size = page.compressed_page_size =
        static_cast<std::int32_t>(body.size());
  }
  void describe(const std::string& json) {
    parquet::KeyValue pair;
    pair.key = "tensors";
    pair.__set_value(json);
    footer.key_value_metadata.push_back(pair);
    footer.__isset.key_value_metadata = true;
  }

  std::string text() {
    const std::string start = encode_compact(page) + body;
    for (parquet::ColumnChunk& one : footer.row_groups[0].columns) {
      if (one.meta_data.total_compressed_size == -1) {
        one.meta_data.total_compressed_size = static_cast<std::int64_t>(start.size());
      }
    }
    return with_footer("PAR1" + start, encode_compact(footer));
  }

  static std::string with_footer(std::string text, const std::string& footer) {
    text += footer;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      text += static_cast<char>(footer.size() >> shift & 0xff);
    }
    return text + "PAR1";
  }
};

TEST_F(Parquet, ReadsWhatItWrote) {
  const std::vector<SafetensorsEntry> tensors = {
      {"f32", "F32", {2, 3}},     {"model.half", "F16", {5}}, {"bf16", "BF16", {4, 2}},
      {"codes", "U8", {3, 7}},    {"I64", "I64", {1}},        {"f64", "F64", {2, 1, 2}},
      {"4 bits", "F4", {2, 3}},   {"scalar", "F32", {}},      {"i32", "I32", {2}},
      {"empty", "F32", {0, 4}},   {"no bytes", "U8", {4, 0}}, {"bool", "BOOL", {300}},
      {"\xc3\xa9\"", "F32", {1}}, {"wide", "BF16", {1, 9}}};
  const std::map<std::string, std::string> metadata = {{"format", "pt"}, {"", "\"\n"}};
  write_tensors(tensors, metadata);
  const TensorReader file(path_);
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  std::ifstream bytes(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(bytes), {}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const MappedTensor& found = file.tensors()[i];
    EXPECT_EQ(found.entry.name, tensors[i].name);
    EXPECT_EQ(found.entry.type, tensors[i].type) << tensors[i].name;
    EXPECT_EQ(found.entry.shape, tensors[i].shape) << tensors[i].name;
    const std::string data = data_of(tensors[i]);
    std::string copied(found.bytes, '\0');
    file.copy(found, 0, copied.size(), reinterpret_cast<std::byte*>(copied.data()));
    EXPECT_EQ(copied, data) << tensors[i].name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.data) % 64, 0U) << tensors[i].name;
  }
  std::vector<float> values(6);
  file.read(*file.find("f32"), 0, 6, values.data());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(values.data()), 24), data_of(tensors[0]));
}

TEST_F(Parquet, HoldsNoTensorsAndMany) {
  write_tensors({}, {});
  EXPECT_TRUE(TensorReader(path_).tensors().empty());
  std::vector<SafetensorsEntry> many;
  for (int i = 0; i < 3000; ++i) {
    many.push_back({"model.layers." + std::to_string(i), "BF16", {2}});
  }
  write_tensors(many, {});
  EXPECT_EQ(TensorReader(path_).tensors().size(), many.size());
}

TEST_F(Parquet, NamesTheModalityOfATensor) {
  const TensorFileLayout layout = parquet_layout(
      {{"vision_tower.q", "F32", {1}}, {"audio.k", "F32", {1}}, {"v", "F32", {1}}}, {});
  const std::string& footer = layout.around.back().second;
  for (const char* wanted : {R"("vision_tower.q":{"dtype":"F32","modality":"vision","shape":[1]})",
                             R"("audio.k":{"dtype":"F32","modality":"audio","shape":[1]})",
                             R"("v":{"dtype":"F32","modality":"text","shape":[1]})"}) {
    EXPECT_NE(footer.find(wanted), std::string::npos) << wanted;
  }
}

TEST_F(Parquet, WritesNoNameTwiceAndNoPageOf2GiB) {
  EXPECT_THROW(parquet_layout({{"w", "F32", {1}}, {"w", "F32", {1}}}, {}), std::invalid_argument);
  EXPECT_THROW(parquet_layout({{"w", "F33", {1}}}, {}), std::invalid_argument);
  EXPECT_THROW(parquet_layout({}, {{"tensors", ""}}), std::invalid_argument);
  EXPECT_THROW(parquet_layout({{"w", "F32", {1U << 29}}}, {}), BadCheckpoint);
  EXPECT_NO_THROW(parquet_layout({{"w", "F32", {(1U << 29) - 10}}}, {}));
}

// Written by hyparquet-writer 0.17.0: optional groups of lists, data pages of version 2.
TEST_F(Parquet, ReadsWhatHyparquetWrote) {
  const TensorReader file(PERF_SOURCE_DIR "/tests/workloads/model/files/hyparquet_writer.parquet");
  const MappedTensor* w = file.find("w");
  const MappedTensor* codes = file.find("codes");
  ASSERT_TRUE(w != nullptr && codes != nullptr);
  EXPECT_EQ(w->entry.shape, (std::vector<std::size_t>{2, 2}));
  std::vector<float> values(4);
  file.read(*w, 0, 4, values.data());
  EXPECT_EQ(values, (std::vector<float>{1, 2.5, -3, 4}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(codes->data), codes->bytes), "\1\2\3\4\5\6");
}

TEST_F(Parquet, ReadsColumnsThatAreNotDescribed) {
  const auto shape = [&](const std::function<void(HandmadeFile&)>& change) {
    write_text(HandmadeFile(change).text());
    const TensorReader file(path_);
    return file.tensors().at(0).entry.type + " " +
           std::to_string(file.tensors().at(0).entry.shape.at(0));
  };
  EXPECT_EQ(shape([](HandmadeFile&) {}), "F32 2");
  EXPECT_EQ(shape([](HandmadeFile& file) {
              file.column().type = file.data().type = parquet::Type::INT32;
            }),
            "I32 2");
  EXPECT_EQ(shape([](HandmadeFile& file) {  // levels in groups of bits
              file.body.replace(8, 6, std::string("\2\0\0\0\3\3", 6));
            }),
            "F32 2");
  EXPECT_EQ(shape([](HandmadeFile& file) {  // an empty list
              file.body = std::string("\2\0\0\0\2\0\2\0\0\0\2\0", 12);
              file.header().num_values = 1;
              file.data().num_values = 1;
              file.resize_page();
            }),
            "F32 0");
  EXPECT_EQ(shape([](HandmadeFile& file) {  // two rows of one value, without levels
              file.body.erase(0, 14);
              file.resize_page();
              file.column().repetition_type = parquet::Repetition::REQUIRED;
              file.footer.row_groups[0].num_rows = file.footer.num_rows = 2;
            }),
            "F32 2");
}

TEST_F(Parquet, RefusesBrokenAndUnsupportedFilesByTheirPlace) {
  using File = HandmadeFile;
  const std::pair<const char*, std::function<void(File&)>> kCases[] = {
      {"w: compressed (codec 1)", [](File& f) { f.data().codec = 1; }},
      {"w: a dictionary", [](File& f) { f.data().__set_dictionary_page_offset(4); }},
      {"w: encoding 8", [](File& f) { f.header().encoding = 8; }},
      {"w: an encoding of levels", [](File& f) { f.header().definition_level_encoding = 4; }},
      {"w: a page of type 2", [](File& f) { f.page.type = 2; }},
      {"w: a page of type 77", [](File& f) { f.page.type = 77; }},
      {"w: its 39 bytes at -4 lie outside", [](File& f) { f.data().data_page_offset = -4; }},
      {"bytes at 0 lie outside", [](File& f) { f.data().data_page_offset = 0; }},
      {"at 9223372036854775807 lie outside",
       [](File& f) { f.data().data_page_offset = INT64_MAX; }},
      {"w: its 9223372036854775807 bytes",
       [](File& f) { f.data().total_compressed_size = INT64_MAX; }},
      {"w: its -2 bytes", [](File& f) { f.data().total_compressed_size = -2; }},
      {"w: its page header at 4 is broken", [](File& f) { f.data().total_compressed_size = 5; }},
      {"w: 2 values in its page, 3 in its column chunk", [](File& f) { f.data().num_values = 3; }},
      {"w: fewer levels than values", [](File& f) { f.header().num_values = 3; }},
      {"w: -2 values", [](File& f) { f.header().num_values = -2; }},
      {"w: its page has 7 bytes for 2 values of 4",
       [](File& f) {
         f.body.pop_back();
         f.resize_page();
       }},
      {"w: nulls", [](File& f) { f.body[13] = 0; }},
      {"w: levels of 255 bytes at 25 go beyond", [](File& f) { f.body[0] = '\xff'; }},
      {"w: a run of levels that is too long",
       [](File& f) {
         f.body.replace(8, 4, std::string("\6\0\0\0", 4));
         f.body.replace(12, 6, "\xff\xff\xff\xff\xff\xff");
       }},
      {"w: its page of 23 bytes", [](File& f) { f.page.compressed_page_size = 23; }},
      {"w: its page of -1 bytes", [](File& f) { f.page.compressed_page_size = -1; }},
      {"does not fit into the column chunk", [](File& f) { f.page.uncompressed_page_size = 99; }},
      {"w: more than one page",
       [](File& f) { f.page.uncompressed_page_size = f.page.compressed_page_size = 21; }},
      {"2 row groups", [](File& f) { f.footer.row_groups.push_back(f.footer.row_groups[0]); }},
      {"0 column chunks for 1 columns", [](File& f) { f.footer.row_groups[0].columns.clear(); }},
      {"w: a name comes twice",
       [](File& f) {
         f.footer.schema.push_back(f.column());
         f.footer.schema[0].num_children = 2;
         f.footer.row_groups[0].columns.push_back(f.chunk());
       }},
      {"its bytes at 4 overlap the column before, which ends at 43",
       [](File& f) {
         f.footer.schema.push_back(f.column());
         f.footer.schema[0].num_children = 2;
         f.footer.schema[2].name = "v";
         f.footer.row_groups[0].columns.push_back(f.chunk());
         f.footer.row_groups[0].columns[1].meta_data.path_in_schema = {"v"};
       }},
      {"its schema has fewer elements",
       [](File& f) { f.footer.schema[0].num_children = INT32_MAX; }},
      {"a group without columns", [](File& f) { f.footer.schema[0].num_children = -1; }},
      {"elements that belong to no group", [](File& f) { f.footer.schema.push_back(f.column()); }},
      {"or too many levels", [](File& f) { f.footer.schema.assign(60'000, f.footer.schema[0]); }},
      {"w: a column chunk in another file", [](File& f) { f.chunk().__set_file_path("x"); }},
      {"w: its column chunk is of another column",
       [](File& f) {
         f.data().path_in_schema = {"w", "element"};
       }},
      {"w: values of type 6", [](File& f) { f.column().type = f.data().type = 6; }},
      {"w: values of type 7",
       [](File& f) {
         f.column().type = f.data().type = 7;
         f.column().__set_type_length(-4);
       }},
      {"w: a column of type 7 without a dtype",
       [](File& f) {
         f.column().type = f.data().type = 7;
         f.column().__set_type_length(4);
       }},
      {"not UTF-8", [](File& f) { f.column().name = "\xff"; }},
      {"offsets 35 to 43 hold 8 bytes, its shape takes 12",
       [](File& f) { f.describe(R"({"w":{"dtype":"F32","shape":[3]}})"); }},
      {"no such dtype: 'F33'",
       [](File& f) {
         f.column().type = f.data().type = 7;
         f.column().__set_type_length(4);
         f.describe(R"({"w":{"dtype":"F33","shape":[2]}})");
       }},
      {"w: dtype I32 in a column of F32",
       [](File& f) { f.describe(R"({"w":{"dtype":"I32","shape":[2]}})"); }},
      {"w: a shape is a list of whole numbers",
       [](File& f) { f.describe(R"({"w":{"dtype":"F32","shape":[-2]}})"); }},
      {"w: no dtype and shape", [](File& f) { f.describe("{}"); }},
      {"v: described in the metadata, but there is no such column",
       [](File& f) {
         f.describe(R"({"w":{"dtype":"F32","shape":[2]},"v":{"dtype":"F32","shape":[2]}})");
       }},
      {"tensors: its value is no JSON object", [](File& f) { f.describe("{"); }},
      {"tensors: 'w' comes twice", [](File& f) { f.describe(R"({"w":1,"w":2})"); }},
      {"tensors: a key comes twice",
       [](File& f) {
         f.describe("{}");
         f.describe("{}");
       }},
  };
  EXPECT_EQ(refusal(File([](File&) {}).text()), "nothing");
  for (const auto& [wanted, change] : kCases) {
    const std::string found = refusal(File(change).text());
    EXPECT_NE(found.find(wanted), std::string::npos) << "not '" << wanted << "': " << found;
  }
}

TEST_F(Parquet, RefusesBrokenEnds) {
  const std::string whole = HandmadeFile([](HandmadeFile&) {}).text();
  const auto with_end = [&](std::size_t from_end, const std::string& bytes) {
    std::string text = whole;
    return text.replace(text.size() - from_end, bytes.size(), bytes);
  };
  // An i32, then a list of 2^31 - 1 structs.
  const std::string huge = HandmadeFile::with_footer(
      "PAR1", std::string("\x15\2\x19\xfc\xff\xff\xff\xff\7", 9) + std::string(100, '\0'));
  const std::string deep = HandmadeFile::with_footer("PAR1", std::string(100'000, '\x1c'));
  for (const auto& [wanted, text] :
       {std::pair("shorter than any", std::string("PAR1")),
        {"shorter than any", "PAR1\4PAR1"},
        {"magic bytes", whole + "x"},
        {"magic bytes", with_end(4, "PARE")},
        {"a footer of 4278190335 bytes in a file", with_end(8, std::string("\xff\0\0\xff", 4))},
        {"its footer is broken", HandmadeFile::with_footer("PAR1", "")},
        {"its footer is broken", huge},
        {"its footer is broken", deep}}) {
    const std::string found = refusal(text);
    EXPECT_NE(found.find(wanted), std::string::npos) << "not '" << wanted << "': " << found;
  }
}

TEST_F(Parquet, SurvivesCutsAndFlippedBytes) {
  write_tensors({{"f32", "F32", {2, 3}}, {"codes", "U8", {3, 7}}, {"half", "F16", {5}}}, {});
  std::ifstream bytes(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(bytes), {}};
  for (std::size_t size = 4; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)), "nothing") << size;
  }
  std::mt19937 random(7);
  for (std::size_t i = 4; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(random());
    write_text(damaged);
    try {
      const TensorReader file(path_);
      for (const MappedTensor& tensor : file.tensors()) {
        std::vector<std::byte> read(tensor.bytes);
        file.copy(tensor, 0, read.size(), read.data());
      }
    } catch (const BadCheckpoint&) {
    }
  }
}

}  // namespace
}  // namespace perf::workloads
