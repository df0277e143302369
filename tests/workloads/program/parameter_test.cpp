#include "workloads/program/parameter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>

#include "tests/thrown_by.h"
#include "workloads/kernels/gemm.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/error.h"
#include "workloads/registry.h"

namespace perf::workloads {
namespace {

void require_vowels(const std::string& text) {
  if (text.empty() || text.find_first_not_of("aeiou") != std::string::npos) {
    throw std::invalid_argument("one or more vowels");
  }
}

const std::vector<Parameter> kParameters = {
    integer("layers", {1, 2, 3}, 1, 100, "how many"),
    integer("hidden-size", {8, 16, 32}, 1, 4096, "how wide"),
    real("top-p", 0.9, 0, 1, "how much"),
    choice("backend", {"openblas", "eigen"}, "who"),
    choice("model", {"small", "large"}, {"small", "small", "large"}, "which"),
    text("vowels", "ae", require_vowels, "what is sung"),
};

TEST(Settings, SizeGivesDefaultsAndOptionsWin) {
  const Settings smoke(kParameters, Size::smoke, {});
  EXPECT_EQ(smoke.count("layers"), 1);
  EXPECT_EQ(smoke.count("hidden-size"), 8);
  EXPECT_EQ(smoke.real("top-p"), 0.9);
  EXPECT_EQ(smoke.text("backend"), "openblas");
  EXPECT_EQ(smoke.text("model"), "small");
  EXPECT_EQ(smoke.text("vowels"), "ae");
  const Settings full(kParameters, Size::full, {{"layers", "7"}, {"hidden_size", "64"}});
  EXPECT_EQ(full.count("layers"), 7);
  EXPECT_EQ(full.count("hidden-size"), 64);  // an underscore stands for a dash
  EXPECT_EQ(full.text("model"), "large");
}

TEST(Settings, SeparatesGivenValuesFromDefaults) {
  const Settings settings(kParameters, Size::ci, {{"hidden_size", "16"}});
  EXPECT_TRUE(settings.given("hidden-size"));  // though it is the default
  EXPECT_FALSE(settings.given("layers"));
}

TEST(Settings, RefusesBadValuesAndNames) {
  using Given = std::map<std::string, std::string>;
  for (const Given& given :
       {Given{{"layers", "0"}}, Given{{"layers", "101"}}, Given{{"layers", "2.5"}},
        Given{{"layers", "two"}}, Given{{"layers", ""}}, Given{{"layers", "3 "}},
        Given{{"top-p", "1.5"}}, Given{{"top-p", "nan"}}, Given{{"backend", "mkl"}},
        Given{{"dtype", "fp64"}}}) {
    EXPECT_THROW(Settings(kParameters, Size::ci, given), Error) << given.begin()->second;
  }
  const auto error = thrown_by<Error>([&] {
    const Settings settings(kParameters, Size::ci, {{"vowels", "xyz"}});
  });
  EXPECT_EQ(error.subject, "--vowels xyz");
  EXPECT_EQ(error.hint, "one or more vowels");
  for (const auto& [name, hint] : Given{
           {"layer", "--layers ("}, {"lyaers", "--layers ("}, {"chekpoint", "one of its own ("}}) {
    const auto other = thrown_by<Error>([name = name] {
      const Settings settings(kParameters, Size::ci, {{name, "2"}});
    });
    EXPECT_EQ(other.hint, hint + "`describe` lists them all)") << "none is near";
  }
}

TEST(Settings, RefuseAMissingChoiceWithAHint) {
  Parameter who = choice("backend", {"openblas"}, "who");
  who.require = [](const std::string& name) {
    if (name == "onednn") {
      throw std::invalid_argument("install it");
    }
  };
  for (const auto& [name, hint] : std::map<std::string, std::string>{
           {"onednn", "install it"}, {"mkl", "--backend openblas (one of: openblas)"}}) {
    SCOPED_TRACE(name);
    const auto error = thrown_by<Error>([&, name = name] {
      const Settings settings({who}, Size::ci, {{"backend", name}});
    });
    EXPECT_EQ(error.hint, hint);
  }
}

TEST(Settings, RefuseAnUnknownChoiceWithTheNearest) {
  const auto error = thrown_by<Error>([&] {
    const Settings settings({choice("weights", {"fp32", "bf16", "nf4"}, "how")}, Size::ci,
                            {{"weights", "fb16"}});
  });
  EXPECT_EQ(error.hint, "--weights bf16 (one of: fp32, bf16, nf4)");
}

TEST(BackendParameter, OffersWhatIsBuiltIn) {
  const Parameter plain = backend_parameter(), own = backend_parameter({"auto"});
  EXPECT_EQ(plain.choices, backend_names());
  EXPECT_EQ(plain.defaults[0], "openblas");
  EXPECT_EQ(own.defaults[0], "auto");
  for (const std::string& name : plain.choices) {
    EXPECT_EQ(Settings({own}, Size::ci, {{"backend", name}}).text("backend"), name);
  }
}

TEST(Settings, FieldsKeepTheirTypes) {
  std::string text;
  for (const auto& [name, value] : Settings(kParameters, Size::ci, {}).fields()) {
    text += name + "=" + value.encoded() + " ";
  }
  EXPECT_EQ(
      text,
      "backend=\"openblas\" hidden-size=16 layers=2 model=\"small\" top-p=0.9 vowels=\"ae\" ");
}

TEST(Settings, SomeNamesHaveABriefForm) {
  const std::vector<Parameter> both = {integer("batch-size", {1, 1, 1}, 1, 9, ""),
                                       integer("seq-len", {1, 1, 1}, 1, 9, "")};
  const Settings settings(both, Size::ci, {{"batch", "2"}, {"length", "3"}});
  EXPECT_EQ(settings.integer("batch-size"), 2);
  EXPECT_EQ(settings.integer("seq-len"), 3);
  EXPECT_THROW(Settings(both, Size::ci, {{"batch", "2"}, {"batch-size", "2"}}), Error);
  EXPECT_THROW(Settings({both[1]}, Size::ci, {{"batch", "2"}}), Error);
}

const Parameter kList = integers("batch-size", {"1", "1,4", "1,4,8,16"}, 1, 64, "a series each");

TEST(Settings, ListsAreKeptInTheirOrder) {
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(Settings({kList}, Size::smoke, {}).integers("batch-size"), Numbers{1});
  EXPECT_EQ(Settings({kList}, Size::full, {}).integers("batch-size"), (Numbers{1, 4, 8, 16}));
  const Settings given({kList}, Size::ci, {{"batch", "64,2,7"}});
  EXPECT_EQ(given.integers("batch-size"), (Numbers{64, 2, 7}));
  EXPECT_EQ(given.with({{"batch-size", "2"}}).integer("batch-size"), 2);
  EXPECT_EQ(given.integers("batch-size").size(), 3U) << "with() leaves the original as it is";
  EXPECT_THROW(static_cast<void>(given.with({{"seq-len", "2"}})), std::logic_error);
}

TEST(Settings, RefusesBadLists) {
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "1 ,2", "1;2", "1,two", "1,2.5", "0,1",
                           "1,65", "-1", "4,1,4", "9223372036854775808"}) {
    SCOPED_TRACE(text);
    const auto error = thrown_by<Error>([&] {
      const Settings settings({kList}, Size::ci, {{"batch-size", text}});
    });
    EXPECT_EQ(error.subject, std::string("--batch-size ") + text);
    EXPECT_EQ(error.hint, "different whole numbers from 1 to 64, such as 1,4,8,16");
  }
}

// In the protocol a list of one is a number: the series is the same as without a list.
TEST(Settings, FieldsHaveListsAsText) {
  EXPECT_EQ(Settings({kList}, Size::ci, {}).fields().front().second.encoded(), "\"1,4\"");
  EXPECT_EQ(Settings({kList}, Size::smoke, {}).fields().front().second.encoded(), "1");
}

TEST(Nearest, PrefersNamesThatContainWhatWasTyped) {
  const std::vector<std::string> names = {"training/gradient", "training/lora_finetune"};
  EXPECT_EQ(nearest("training/lora", names), "training/lora_finetune");
  EXPECT_EQ(nearest("training/gradent", names), "training/gradient");
}

TEST(Sizes, AreThree) {
  EXPECT_EQ(size_from("smoke"), Size::smoke);
  EXPECT_EQ(size_from("full"), Size::full);
  EXPECT_THROW(size_from("huge"), Error);
}

TEST(Registry, HasEveryWorkloadThatAHeaderDeclares) {
  std::set<std::string> declared, registered;
  const std::regex declaration("\nWorkload ([a-z]+)_(\\w+)\\(\\);");
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(PERF_SOURCE_DIR "/workloads")) {
    if (file.path().extension() != ".h") {
      continue;
    }
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (std::sregex_iterator found(text.begin(), text.end(), declaration), end; found != end;
         ++found) {
      declared.insert((*found)[1].str() + "/" + (*found)[2].str());
    }
  }
  for (const Workload& workload : workloads()) {
    registered.insert(workload.name);
  }
  EXPECT_EQ(registered, declared);
}

TEST(Registry, EveryDefaultOfEveryWorkloadIsAccepted) {
  for (const Workload& workload : workloads()) {
    const std::vector<Parameter> parameters = all_parameters(workload);
    for (std::size_t size = 0; size < kSizeNames.size(); ++size) {
      std::map<std::string, std::string> given;
      for (const Parameter& parameter : parameters) {
        EXPECT_TRUE(given.emplace(parameter.name, parameter.defaults[size]).second);
      }
      EXPECT_NO_THROW(Settings(parameters, static_cast<Size>(size), given)) << workload.name;
    }
  }
}

TEST(Settings, NamesAreFoundInFullAndBriefly) {
  const std::vector<Parameter> parameters = {integer("batch-size", {1, 1, 1}, 1, 9, "")};
  for (const char* name : {"batch-size", "batch_size", "batch"}) {
    EXPECT_TRUE(is_among(parameters, name)) << name;
  }
  for (const char* name : {"batch-siz", "length", ""}) {
    EXPECT_FALSE(is_among(parameters, name)) << name;
  }
}

TEST(Backend, AutoIsOnednnWhereItIsBuiltIn) {
  const std::vector<std::string> names = backend_names();
  const bool has = std::find(names.begin(), names.end(), "onednn") != names.end();
  EXPECT_EQ(chosen_backend("auto"), has ? "onednn" : "openblas");
  EXPECT_EQ(chosen_backend("eigen"), "eigen");
}

}  // namespace
}  // namespace perf::workloads
