#include "schema/formats/judge_cases.h"

#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

std::string one_case(const std::string& entry) {
  return "{\"cases\": {\n \"c\": " + entry + "}}";
}

TEST(JudgeCases, AreReadInTheOrderOfTheFile) {
  const std::vector<JudgeCase> cases = read_judge_cases(
      R"({"cases": {"slow": {"threshold": 0.02, "base": [[1.5, 2], [3]], "head": [[4], [5, 6]], "note": "x"},
                    "a": {"base": [], "head": [], "threshold": null}}})",
      "cases.json");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "slow");
  EXPECT_EQ(cases[0].threshold, 0.02);
  EXPECT_EQ(cases[0].base, (std::vector<std::vector<double>>{{1.5, 2}, {3}}));
  EXPECT_EQ(cases[0].head, (std::vector<std::vector<double>>{{4}, {5, 6}}));
  EXPECT_EQ(cases[1].name, "a");
  EXPECT_EQ(cases[1].threshold, std::nullopt);
  EXPECT_TRUE(cases[1].base.empty());
}

TEST(JudgeCases, MayBeEmptyOrZero) {
  EXPECT_TRUE(read_judge_cases(R"({"cases": {}})", "f").empty());
  EXPECT_EQ(read_judge_cases(one_case(R"({"base": [[0]], "head": [[0.0]]})"), "f")[0].base[0][0],
            0);
}

TEST(JudgeCases, RefusesInvalidSamples) {
  const auto read_entry = [](const std::string& entry, const std::string& file) {
    read_judge_cases(one_case(entry), file);
  };
  for (const char* entry :
       {R"({"base": [[1]]})", R"({"head": [[1]]})", R"({"base": [[1]], "head": [[1], [2]]})",
        R"({"base": [[]], "head": [[1]]})", R"({"base": [[-1]], "head": [[1]]})",
        R"({"base": [1], "head": [1]})", R"({"base": [["1"]], "head": [[1]]})",
        R"({"base": [[null]], "head": [[1]]})", R"({"base": [[5e-324]], "head": [[1]]})",
        R"({"base": [[1e308]], "head": [[1]]})", R"({"base": {}, "head": []})", "[]", "null",
        R"({"base": [[1]], "head": [[1]], "threshold": 0})",
        R"({"base": [[1]], "head": [[1]], "threshold": -1})",
        R"({"base": [[1]], "head": [[1]], "threshold": 10})",
        R"({"base": [[1]], "head": [[1]], "threshold": "2"})"}) {
    expect_refused(read_entry, "cases.json:2:", {{entry, "\"c\""}});
  }
}

TEST(JudgeCases, RefusesUnknownKeys) {
  const auto with = [](const std::string& key) {
    return one_case("{\"" + key + R"(": 0.02, "base": [[1]], "head": [[1]]})");
  };
  const UsageError error = refusal_of([&] { read_judge_cases(with("treshold"), "cases.json"); });
  EXPECT_EQ(error.what, R"(unknown key "treshold" in case "c")");
  EXPECT_EQ(error.subject, "cases.json:2:8");
  EXPECT_EQ(error.hint, R"(did you mean "threshold"?)");
  EXPECT_EQ(refusal_of([&] { read_judge_cases(with("unit"), "cases.json"); }).hint,
            "known: threshold, base, head; notes begin with _");
  for (const char* key : {"_seed", "comment", "note", "description"}) {
    EXPECT_EQ(read_judge_cases(with(key), "f").size(), 1u) << key;
  }
  EXPECT_EQ(read_judge_cases(R"({"treshold": 1, "cases": {}})", "f").size(), 0u);
}

TEST(JudgeCases, RefusesOtherDocuments) {
  expect_refused_at(read_judge_cases, "cases.json:1:",
                    {"", "[]", "{}", "1", R"({"cases": []})", R"({"cases": {"a": 1, "a": 2}})",
                     R"({"cases": {"c": {"base": [[NaN]], "head": [[1]]}}})"});
}

TEST(JudgeCases, NamesTheInvocationAndThePlace) {
  const UsageError error = refusal_of([&] {
    read_judge_cases("{\"cases\": {\"c\": {\n\"base\": [[1], [2,\n  -3]], \"head\": []}}}",
                     "cases.json");
  });
  EXPECT_EQ(error.subject, "cases.json:3:3");
  EXPECT_EQ(error.what, "a value of invocation 1 (from 0) of base of case \"c\" is negative");
}

TEST(JudgeCases, ReadsThresholdsAsPercentages) {
  const auto threshold = [](const std::string& text) {
    const std::string all =
        R"({"cases": {"a": {"threshold": )" + text + R"(, "base": [[1]], "head": [[2]]}}})";
    try {
      return std::to_string(*read_judge_cases(all, "f").front().threshold);
    } catch (const UsageError& error) {
      return error.what + "; " + error.hint;
    }
  };
  EXPECT_EQ(threshold("0.02"), "0.020000");
  EXPECT_EQ(threshold("\"2%\""), "0.020000");
  EXPECT_EQ(threshold("\"200%\""), "2.000000");
  for (const char* text : {"2", "1", "0", "-0.1", "\"0%\"", "\"1000%\""}) {
    EXPECT_TRUE(contains(threshold(text), "write 0.02 or \"2%\" for 2 %")) << text;
  }
  EXPECT_TRUE(contains(threshold("\"2\""), "is not a percentage"));
}

}  // namespace
}  // namespace perf::formats
