#include "workloads/model/tensor_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <utility>

#include "tests/contains.h"
#include "workloads/kernels/dtype.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/tensor_writer.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

std::string length_of(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>(length >> (8 * i) & 0xff);
  }
  return bytes;
}

class SafetensorsReading : public testing::Test {
 protected:
  SafetensorsReading() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SafetensorsReading() override { fs::remove_all(folder_); }

  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  void write(const std::string& json, const std::string& data) const {
    write(length_of(json.size()) + json + data);
  }

  /// What opening the file says; "" where it opens.
  std::string refusal() const {
    try {
      const TensorReader reader(path_);
      return "";
    } catch (const BadCheckpoint& bad) {
      EXPECT_TRUE(contains(bad.subject, path_)) << bad.what();
      EXPECT_FALSE(bad.hint.empty());
      return bad.what();
    }
  }
  std::string refusal(const std::string& json, const std::string& data = "") const {
    write(json, data);
    return refusal();
  }

  const std::string folder_ = testing::TempDir() + "reading_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path_ = folder_ + "/m.safetensors";
};

// A tensor's member of a header.
std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape +
         "],\"data_offsets\":[" + offsets + "]}";
}

TEST_F(SafetensorsReading, ReadsWhatTheWriterWrote) {
  const std::vector<float> first = {1.5F, -2, 3, 0.1F, 1e-30F, 6};
  const std::vector<Bf16> second = {narrow<Bf16>(0.5F), narrow<Bf16>(-3), narrow<Bf16>(1e30F)};
  const std::vector<Fp16> third = {narrow<Fp16>(0.25F), narrow<Fp16>(6e-8F)};
  const std::vector<SafetensorsEntry> entries = {
      {"a", "F32", {2, 3}}, {"b", "BF16", {3}}, {"c", "F16", {1, 2}}};
  TensorWriter writer(path_, safetensors_header(entries, {{"format", "pt"}}), 24 + 6 + 4);
  writer.append(first.data(), 24);
  writer.append(second.data(), 6);
  writer.append(third.data(), 4);
  writer.finish();

  const TensorReader reader(path_);
  EXPECT_EQ(reader.file_bytes(), fs::file_size(path_));
  EXPECT_EQ(reader.metadata(), (std::map<std::string, std::string>{{"format", "pt"}}));
  ASSERT_EQ(reader.tensors().size(), 3U);
  EXPECT_EQ(reader.find("absent"), nullptr);
  ASSERT_EQ(reader.find("a"), &reader.tensors()[0]);
  EXPECT_EQ(reader.find("a")->entry.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(reader.find("b")->bytes, 6U);
  const auto values = [&](const char* name, std::size_t from, std::size_t count) {
    std::vector<float> out(count);
    reader.read(*reader.find(name), from, count, out.data());
    return out;
  };
  EXPECT_EQ(values("a", 0, 6), first);
  EXPECT_EQ(values("a", 2, 3), (std::vector<float>{3, 0.1F, 1e-30F}));
  EXPECT_EQ(values("b", 0, 3),
            (std::vector<float>{widen(second[0]), widen(second[1]), widen(second[2])}));
  EXPECT_EQ(values("c", 1, 1), (std::vector<float>{widen(third[1])}));
  EXPECT_THROW(values("b", 2, 2), std::out_of_range);
  float none = 0;
  EXPECT_THROW(reader.read(*reader.find("b"), 2, SIZE_MAX, &none), std::out_of_range);
}

// Data need not be aligned: here it begins at an odd byte.
TEST_F(SafetensorsReading, ReadsUnalignedData) {
  std::string json = "{" + tensor("odd", "U8", "1", "0,1") + "," +
                     tensor("w", "BF16", "3000", "1,6001") + "," +
                     tensor("f", "F32", "2", "6001,6009") + "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  std::string data = "x";
  std::vector<float> expected;
  for (int i = 0; i < 3000; ++i) {
    const Bf16 value = narrow<Bf16>(static_cast<float>(i));
    expected.push_back(widen(value));
    data.append(reinterpret_cast<const char*>(&value), 2);
  }
  const std::vector<float> floats = {0.1F, -7};
  data.append(reinterpret_cast<const char*>(floats.data()), 8);
  write(json, data);
  const TensorReader reader(path_);
  std::vector<float> values(3000), two(2);
  reader.read(*reader.find("w"), 0, 3000, values.data());
  reader.read(*reader.find("f"), 0, 2, two.data());
  EXPECT_EQ(values, expected);
  EXPECT_EQ(two, floats);
}

// Every dtype of the format may stand in a file beside what is read; offsets need not be in the
// order of the names.
TEST_F(SafetensorsReading, TakesAllThatTheFormatHas) {
  const std::vector<std::pair<std::string, unsigned>> types = {
      {"F64", 64},        {"I64", 64},       {"U64", 64},    {"C64", 64},    {"F32", 32},
      {"I32", 32},        {"U32", 32},       {"F16", 16},    {"BF16", 16},   {"I16", 16},
      {"U16", 16},        {"I8", 8},         {"U8", 8},      {"BOOL", 8},    {"F8_E4M3", 8},
      {"F8_E5M2", 8},     {"F8_E8M0", 8},    {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
      {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};
  std::string members;
  std::uint64_t end = 0;
  for (const auto& [type, bits] : types) {
    const std::uint64_t begin = std::exchange(end, end + bits);  // 8 values
    members = "," +
              tensor("t." + type, type, "2,4", std::to_string(begin) + "," + std::to_string(end)) +
              members;
  }
  const std::string json =
      "{\"__metadata__\":{\"k\\u00e9\":\"\"}" + members + "," +
      tensor("scalar", "F32", "", std::to_string(end) + "," + std::to_string(end + 4)) + "," +
      tensor("none", "F32", "0,18446744073709551615", "0,0") + "}  \n";
  EXPECT_EQ(refusal(json, std::string(end + 4, 'x')), "");
  const TensorReader reader(path_);
  EXPECT_EQ(reader.tensors().size(), types.size() + 2);
  float value = 0;
  EXPECT_NO_THROW(reader.read(*reader.find("scalar"), 0, 1, &value));
  EXPECT_THROW(reader.read(*reader.find("t.F64"), 0, 1, &value), BadCheckpoint);
  EXPECT_THROW(reader.read(*reader.find("t.F4"), 0, 1, &value), BadCheckpoint);
  EXPECT_EQ(refusal("{}"), "");  // no tensors
}

TEST_F(SafetensorsReading, RefusesBrokenTensorsByName) {
  struct Case {
    std::string members, data, says;
  };
  const std::string two = tensor("a", "F32", "1", "0,4");
  const std::vector<Case> cases = {
      {tensor("w", "F32", "2", "0,8"), "12345", "outside of the file's 5 bytes"},
      {tensor("w", "F32", "2", "8,16"), "12345678", "outside of the file"},
      {two + "," + tensor("w", "F32", "1", "2,6"), "123456", "overlap"},
      {two + "," + tensor("w", "F32", "1", "0,4"), "1234", "overlap"},
      {two + "," + tensor("w", "F32", "1", "6,10"), "1234567890", "leave a gap after 4"},
      {tensor("w", "F32", "1", "4,8"), "12345678", "leave a gap after 0"},
      {tensor("w", "F32", "1", "8,4"), "12345678", "run backwards"},
      {tensor("w", "F32", "3", "0,8"), "12345678", "hold 8 bytes, its shape takes 12"},
      {tensor("w", "BF16", "2", "0,8"), "12345678", "hold 8 bytes, its shape takes 4"},
      {tensor("w", "F33", "2", "0,8"), "12345678", "no such dtype: 'F33'"},
      {tensor("w", "f32", "2", "0,8"), "12345678", "no such dtype"},
      {tensor("w", "", "2", "0,8"), "12345678", "no such dtype"},
      {tensor("w", "F32", "4294967296,4294967296", "0,8"), "12345678", "more than 2^64"},
      {tensor("w", "F32", "9223372036854775809,2", "0,8"), "12345678", "more than 2^64"},
      {tensor("w", "F4", "3", "0,1"), "1", "within a byte"},
      {tensor("w", "F32", "-1", "0,4"), "1234", "a negative number"},
      {tensor("w", "F32", "1", "-4,0"), "1234", "a negative number"},
      {tensor("w", "F32", "1.0", "0,4"), "1234", "not a whole number"},
      {tensor("w", "F32", "1e0", "0,4"), "1234", "not a whole number"},
      {tensor("w", "F32", "18446744073709551616", "0,4"), "1234", "not a whole number"},
      {tensor("w", "F32", "1", "0,18446744073709551616"), "1234", "not a whole number"},
      {tensor("w", "F32", "1", "0,18446744073709551615"), "1234", "its shape takes 4"},
      {tensor("w", "F32", "\"1\"", "0,4"), "1234", "a text where"},
      {tensor("w", "F32", "[1]", "0,4"), "1234", "a list where"},
      {tensor("w", "F32", "{}", "0,4"), "1234", "an object where"},
      {tensor("w", "F32", "null", "0,4"), "1234", "null"},
      {tensor("w", "F32", "true", "0,4"), "1234", "true"},
      {tensor("w", "F32", "1", "0"), "1234", "offsets are two numbers"},
      {tensor("w", "F32", "1", "0,4,4"), "1234", "offsets are two numbers"},
      {tensor("w", "F32", "1", ""), "1234", "offsets are two numbers"},
      {tensor("w", "F32", "1", "0,4") + "," + tensor("w", "F32", "1", "4,8"), "12345678",
       "a name comes twice"},
      {R"("w":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]})", "1234",
       "'dtype' comes twice"},
      {R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"device":"cpu"})", "1234",
       "no member 'device'"},
      {R"("w":{"dtype":"F32","shape":[1]})", "1234", "no 'data_offsets'"},
      {R"("w":{"shape":[1],"data_offsets":[0,4]})", "1234", "no 'dtype'"},
      {R"("w":{"dtype":"F32","data_offsets":[0,4]})", "1234", "no 'shape'"},
      {R"("w":{"dtype":4,"shape":[1],"data_offsets":[0,4]})", "1234", "a number where"},
      {R"("w":{"dtype":["F32"],"shape":[1],"data_offsets":[0,4]})", "1234", "a list where"},
      {R"("w":{"dtype":"F32","shape":1,"data_offsets":[0,4]})", "1234", "a number where"},
      {R"("w":[1])", "1234", "a list where"},
      {R"("w":"F32")", "1234", "a text where"},
      {R"("w":4)", "1234", "a number where"},
  };
  for (const auto& [members, data, says] : cases) {
    const std::string said = refusal("{" + members + "}", data);
    EXPECT_TRUE(contains(said, says)) << members;
    EXPECT_TRUE(contains(said, ", w: ")) << members;
  }
}

TEST_F(SafetensorsReading, RefusesBrokenHeadersAndFiles) {
  const std::string good = "{" + tensor("w", "F32", "1", "0,4") + "}";
  ASSERT_EQ(refusal(good, "1234"), "");
  const auto says = [&](const std::string& said, const char* what) {
    EXPECT_TRUE(contains(said, what)) << what;
  };
  says(refusal(good, "12345678"), "4 bytes after the last tensor");
  says(refusal("{}", "1"), "1 bytes after the last tensor");
  says(refusal("[]"), "no JSON object");
  says(refusal(" {}"), "no JSON object");
  says(refusal(""), "no JSON object");
  says(refusal("{"), "not the JSON");
  says(refusal("{}{}"), "not the JSON");
  says(refusal(std::string("{}\0\0\0\0\0\0", 8)), "a NUL byte");
  says(refusal(R"({w:1})"), "not the JSON");
  says(refusal("{\"\xff\":{}}"), "not the JSON");
  says(refusal("{\"\xc0\x80\":{}}"), "not the JSON");  // an overlong form
  says(refusal(R"({"__metadata__":{"a":1}})"), "a number where");
  says(refusal(R"({"__metadata__":{"a":{}}})"), "an object where");
  says(refusal(R"({"__metadata__":{"a":"1","a":"2"}})"), "'a' comes twice");
  says(refusal(R"({"__metadata__":{},"__metadata__":{}})"), "a name comes twice");
  says(refusal(R"({"__metadata__":["a"]})"), "a list where");
  says(refusal("{\"w\":" + std::string(1'000'000, '[')), "a list where");
  says(refusal("{\"w\":" + std::string(1'000'000, '{')), "not the JSON");

  write("");
  says(refusal(), "0 bytes, shorter than any");
  write("1234567");
  says(refusal(), "7 bytes, shorter than any");
  write(length_of(good.size() + 5) + good + "1234");
  says(refusal(), "a header of 59 bytes in a file of 66");
  write(length_of(UINT64_MAX) + good + "1234");
  says(refusal(), "more than 100000000");
  write(length_of(TensorReader::kMostHeader + 1) + good);
  says(refusal(), "more than 100000000");
}

// A name may hold what a terminal obeys.
TEST_F(SafetensorsReading, PrintsNoControlCharacters) {
  const std::string said =
      refusal("{" + tensor("\\u001b[2J" + std::string(1000, 'n'), "F33", "1", "0,4") + "}", "1234");
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_LT(said.size(), 500U);
}

TEST_F(SafetensorsReading, RefusesFoldersAndPipes) {
  EXPECT_TRUE(contains(refusal(), "No such file"));
  fs::create_directory(path_);
  EXPECT_TRUE(contains(refusal(), "not a file"));
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);  // it is not waited for
  EXPECT_TRUE(contains(refusal(), "not a file"));
}

TEST_F(SafetensorsReading, ReportsAFileTruncatedMeanwhile) {
  write("{" + tensor("w", "F32", "100000", "0,400000") + "}", std::string(400000, '\0'));
  const TensorReader reader(path_);
  std::vector<float> values(100000);
  reader.read(reader.tensors()[0], 0, values.size(), values.data());
  fs::resize_file(path_, 4096);
  EXPECT_THROW(reader.read(reader.tensors()[0], 50000, 10, values.data()), BadCheckpoint);
}

// Whatever happens to the bytes: an error, or tensors that lie inside the file.
TEST_F(SafetensorsReading, SurvivesRandomDamage) {
  const std::string json = R"({"__metadata__":{"format":"pt"},)" +
                           tensor("model.a", "F32", "2,3", "0,24") + "," +
                           tensor("model.b", "BF16", "4", "24,32") + "," +
                           tensor("model.c", "F16", "1,2", "32,36") + "}";
  const std::string whole = length_of(json.size()) + json + std::string(36, '\x3c');
  std::mt19937 random(7);
  const auto below = [&](std::size_t end) { return random() % end; };
  const std::string likely = "0123456789-.,:[]{}\"eE\\ \xff";
  int opened = 0, refused = 0;
  const int file = memfd_create("damaged", MFD_CLOEXEC);  // a disk would take seconds
  ASSERT_GE(file, 0);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    for (std::size_t flips = 1 + below(3); flips > 0; --flips) {
      const std::size_t at = below(bytes.size());
      if (below(2) == 0) {
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
      } else {
        bytes[at] = likely[below(likely.size())];
      }
    }
    if (below(8) == 0) {
      bytes.resize(below(bytes.size()));
    }
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(bytes.size())), 0);
    ASSERT_EQ(pwrite(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    try {
      const TensorReader reader(path);
      ++opened;
      std::size_t total = 0;
      for (const MappedTensor& found : reader.tensors()) {
        total += found.bytes;
        const std::string& type = found.entry.type;
        if (type != "F32" && type != "BF16" && type != "F16") {
          continue;
        }
        std::vector<float> values(found.bytes / (type == "F32" ? 4 : 2));
        reader.read(found, 0, values.size(), values.data());
      }
      EXPECT_LE(total, bytes.size());
    } catch (const BadCheckpoint&) {
      ++refused;
    }
  }
  close(file);
  EXPECT_GT(opened, 500);  // flips in data and names do no harm
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace perf::workloads
