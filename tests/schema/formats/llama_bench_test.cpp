#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_llama_bench;

namespace {

/// A test with these further members.
std::string llama_test(const std::string& members, const std::string& samples = "5e8, 6e8") {
  return R"({"build_commit": "e1f4921d", "model_type": "llama 1B", "model_filename": "/a/m.gguf",
             "n_prompt": 512, "n_gen": 0)" +
         members + R"(, "samples_ns": [)" + samples + "]}\n";
}

ImportedSession llama_session(const std::string& text) {
  return read_llama_bench(text, "l.json").at(0);
}

// files/llama_bench.* are laid out as json_printer and jsonl_printer do.
TEST(LlamaBench, NamesTestsAsItsTablesDo) {
  const SampleSet set = llama_session(fixture_file("llama_bench.json")).samples;
  const SampleSeries& prompt = series_in(set, "pp512");
  EXPECT_EQ(prompt.metric, kStepTime);
  EXPECT_TRUE(prompt.judge);
  EXPECT_EQ(prompt.values, (std::vector<double>{0.512, 0.51, 0.515}));
  EXPECT_EQ(prompt.params, (Params{{"model", std::string("llama ?B Q4_0")},
                                   {"model_file", std::string("tiny-q4_0.gguf")},
                                   {"n_threads", std::int64_t{2}}}));
  for (const char* name : {"tg128", "pp512+tg128", "tg128 @ d4096"}) {
    EXPECT_FALSE(series_in(set, name).values.empty()) << name;
  }
  const SampleSeries& rate = series_in(set, "pp512", "tokens_per_second");
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "the inverse of the time";
  const ImportedSession lines = llama_session(fixture_file("llama_bench.jsonl"));
  EXPECT_EQ(series_in(lines.samples, "pp512").values, prompt.values);
}

TEST(LlamaBench, NamesCommitTimeAndMachine) {
  const ImportedSession session = llama_session(fixture_file("llama_bench.json"));
  EXPECT_EQ(session.commit, "e1f4921d");
  EXPECT_EQ(session.measured_at, "2026-11-28T12:00:03Z");
  EXPECT_EQ(
      session.samples.environment.machine,
      (std::map<std::string, std::string>{{"cpu_info", "AMD EPYC 9R14"}, {"backends", "CPU"}}));
  EXPECT_EQ(llama_session(llama_test("") + llama_test(R"(, "n_depth": 1, "n_batch": 7)"))
                .samples.series.size(),
            2u);
  std::string other = llama_test(R"(, "n_depth": 1)");
  other.replace(other.find("e1f4"), 4, "0000");
  EXPECT_EQ(llama_session(llama_test("") + other).commit, "") << "of two builds";
}

// A later version has more settings; that is no other test.
TEST(LlamaBench, TellsTestsApartBySettingsThatAreNotDefaults) {
  const auto params = [](const std::string& members) {
    Params all = llama_session(llama_test(members)).samples.series.at(0).params;
    all.erase("model");
    all.erase("model_file");
    return all;
  };
  EXPECT_EQ(params(""), params(R"(, "n_gpu_layers": 99, "use_mmap": true, "build_number": 7)"));
  EXPECT_EQ(params(R"(, "n_gpu_layers": -1, "flash_attn": -1, "load_mode": "mmap", "new": 4)"),
            Params{});
  EXPECT_EQ(params(R"(, "type_k": "q8_0", "n_threads": 4)"),
            (Params{{"n_threads", std::int64_t{4}}, {"type_k", std::string("q8_0")}}));
  const SampleSet twice = llama_session(llama_test("") + llama_test("")).samples;
  EXPECT_TRUE(twice.series.empty()) << "of two builds in one file, which one is which?";
}

TEST(LlamaBench, FailsTestsWithoutSamples) {
  const auto told = [](const std::string& samples) {
    const SampleSet set = samples_of("llama-bench", llama_test("", samples));
    return set.failures.empty() ? "" : set.failures.begin()->second;
  };
  EXPECT_EQ(told(""), "it has no sample");
  EXPECT_EQ(told("0"), "0 is not a valid time: the compiler may have removed the work");
}

// llama-bench prints each test as it ends, so a crash cuts the file.
TEST(LlamaBench, ReadsAllDocumentsOrRefusesTheText) {
  const std::string log = "main: note\n[INFO] x\n", depth = llama_test(R"(, "n_depth": 9)");
  for (const std::string& text :
       {log + "[\n" + llama_test("") + "]\n" + log + "[" + depth + "]\n",
        log + llama_test("") + log + depth, "[" + llama_test("") + ",\n" + depth + "]"}) {
    const ImportedSession session = read_foreign("llama-bench", text, "l.json").at(0);
    EXPECT_EQ(session.samples.series.size(), 2u) << text;
  }
  expect_refused_at(
      format_reader("llama-bench"), "l.json:",
      {"[\n" + llama_test("") + ",\n", llama_test("") + depth.substr(0, 40), "{}",
       llama_test("") + depth.substr(0, 40) + depth, llama_test("") + "{\"n_prompt\": 1}\n", "[1]",
       R"([{"n_prompt": 1, "n_gen": 0, "samples_ns": 4}])"});
}

}  // namespace
}  // namespace perf::formats
