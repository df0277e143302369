#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/contains.h"
#include "tests/thrown_by.h"
#include "tests/workloads/model/safetensors_file.h"
#include "tests/workloads/program/process.h"
#include "workloads/model/model_shape.h"
#include "workloads/program/command_line.h"
#include "workloads/program/disk_room.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
 protected:
  Export() { fs::create_directories(folder_); }
  ~Export() override { fs::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "export_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path_ = folder_ + "/m.safetensors";
};

TEST(ExportCommandLine, TakesAModelAndAFileAmongOptions) {
  CommandLine line = read_command_line({"export", "--seed", "3", "tiny", "x.st", "--force"});
  EXPECT_EQ(line.verb, CommandLine::Verb::export_model);
  EXPECT_EQ(line.workload, "tiny");
  EXPECT_EQ(line.file, "x.st");
  EXPECT_EQ(line.options, (std::map<std::string, std::string>{{"force", "on"}, {"seed", "3"}}));
  line = read_command_line({"export", "x.st"});
  EXPECT_EQ(line.workload, "");
  EXPECT_EQ(line.file, "x.st");
  EXPECT_EQ(read_command_line({"export", "-h"}).verb, CommandLine::Verb::help);
  EXPECT_THROW(read_command_line({"export"}), Error);
  EXPECT_THROW(read_command_line({"export", "tiny", "a", "b"}), Error);
}

// The exported model is trained, quantized and, quantized, generates: every check passes, that of
// the resident memory among them, which a process of its own can tell.
TEST_F(Export, IsReadByEveryFamily) {
  const std::string quantized = folder_ + "/q.safetensors";
  std::ofstream(folder_ + "/prompt") << "[3, 1, 4, 1, 5]";
  ASSERT_EQ(run_process(kProgram + " export micro " + path_).status, 0);
  for (const std::string& options : {
           "training/full_finetune --steps 1 --warmup 0 --checkpoint " + path_,
           "quantization/int4 --mode streaming --steps 1 --warmup 0 --checkpoint " + path_ +
               " --output " + quantized,
           "inference/generate --steps 1 --warmup 0 --weights int4 --checkpoint " + quantized +
               " --prompt-tokens " + folder_ + "/prompt",
       }) {
    const ProcessResult result = run_process(kProgram + " run " + options);
    EXPECT_TRUE(ended(result, 0, {"model checkpoint"}));
    EXPECT_FALSE(contains(result.out, "FAILED"));
  }
  const ProcessResult memory = run_process(kProgram + " memory-model --checkpoint " + path_);
  EXPECT_EQ(memory.out.find("checkpoint: 3.0 million parameters"), 0U) << memory.out;
}

TEST_F(Export, WritesAndReportsTheFiles) {
  const ProcessResult result =
      run_process(kProgram + " export micro " + path_ +
                  " --dtype bf16 --seed 4 --batch 2 --length 8 --lora-targets q,v --lora-rank 8");
  ASSERT_EQ(result.status, 0) << result.out;
  const SafetensorsFile file(path_);
  const std::size_t tensors = 2 + 2 + 12 * 2 + 2 * 2 * 2;
  EXPECT_EQ(file.names().size(), tensors);
  const ModelShape shape = model_shape("micro");
  const std::size_t adapters = 2 * 8 * (2 * shape.width() + shape.query_width() + shape.kv_width());
  EXPECT_EQ(file.data.size(), 2 * (shape.parameters() + adapters) + 2 * 2 * 8 * 4);
  EXPECT_EQ(result.out.find(path_ + ": " + std::to_string(tensors) + " tensors, " +
                            std::to_string(fs::file_size(path_)) + " bytes ("),
            0U)
      << result.out;
  EXPECT_TRUE(contains(result.out, "micro, bf16, seed 4"));
}

// perf-compare draws seeds below 2^32, and the peers export from each.
TEST_F(Export, TakesEverySeedThatIsDrawn) {
  EXPECT_TRUE(ended(run_process(kProgram + " export micro " + path_ + " --seed 4294967295"), 0,
                    {"seed 4294967295"}));
}

TEST_F(Export, ReplacesAFileOnlyWhenForced) {
  std::ofstream(path_) << "precious";
  const std::string command = kProgram + " export micro " + path_;
  EXPECT_TRUE(ended(run_process(command), 2, {"--force"}));
  EXPECT_EQ(fs::file_size(path_), 8U);
  EXPECT_EQ(run_process(command + " --force").status, 0);
  EXPECT_GT(fs::file_size(path_), 8U);
}

TEST_F(Export, BadInputIsRefusedWithExitTwo) {
  for (const char* arguments :
       {"export", "export micr FILE", "export micro FILE --dtype fp64",
        "export micro FILE --sead 1", "export micro FILE --batch 2",
        "export micro FILE --batch 2 --batch-size 2 --length 8", "export micro", "export micro ''",
        "export micro /absent/folder/m", "export micro FILE --lora-targets q,w",
        "export micro FILE --lora-layers 2", "export micro FILE --lora-rank 0",
        "export micro /dev/null --force"}) {
    std::string command = arguments;
    if (const std::size_t at = command.find("FILE"); at != std::string::npos) {
      command.replace(at, 4, path_);
    }
    EXPECT_TRUE(ended(run_process(kProgram + " " + command), 2, {"\nhint: "})) << command;
    EXPECT_FALSE(fs::exists(path_)) << command;
  }
}

TEST_F(Export, EndsWithThreeWhereItCannotWrite) {
  EXPECT_TRUE(ended(run_process(kProgram + " export micro /proc/m"), 3, {"/proc"}));
}

TEST_F(Export, AForgottenFileIsNotNamedAfterTheModel) {
  EXPECT_TRUE(ended(run_process("cd " + folder_ + " && " + kProgram + " export micro"), 2,
                    {"no file named: export micro\n"}));
  EXPECT_FALSE(fs::exists(folder_ + "/micro"));
  const ProcessResult bogus = run_process(kProgram + " export bogus " + path_);
  EXPECT_TRUE(contains(bogus.out, "qwen2.5-0.5b, qwen2.5-1.5b"));
}

TEST_F(Export, KilledHalfWayItLeavesNoFileOfThatName) {
  // The shell's limit on the size of files (in KiB) kills by signal, in the midst of the weights.
  const ProcessResult result =
      run_process("ulimit -f 2000; exec " + kProgram + " export micro " + path_);
  EXPECT_NE(result.status, 0);
  EXPECT_FALSE(fs::exists(path_)) << result.out;
}

TEST_F(Export, ReportsAFullDiskBeforehand) {
  EXPECT_NO_THROW(require_disk_room(path_, 1));
  const auto error =
      thrown_by<std::runtime_error>([&] { require_disk_room(path_, std::uint64_t{1} << 60); });
  const std::string text = error.what();
  EXPECT_EQ(text.find("no room for " + path_ + ": it takes "), 0U) << text;
  EXPECT_TRUE(contains(text, folder_ + " has "));
}

}  // namespace
}  // namespace perf::workloads
