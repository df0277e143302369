// The command line, by running the built program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/sanitized.h"
#include "tests/workloads/program/process.h"
#include "workloads/program/energy.h"
#include "workloads/program/median.h"
#include "workloads/registry.h"

namespace perf::workloads {
namespace {

using nlohmann::json;

struct Outcome {
  ProcessResult process;
  std::vector<json> lines;

  std::vector<json> of_type(const std::string& type) const {
    std::vector<json> found;
    for (const json& line : lines) {
      if (line.at("type") == type) {
        found.push_back(line);
      }
    }
    return found;
  }
};

// `environment` stands before the program, e.g. "PERF_COMPARE_STEPS=3".
Outcome run(const std::string& arguments, const std::string& environment = "") {
  const std::string path = testing::TempDir() + "program_test.jsonl";
  std::remove(path.c_str());
  Outcome result{run_process("PERF_COMPARE_OUT=" + path + " " + environment + " " + arguments), {}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    result.lines.push_back(json::parse(line));
  }
  return result;
}

/// Under a sanitizer the model of a training's memory does not hold: it knows of no other memory.
bool has_passed(const json& check) {
  return check.at("passed") == true ||
         (kSanitized && check.at("name") == "memory_model_matches_resident");
}

class RunSmoke : public testing::TestWithParam<std::string> {};

TEST_P(RunSmoke, SpeaksTheProtocolAndPassesItsChecks) {
  const Outcome result = run(kProgram + " run " + GetParam() + " --size smoke");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  ASSERT_GE(result.lines.size(), 4U);
  const std::string name = GetParam().substr(0, GetParam().find(' '));
  const json& begin = result.lines.front();
  EXPECT_EQ(begin.at("type"), "begin");
  EXPECT_EQ(begin.at("protocol"), 1);
  EXPECT_EQ(begin.at("workload"), name);
  EXPECT_EQ(begin.at("params").at("size"), "smoke");
  EXPECT_EQ(result.lines.back(), json({{"type", "end"}}));

  const json& environment = result.lines.at(1);
  EXPECT_EQ(environment.at("type"), "environment");
  for (const char* key : {"blas", "blas_core", "compiler", "flags"}) {
    EXPECT_FALSE(environment.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_GE(environment.at("threads"), 1);

  const Workload& workload = workload_named(name);
  const std::vector<json> steps = result.of_type("step");
  ASSERT_EQ(steps.size(), 10U);
  std::vector<double> in_phases;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].at("index"), i);
    EXPECT_EQ(steps[i].at("warmup"), i < 2);
    double sum = 0;
    for (const std::string& phase : workload.phases) {
      sum += steps[i].at("phases").at(phase).get<double>();
    }
    EXPECT_EQ(steps[i].at("phases").size(), workload.phases.size());
    in_phases.push_back(sum / steps[i].at("seconds").get<double>());
    EXPECT_LE(in_phases.back(), 1.05);
  }
  EXPECT_GE(median(in_phases), 0.95);  // of one step a busy machine may take a part between phases
  std::vector<std::string> metrics, checks, expected = workload.metrics;
  if (!workload.metrics_of_some_machines.empty() && EnergyMeter().readable()) {
    expected.insert(expected.end(), workload.metrics_of_some_machines.begin(),
                    workload.metrics_of_some_machines.end());
  }
  for (const json& line : result.of_type("metric")) {
    metrics.push_back(line.at("name"));
    EXPECT_TRUE(line.at("value").is_number());
    EXPECT_EQ(line.at("judge"), false);
  }
  for (const json& line : result.of_type("check")) {
    checks.push_back(line.at("name"));
    EXPECT_TRUE(has_passed(line)) << line;
  }
  EXPECT_EQ(metrics, expected);  // what `describe` says is what comes
  EXPECT_EQ(checks, workload.checks);
}

/// No file that says whether a tracer watches: a program that reads it is never called the same.
TEST_P(RunSmoke, ReadsNothingAboutTracers) {
  const std::string path = testing::TempDir() + "program_test.trace";
  const ProcessResult result =
      run_process("PERF_COMPARE_STEPS=2 strace -f -qq -e trace=openat -o " + path + " " + kProgram +
                  " run " + GetParam() + " --size smoke");
  ASSERT_EQ(result.status, 0) << result.out;
  std::ifstream file(path);
  const std::string calls{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(contains(calls, "openat"));
  EXPECT_FALSE(contains(calls, "/status"));
}

/// Every workload as it is, and some with other settings; of sweeps one series each.
std::vector<std::string> smoke_runs() {
  std::vector<std::string> runs{"training/mlp_stack --backend eigen",
                                "training/mlp_stack --dtype bf16",
                                "training/mlp_stack --dtype fp16",
                                "inference/generate --threads 1",
                                "inference/forward --batch 2 --length 64",
                                "inference/batched --batch 1",
                                "quantization/int4 --group channel",
                                "quantization/nf4 --threads 1",
                                "training/full_finetune --dtype bf16",
                                "training/full_finetune --dtype fp16",
                                "training/full_finetune --checkpointing on",
                                "training/full_finetune --backend eigen",
                                "training/full_finetune --optimizer momentum",
                                "training/full_finetune --threads 1",
                                "training/lora_finetune --dtype bf16 --lora-layers 1",
                                "training/lora_finetune --dtype fp16 --lora-targets"
                                " q,k,v,o,gate,up,down --optimizer sgd",
                                "inference/sampling --sampling top-p",
                                "training/gradient --dtype bf16"};
  const std::set<std::string> sweeps{"inference/batched", "inference/forward",
                                     "inference/sampling"};
  for (const Workload& workload : workloads()) {
    if (sweeps.count(workload.name) == 0) {
      runs.push_back(workload.name);
    }
  }
  return runs;
}

INSTANTIATE_TEST_SUITE_P(All, RunSmoke, testing::ValuesIn(smoke_runs()));

TEST(Program, ASuiteWritesABlockForEachAndATable) {
  const Outcome result = run(kProgram + " suite micro training/mlp_stack --size smoke --steps 2");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  std::vector<std::string> expected, begun;
  for (const Workload& workload : workloads()) {
    if (workload.name.rfind("micro/", 0) == 0 || workload.name == "training/mlp_stack") {
      expected.push_back(workload.name);
    }
  }
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    const json& line = result.lines[i];
    if (line.at("type") != "begin") {
      continue;
    }
    EXPECT_TRUE(i == 0 || result.lines[i - 1].at("type") == "end");
    const std::string name = line.at("workload");
    EXPECT_EQ(std::count(begun.begin(), begun.end(), name), 0) << name;
    begun.push_back(name);
    EXPECT_EQ(line.at("params").at("size"), "smoke");
    EXPECT_TRUE(contains(result.process.out, name + "  ")) << name;
  }
  // A workload of several series has a block for each.
  for (const std::string& name : expected) {
    EXPECT_TRUE(std::any_of(begun.begin(), begun.end(), [&](const std::string& one) {
      return one == name || one.rfind(name + "/", 0) == 0;
    })) << name;
  }
  EXPECT_EQ(result.of_type("end").size(), begun.size());
  EXPECT_EQ(result.of_type("step").size(), 4 * begun.size());
  for (const json& check : result.of_type("check")) {
    EXPECT_TRUE(has_passed(check)) << check;
  }
  EXPECT_EQ(result.process.out.find('\x1b'), std::string::npos) << "no bar where no terminal is";
}

// An earlier one with more memory does not stand for a later one's.
TEST(Program, ASuitesWorkloadsCountTheirOwnMemory) {
  const Outcome result = run(kProgram + " suite quantization/int8 training/gradient --size smoke");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  for (const json& check : result.of_type("check")) {
    EXPECT_TRUE(has_passed(check)) << check;
  }
}

TEST(Program, ASuiteGoesOnAfterOneThatCannotRun) {
  const Outcome result =
      run(kProgram +
          " suite micro/softmax training/mlp_stack --size smoke --layers 1000 --hidden-size 32768");
  EXPECT_EQ(result.process.status, 3) << result.process.out;
  EXPECT_EQ(result.of_type("end").size(), 1U);
  EXPECT_TRUE(contains(result.process.out, "could not run: not enough memory"));
}

const std::string kTinyModel =
    kProgram +
    " run training/mlp_stack --layers 1 --hidden-size 16 --seq-len 8 --batch-size 1"
    " --peak-size 0";

TEST(Program, SamplingCanLeaveTheForwardPassOut) {
  const Outcome result =
      run(kProgram +
          " run inference/sampling --sampling greedy --vocabulary 1000 --forward off --steps 2");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  std::vector<std::string> metrics;
  for (const json& metric : result.of_type("metric")) {
    metrics.push_back(metric.at("name"));
  }
  EXPECT_EQ(metrics, (std::vector<std::string>{"sample_time", "samples_per_second", "read_rate",
                                               "bytes_per_second", "read_share"}));
}

TEST(Program, ReferenceBackendRunsTheSameWorkload) {
  const Outcome result = run(kTinyModel + " --backend reference --steps 2");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  for (const json& check : result.of_type("check")) {
    EXPECT_EQ(check.at("passed"), true);
  }
  EXPECT_EQ(result.lines.front().at("tokens_per_step"), 8);
}

TEST(Program, TrainingOnReferenceLoopsAndItsOwnShape) {
  const Outcome result =
      run(kProgram +
          " run training/full_finetune --backend reference --layers 1 --hidden-size 32 --heads 2"
          " --kv-heads 1 --head-size 16 --intermediate-size 48 --vocabulary 64 --seq-len 16"
          " --batch-size 2 --peak-size 0 --steps 2");
  ASSERT_EQ(result.process.status, 0) << result.process.out;
  for (const json& check : result.of_type("check")) {
    EXPECT_TRUE(has_passed(check)) << check;
  }
  const json& begin = result.lines.front();
  EXPECT_EQ(begin.at("tokens_per_step"), 32);
  // The embedding, the final norm, and of the layer: norms, q and k and v with biases, o, the MLP.
  EXPECT_EQ(begin.at("parameters"), 64 * 32 + 32 + 2 * 32 + 64 * 33 + 32 * 32 + 3 * 32 * 48);
  EXPECT_EQ(begin.at("trained_parameters"), begin.at("parameters"));
  EXPECT_EQ(result.of_type("environment").at(0).at("backend"), "reference");
}

TEST(Program, TrainingThatDoesNotFitIsRefusedWithItsBytes) {
  for (const char* workload :
       {"training/full_finetune", "training/lora_finetune", "training/gradient"}) {
    const ProcessResult result = run_process(
        kProgram + " run " + workload + " --model qwen2.5-3b --batch-size 65536 --seq-len 256");
    EXPECT_TRUE(ended(result, 2, {"not enough memory: "}));
    EXPECT_TRUE(std::regex_search(
        result.out, std::regex("of qwen2.5-3b, 65536 x 256 tokens in fp32.* would take [0-9]{14,} "
                               "bytes \\([0-9.]+ GiB\\), [0-9]+ bytes \\([0-9.]+ GiB\\) are")))
        << result.out;
    EXPECT_TRUE(contains_all(result.out, {"--checkpointing on", "--seq-len 128"}));
  }
}

TEST(Program, MemoryModelSpeaksOfAnyShape) {
  const ProcessResult named = run_process(kProgram + " memory-model qwen2.5-3b --batch 4");
  EXPECT_EQ(named.status, 0) << named.out;
  EXPECT_EQ(named.out.find("qwen2.5-3b: 3085.9 million parameters, fp32; 4 x 512 tokens"), 0U);
  const ProcessResult shaped =
      run_process(kProgram +
                  " memory-model tiny --layers 2 --dtype bf16 --optimizer sgd"
                  " --checkpointing on --length 64 --lora-rank 4 --threads 1");
  EXPECT_EQ(shaped.status, 0) << shaped.out;
  EXPECT_TRUE(
      contains_all(shaped.out, {"bf16; 1 x 64 tokens, 1 thread, checkpointing\n",
                                "full fine-tuning, sgd ", "LoRA, rank 4, sgd ", "of the 2 fit"}));
}

TEST(Program, CountsComeFromOptionsThenEnvironmentThenSize) {
  const std::string environment = "PERF_COMPARE_STEPS=3 PERF_COMPARE_WARMUP=1 PERF_COMPARE_SEED=77";
  Outcome result = run(kTinyModel, environment);
  EXPECT_EQ(result.of_type("step").size(), 4U);
  result = run(kTinyModel + " --steps 5 --warmup 0 --seed 8", environment);
  EXPECT_EQ(result.of_type("step").size(), 5U);
  for (const char* varied : {"steps", "warmup", "seed"}) {
    EXPECT_FALSE(result.lines.front().at("params").contains(varied)) << varied;
  }
}

TEST(Program, PlantsAndReportsIt) {
  const Outcome plain = run(kTinyModel + " --steps 2");
  ASSERT_EQ(plain.process.status, 0) << plain.process.out;
  EXPECT_EQ(plain.of_type("environment").at(0).at("plants"), "slowdown,allocation");
  EXPECT_FALSE(plain.of_type("environment").at(0).contains("planted"));

  constexpr double kPlantedBytes = 64 << 20;
  const Outcome planted =
      run(kTinyModel + " --steps 2 --plant-slowdown 0.5 --plant-allocation 67108864");
  ASSERT_EQ(planted.process.status, 0) << planted.process.out;
  EXPECT_EQ(planted.of_type("environment").at(0).at("planted"),
            "slowdown 0.5, allocation 67108864");
  EXPECT_EQ(planted.lines.front().at("params"), plain.lines.front().at("params"))
      << "the same series, only worse";
  for (const json& step : planted.of_type("step")) {
    double in_phases = 0;
    for (const auto& [name, seconds] : step.at("phases").items()) {
      in_phases += seconds.get<double>();
    }
    EXPECT_GE(step.at("seconds").get<double>(), 1.5 * in_phases);
    EXPECT_GE(step.at("rss").get<double>(), kPlantedBytes);
  }
  const double plain_rss = plain.of_type("step").at(0).at("rss").get<double>();
  const double planted_rss = planted.of_type("step").at(0).at("rss").get<double>();
  EXPECT_NEAR(planted_rss - plain_rss, kPlantedBytes, 0.1 * kPlantedBytes);
}

TEST(Program, SameSeedSameNumbers) {
  const auto loss = [](const Outcome& result) {
    for (const json& metric : result.of_type("metric")) {
      if (metric.at("name") == "loss") {
        return metric.at("value").get<double>();
      }
    }
    return 0.0;
  };
  const double first = loss(run(kTinyModel));
  EXPECT_GT(first, 0);
  EXPECT_EQ(first, loss(run(kTinyModel)));
  const double second = loss(run(kTinyModel + " --seed 2"));
  EXPECT_NE(first, second);
  EXPECT_EQ(second, loss(run(kTinyModel, "PERF_COMPARE_SEED=2")));
  EXPECT_EQ(second, loss(run(kTinyModel + " --seed 2", "PERF_COMPARE_SEED=3")))
      << "the option wins";
}

TEST(Program, ListsAndDescribesEveryWorkload) {
  const ProcessResult list = run_process(kProgram + " list");
  EXPECT_EQ(list.status, 0);
  for (const Workload& workload : workloads()) {
    EXPECT_TRUE(contains(list.out, workload.name));
    const ProcessResult described = run_process(kProgram + " describe " + workload.name);
    EXPECT_EQ(described.status, 0);
    for (const Parameter& parameter : workload.parameters) {
      EXPECT_TRUE(contains(described.out, "--" + parameter.name)) << parameter.name;
    }
    for (const std::string& check : workload.checks) {
      EXPECT_TRUE(contains(described.out, check)) << check;
    }
  }
  EXPECT_EQ(run_process(kProgram + " --help").status, 0);
  EXPECT_EQ(run_process(kProgram + " --version").out.substr(0, 15), "perf-workloads ");
}

TEST(Program, RefusesInvalidInputWithExitTwoAndAHint) {
  std::istringstream all(
      "; rn; run; run training/full_finetune --lora-rank 8; "
      "run training/full_finetune --dtype fp64; run training/full_finetune --kv-heads 3; "
      "run training/full_finetune --head-size 63; run training/full_finetune --vocabulary 1; "
      "run training/full_finetune --dtype fp16 --state-dtype same; "
      "run training/full_finetune --dtype fp16 --loss-scale 65536; "
      "run training/lora_finetune --lora-alpha 0; "
      "run training/full_finetune --batch 2 --batch-size 2; run training/gradient --optimizer sgd; "
      "run training/lora_finetune --lora-targets x; run training/lora_finetune --lora-layers 9; "
      "run training/lora_finetune --lora-layers 2; run training/lora_finetune --lora-rank 0; "
      "memory-model x; memory-model tiny --batch 2 --batch-size 2; "
      "memory-model tiny --model micro; memory-model --layers -1; run training/mlp_stac; "
      "describe x; run training/mlp_stack --layer 2; run training/mlp_stack --dtype fp64; "
      "run training/mlp_stack --backend mkl; run training/mlp_stack --layers 0; "
      "run training/mlp_stack --size huge; run inference/generate --heads 3; "
      "run inference/generate --kv-heads 3; "
      "run training/mlp_stack --layers 1000 --hidden-size 32768; "
      "run training/mlp_stack --batch-size 65536 --seq-len 1000000; run quantization/int8 --x; "
      "run quantization/int8 --plant-slowdown -1; run quantization/int8 --plant-allocation x; "
      "suite micr; suite micro --layers; suite micro --no-such 1; suite training --layers 0; "
      "list now");
  for (std::string arguments; std::getline(all, arguments, ';');) {
    const ProcessResult result = run_process(kProgram + " " + arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.out;
    EXPECT_EQ(result.out.find("error: "), 0U) << result.out;
    EXPECT_TRUE(contains(result.out, "\nhint: "));
  }
  EXPECT_EQ(run(kTinyModel, "PERF_COMPARE_STEPS=many").process.status, 2);
}

TEST(Program, EndsWithThreeWhereItCannotWrite) {
  const ProcessResult result =
      run_process("PERF_COMPARE_OUT=/dev/null/out.jsonl " + kTinyModel + " --steps 1");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.out, "/dev/null/out.jsonl"));
}

TEST(Program, TakesNoLibraryFromTheFolderThatItIsStartedIn) {
  const std::string folder = testing::TempDir() + "program_test_libraries";
  const ProcessResult result = run_process(
      "mkdir -p " + folder + " && cd " + folder +
      " && touch libc.so.6 libfmt.so.9 libgomp.so.1 libopenblas.so.0 libstdc++.so.6 && " +
      kProgram + " --version");
  EXPECT_EQ(result.status, 0) << result.out;
}

TEST(StepEmitterExample, RunsAsInTheHeader) {
  const Outcome result = run(PERF_BINARY_DIR "/tests/workloads_step_emitter_example");
  EXPECT_EQ(result.process.status, 0);
  EXPECT_EQ(result.of_type("step").size(), 10U);
  EXPECT_EQ(result.of_type("check").at(0).at("passed"), true);
}

}  // namespace
}  // namespace perf::workloads
