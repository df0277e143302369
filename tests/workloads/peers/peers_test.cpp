// The launcher of workloads/peers, and, where there is PyTorch, its numbers against the native
// ones.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/sanitized.h"
#include "tests/workloads/program/process.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kPeers = PERF_SOURCE_DIR "/workloads/peers/";

class Peers : public testing::Test {
 protected:
  Peers() { fs::create_directories(folder_); }
  ~Peers() override { fs::remove_all(folder_); }

  // With `variables` set for it.
  ProcessResult call(const std::string& command, const std::string& variables = "") const {
    return run_process("env XDG_CACHE_HOME=" + folder_ + "/cache PYTHONDONTWRITEBYTECODE=1 " +
                       (variables.find("PERF_WORKLOADS=") == std::string::npos
                            ? "PERF_WORKLOADS=" + kProgram + " "
                            : "") +
                       variables + " " + kPeers + command);
  }
  // The lines of the protocol that a run wrote.
  std::vector<Json> lines_of(const std::string& arguments,
                             const std::string& variables = "") const {
    const std::string out = folder_ + "/out";
    fs::remove(out);
    EXPECT_TRUE(ended(call("run " + arguments, "PERF_COMPARE_OUT=" + out + " " + variables), 0));
    std::ifstream file(out);
    std::vector<Json> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(Json::parse(line));
    }
    return lines;
  }
  std::string script(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  const std::string folder_ =
      testing::TempDir() + "peers_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

using PeersOfTorch = Peers;

bool has_torch() {
  return run_process("bash -c 'source " + kPeers + "python.sh && python_with_torch'").status == 0;
}
#define NEEDS_TORCH() \
  if (!has_torch())   \
  GTEST_SKIP() << "no PyTorch here: `ci/install_deps.sh --peers` installs it"

TEST_F(Peers, NativeIsTheProgramItself) {
  const std::string program = script("program", "#!/bin/sh\necho \"$@\"\nexit 7\n");
  for (const char* arguments :
       {"training/w --size ci", "--implementation native training/w --size ci",
        "training/w --implementation=native --size ci"}) {
    const ProcessResult result = call(std::string("run ") + arguments, "PERF_WORKLOADS=" + program);
    EXPECT_EQ(result.out, "run training/w --size ci\n");
    EXPECT_EQ(result.status, 7);
  }
}

TEST_F(Peers, RefusesWithAReason) {
  struct Case {
    std::string arguments, variables;
    int status;
    std::string reason;
  };
  const std::string here = "PERF_COMPARE_PYTHON=" + script("python", "#!/bin/sh\nexit 1\n");
  for (const Case& one : std::vector<Case>{
           {"--implementation jax training/w", "", 2, "no such implementation: jax"},
           {"training/w --implementation", "", 2, "no value for option: --implementation"},
           {"training/w", "PERF_WORKLOADS=/nowhere", 3, "no such program: /nowhere"},
           {"training/full_finetune --implementation torch", here, 3, "python3-torch"}}) {
    const ProcessResult result = call("run " + one.arguments, one.variables);
    EXPECT_EQ(result.status, one.status) << result.out;
    EXPECT_EQ(result.out.find("error: "), 0U) << result.out;
    EXPECT_TRUE(contains(result.out, one.reason));
  }
}

TEST_F(Peers, SettingsAreThoseOfARun) {
  for (const std::string workload : {"full_finetune", "lora_finetune", "gradient"}) {
    const std::string arguments = "training/" + workload + " --size smoke --seq-len 16 --steps 2";
    const ProcessResult answer = run_process(kProgram + " settings " + arguments + " --seed 5");
    ASSERT_TRUE(ended(answer, 0));
    const Json settings = Json::parse(answer.out);
    EXPECT_EQ(settings["steps"], 2);
    EXPECT_EQ(settings["seed"], 5);
    EXPECT_EQ(settings["model"]["layers"], 2) << "micro";
    const std::vector<Json> lines = lines_of(arguments);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines[0]["params"], settings["params"]);
    EXPECT_EQ(lines[0]["parameters"], settings["training"]["parameters"]);
    EXPECT_EQ(lines[0]["trained_parameters"], settings["training"]["trained_parameters"]);
    EXPECT_EQ(lines[1]["threads"], settings["environment"]["threads"]);
  }
  EXPECT_TRUE(ended(run_process(kProgram + " settings training/full_finetune --seq-len none"), 2,
                    {"not an accepted value: --seq-len none"}));
}

TEST_F(PeersOfTorch, QuantizationsAgree) {
  NEEDS_TORCH();
  const std::string small =
      " --size smoke --layers 1 --hidden-size 64 --intermediate-size 128"
      " --vocabulary 40 ";
  for (const std::string type : {"int8", "int4", "int2", "nf4"}) {
    for (const std::string options :
         {"--implementation torch --group channel", "--implementation numpy --group 32"}) {
      EXPECT_TRUE(ended(call("compare quantization/" + type + small + options), 0, {"agree"}));
    }
  }
  for (const std::string side : {"native", "torch", "numpy"}) {
    const std::vector<Json> lines =
        lines_of("--implementation " + side + " quantization/int4 --steps 2" + small);
    std::map<std::string, double> metrics;
    for (const Json& line : lines) {
      if (line["type"] == "metric") {
        metrics[line["name"]] = line["value"];
      }
    }
    EXPECT_GT(metrics["total_time"], 0) << side;
    EXPECT_GE(metrics["peak_memory"], metrics["baseline_memory"]) << side;
    // 16,384 of the attention, 16,384 of the MLP, 2,560 of the embedding: four bits each, two bytes
    // for 32.
    EXPECT_EQ(metrics["output_bytes"], 35328 * (0.5 + 2.0 / 32)) << side;
  }
}

TEST_F(PeersOfTorch, MicroWorkloadsMatchDoublePrecision) {
  NEEDS_TORCH();
  const std::string rows = " --rows 20 --columns 48";
  for (const std::string& work : {"softmax" + rows, "layer_norm" + rows, "rms_norm" + rows,
                                  std::string("attention --seq-len 40 --causal on"),
                                  std::string("attention --seq-len 40 --causal off"),
                                  std::string("matmul --m 24 --n 40 --k 32")}) {
    const std::vector<Json> lines =
        lines_of("--implementation torch micro/" + work + " --size smoke --calls 2 --steps 2");
    int checks = 0;
    for (const Json& line : lines) {
      if (line["type"] == "check") {
        EXPECT_EQ(line["passed"], true) << work << line;
        ++checks;
      }
    }
    EXPECT_EQ(checks, 1) << work;
  }
}

TEST_F(Peers, TraceIsOfTrainingsOnly) {
  const std::string file = folder_ + "/trace";
  EXPECT_EQ(run_process(kProgram + " trace training/mlp_stack " + file).status, 2);
  EXPECT_EQ(run_process(kProgram + " trace training/gradient").status, 2);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(ended(
      run_process(kProgram + " trace training/gradient " + file + " --seq-len 8 --steps 2"), 0));
  EXPECT_TRUE(fs::exists(file));
}

// Cheap: micro, a short prompt, a few tokens.
const std::string kGenerate =
    "inference/generate --size smoke --prompt 12 --new-tokens 6 --steps 2 ";
const std::string kForward =
    "inference/forward --size smoke --batch-size 1,2 --seq-len 8,16 --steps 2 ";
const std::string kSampling =
    "inference/sampling --size smoke --vocabulary 1000,5000 --samples 20 --steps 2 --forward off ";

TEST_F(PeersOfTorch, InfersTheSame) {
  NEEDS_TORCH();
  for (const std::string& options :
       {kGenerate, kGenerate + "--weights bf16", kGenerate + "--weights int8",
        kGenerate + "--sampling greedy", kGenerate + "--sampling top-k", kForward,
        kForward + "--weights bf16", kSampling}) {
    const ProcessResult result = call("compare " + options);
    EXPECT_EQ(result.status, 0) << options << "\n" << result.out;
    const bool has_logits = options != kSampling;
    const bool has_tokens = options.find(kForward) == std::string::npos;
    EXPECT_EQ(result.out.find("logits    agree") != std::string::npos, has_logits) << result.out;
    EXPECT_EQ(result.out.find("tokens    agree") != std::string::npos, has_tokens) << result.out;
    EXPECT_EQ(result.out.find(has_logits ? "of 6 differ" : "of 40 differ") != std::string::npos,
              has_tokens)
        << result.out;
  }
}

// The trace is of other weights, of other random numbers, or of another way to draw.
TEST_F(PeersOfTorch, DifferentInferenceIsFound) {
  NEEDS_TORCH();
  struct Case {
    std::string options, planted, found;
  };
  for (const Case& one :
       {Case{kForward, "--seed 2", "logits"}, Case{kGenerate, "--seed 2", "prompt"},
        Case{kGenerate + "--sampling temperature", "--temperature 0.1", "tokens"},
        Case{kSampling, "--top-p 0.5", "tokens"}}) {
    const std::string program =
        script("program", "#!/bin/sh\n[ \"$1\" = trace ] && set -- \"$@\" " + one.planted +
                              "\nexec " + kProgram + " \"$@\"\n");
    EXPECT_TRUE(ended(call("compare " + one.options, "PERF_WORKLOADS=" + program), 1,
                      {"DIFFER", one.found}))
        << one.planted;
  }
}

TEST_F(PeersOfTorch, ReportsTheSameInference) {
  NEEDS_TORCH();
  for (const std::string& options : {kGenerate + "--weights bf16", kForward, kSampling}) {
    std::vector<Json> native, torch, phases;
    std::map<std::string, std::string> units;
    for (const Json& line : lines_of(options)) {
      if (line["type"] == "begin") {
        native.push_back(line);
      }
      if (line["type"] == "metric") {
        units[line["name"]] = line["unit"];
      }
    }
    for (const Json& line : lines_of("--implementation torch " + options)) {
      if (line["type"] == "metric" && units.count(line["name"]) > 0) {
        EXPECT_EQ(units[line["name"]], line["unit"]) << line;
      }
      if (line["type"] == "begin") {
        torch.push_back(line);
      }
      if (line["type"] == "step") {
        phases.push_back(line["phases"]);
      }
    }
    ASSERT_EQ(torch.size(), native.size()) << options;
    for (std::size_t i = 0; i < torch.size(); ++i) {
      Json params = torch[i]["params"];
      EXPECT_EQ(params["implementation"], "torch");
      params.erase("implementation");
      EXPECT_EQ(params, native[i]["params"]);
      EXPECT_EQ(torch[i]["workload"], native[i]["workload"]);
      EXPECT_EQ(torch[i]["tokens_per_step"], native[i]["tokens_per_step"]);
    }
    ASSERT_FALSE(phases.empty());
    const std::string phase = options == kForward ? "forward" : "sample";
    EXPECT_TRUE(phases[0].contains(phase)) << phases[0];
  }
}

TEST_F(PeersOfTorch, ReportsTheSameWork) {
  NEEDS_TORCH();
  for (const std::string options : {"full_finetune --dtype bf16", "gradient --seed 3"}) {
    const std::string arguments =
        "training/" + options + " --size smoke --seq-len 16 --steps 2 --warmup 1";
    const std::vector<Json> native = lines_of(arguments);
    const std::vector<Json> torch = lines_of("--implementation torch " + arguments);
    ASSERT_GE(torch.size(), 6U);
    Json params = torch[0]["params"];
    EXPECT_EQ(params["implementation"], "torch");
    params.erase("implementation");
    EXPECT_EQ(params, native[0]["params"]);
    for (const char* field : {"workload", "tokens_per_step", "parameters", "trained_parameters"}) {
      EXPECT_EQ(torch[0][field], native[0][field]) << field;
    }
    EXPECT_EQ(torch[1]["threads"], native[1]["threads"]);
    std::vector<std::string> kinds;
    for (const Json& line : torch) {
      kinds.push_back(line["type"]);
      EXPECT_TRUE(line.value("passed", true)) << line;
      if (line["type"] == "step") {
        EXPECT_EQ(line["phases"].contains("optimizer"), options[0] == 'f');
        EXPECT_TRUE(line["phases"].contains("forward") && line["phases"].contains("loss"));
      }
    }
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "step"), 3);
    EXPECT_EQ(kinds.back(), "end");
  }
}

TEST_F(PeersOfTorch, ComputesTheSame) {
  NEEDS_TORCH();
  for (const char* options :
       {"training/full_finetune --seq-len 32 --batch-size 2",
        "training/full_finetune --seq-len 32 --dtype bf16 --checkpointing on",
        "training/full_finetune --seq-len 32 --optimizer momentum --learning-rate 0.01",
        "training/lora_finetune --seq-len 32 --lora-targets q,k,v,o,gate,up,down --lora-layers "
        "1"}) {
    const ProcessResult result = call(std::string("compare ") + options);
    EXPECT_EQ(result.status, 0) << options << "\n" << result.out;
    EXPECT_TRUE(contains_all(result.out, {"losses", "layers", "logits", "gradients", "moved"}));
  }
}

// What is compared is the trace: one of other settings has to be found out.
TEST_F(PeersOfTorch, DifferencesAreFound) {
  NEEDS_TORCH();
  struct Case {
    std::string planted, found;
  };
  for (const Case& one : {Case{"--seed 2", "losses"}, Case{"--weight-decay 0.5", "moved"}}) {
    const std::string program =
        script("program", "#!/bin/sh\n[ \"$1\" = trace ] && set -- \"$@\" " + one.planted +
                              "\nexec " + kProgram + " \"$@\"\n");
    const ProcessResult result =
        call("compare training/full_finetune --seq-len 32 --steps 2", "PERF_WORKLOADS=" + program);
    EXPECT_EQ(result.status, 1) << one.planted << "\n" << result.out;
    const std::size_t line = result.out.find(one.found);
    ASSERT_NE(line, std::string::npos) << result.out;
    EXPECT_TRUE(contains(result.out.substr(line, 24), "DIFFER")) << result.out;
  }
}

TEST_F(PeersOfTorch, HasNoConstantsOfItsOwn) {
  NEEDS_TORCH();
  const std::string changed =
      R"( | sed -e 's/"epsilon": [^,}]*/"epsilon": 0.001/' -e 's/"tolerance": [^,}]*/"tolerance": 0/')";
  const std::string program =
      "PERF_WORKLOADS=" + script("program", "#!/bin/sh\n[ $1 = settings ] || exec " + kProgram +
                                                " \"$@\"\n" + kProgram + " \"$@\"" + changed);
  const std::string arguments = "training/full_finetune --size smoke --seq-len 16 --steps 2";
  EXPECT_TRUE(
      ended(call("compare " + arguments, program), 1, {"gradients   agree", "moved       DIFFER"}));
  int checks = 0;
  for (const Json& line : lines_of("--implementation torch " + arguments, program)) {
    if (line["type"] == "check") {
      ++checks;
      EXPECT_EQ(line["name"], "first_loss_is_random");
      EXPECT_FALSE(line["passed"].get<bool>()) << line;
    }
  }
  EXPECT_EQ(checks, 1);
}

// As a user compares them: one pair is enough to see that nothing but the implementation differs.
TEST_F(PeersOfTorch, AreComparedWithoutAnyDoubt) {
  NEEDS_TORCH();
  if (kSanitized) {
    GTEST_SKIP() << "the sanitizer's own memory is in the way";
  }
  const std::string tool = PERF_BINARY_DIR "/bin/perf-compare", report = folder_ + "/report.json";
  if (!fs::exists(tool)) {
    GTEST_SKIP() << "perf-compare is not built here";
  }
  const Json config = {
      {"workloads",
       {{{"name", "peers/w"},
         {"command", {kPeers + "run", "training/lora_finetune"}},
         {"params", {{"implementation", "native"}, {"size", "smoke"}, {"seq-len", 16}}}}}}};
  script("perf-compare.json", config.dump());
  const std::string git = "git -c user.name=a -c user.email=a@b -C " + folder_;
  ASSERT_EQ(run_process(git + " init -q && " + git + " add -A && " + git + " commit -qm x").status,
            0);
  const ProcessResult result = run_process(
      "env XDG_CACHE_HOME=" + folder_ + "/cache PERF_WORKLOADS=" + kProgram + " " + tool + " -C " +
      folder_ + " HEAD HEAD --base-set implementation=torch --head-set implementation=native" +
      " --budget 1s --json " + report);
  ASSERT_EQ(result.status, 0) << result.out;
  const Json all = Json::parse(std::ifstream(report));
  int judged = 0;
  for (const Json& row : all["comparisons"]) {
    if (!row["judged"]) {
      continue;
    }
    ++judged;
    EXPECT_EQ(row["verdict"], "inconclusive") << "one pair";
    EXPECT_TRUE(row["base"].is_object() && row["head"].is_object()) << row;
    EXPECT_EQ(row["base_params"].value("implementation", ""), "torch") << row;
    for (const Json& warning : row["warning_details"]) {
      EXPECT_FALSE(contains(warning["kind"].get<std::string>(), "setting")) << warning;
    }
  }
  EXPECT_EQ(judged, 2) << "step_time, peak_rss";
}

TEST_F(PeersOfTorch, RefusesWhatItCannotDo) {
  NEEDS_TORCH();
  for (const char* options :
       {"training/full_finetune --dtype fp16", "training/mlp_stack",
        "training/full_finetune --layers 1", "training/none", "inference/generate --weights nf4",
        "inference/generate --weights fp16", "inference/forward --cache-dtype fp16",
        "inference/generate_nocache"}) {
    const ProcessResult result = call(std::string("run --implementation torch ") + options);
    EXPECT_EQ(result.status, 2) << options;
    EXPECT_EQ(result.out.find("error: "), 0U) << result.out;
    EXPECT_TRUE(contains(result.out, "hint: "));
  }
}

}  // namespace
}  // namespace perf::workloads
