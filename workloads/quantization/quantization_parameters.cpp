#include "workloads/quantization/quantization_parameters.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "workloads/kernels/dtype.h"
#include "workloads/model/tensor_writer.h"
#include "workloads/program/error.h"
#include "workloads/program/model_parameters.h"

namespace perf::workloads {

namespace {

constexpr const char* kModelParameters[] = {"model", "layers", "hidden-size", "intermediate-size",
                                            "vocabulary"};
constexpr const char* kStreamingParameters[] = {"file-dtype", "container", "page-cache", "output",
                                                "read-probe-size"};

// What is in use where inference engines have the type: bitsandbytes' int8 has a scale a row and
// its nf4 one for 64, llama.cpp's 4 bits one for 32.
const char* usual_group(CodeType type) {
  switch (type) {
    case CodeType::int8:
      return "channel";
    case CodeType::nf4:
      return "64";
    case CodeType::int4:
    case CodeType::int2:
      break;
  }
  return "32";
}

}  // namespace

std::vector<Parameter> quantization_parameters(CodeType type) {
  const std::string group = usual_group(type);
  return {
      choice("model", synthetic_model_names(), {"30m", "30m", "100m"}, "whose shape"),
      integer("layers", {0, 0, 0}, 0, 1024, "0, here and below: the model's own"),
      integer("hidden-size", {0, 0, 0}, 0, 65536, "columns H of most matrices"),
      integer("intermediate-size", {0, 0, 0}, 0, 262144, "width I of the MLP"),
      integer("vocabulary", {0, 0, 0}, 0, 1'000'000, "rows of the embedding"),
      choice("group", {"channel", "32", "64", "128"}, {group, group, group},
             "columns that share a scale; channel: the whole row"),
      choice("mode", {"in_memory", "streaming"},
             "streaming: from file to file, with phases read, quantize, write, sync"),
      text("checkpoint", "", nullptr,
           "a safetensors or Parquet file, or a folder with one, in place of the model"),
      choice("file-dtype", dtype_names(), "streaming: of the model's file"),
      choice("container", container_names(), "streaming: of the model's file and of the output"),
      choice("page-cache", {"warm", "cold"},
             "streaming: whether the file lies in memory when a step begins"),
      text("output", "", nullptr, "streaming: the file to write, and to keep; empty: none is kept"),
      integer("read-probe-size", {16, 16, 256}, 0, 65536,
              "streaming: MiB read to see how fast memory is; 0: none"),
      choice("by-layer", {"off", "on"}, {"off", "off", "on"}, "report the bytes of each layer"),
  };
}

void require_consistent(const Settings& settings) {
  const std::string& checkpoint = settings.text("checkpoint");
  const auto refuse = [&](const char* why, const std::string& beside, const char* name,
                          const char* hint) {
    if (settings.given(name)) {
      throw Error(why, fmt::format("{} --{} {}", beside, name, settings.text(name)), hint);
    }
  };
  if (!checkpoint.empty()) {
    const std::string given = "--checkpoint " + checkpoint;
    for (const char* name : kModelParameters) {
      refuse("a checkpoint has its own shape", given, name, "one of the two");
    }
    refuse("a checkpoint has its own types", given, "file-dtype", "one of the two");
  }
  const std::string output = std::filesystem::path(settings.text("output")).extension();
  for (const std::string& container : container_names()) {
    if (output == "." + container && settings.text("container") != container) {
      refuse("the output is named after another container",
             "--container " + settings.text("container"), "output", "--container or another name");
    }
  }
  if (!is_streaming(settings)) {
    for (const char* name : kStreamingParameters) {
      refuse("only streaming has files", "--mode in_memory", name, "--mode streaming");
    }
  }
}

Scheme scheme_from(CodeType type, const Settings& settings) {
  const std::string& group = settings.text("group");
  return {.type = type, .group = group == "channel" ? 0 : std::stoul(group)};
}

SyntheticShape synthetic_shape_from(const Settings& settings) {
  SyntheticShape shape = synthetic_shape(settings.text("model"));
  const auto override = [&](int SyntheticShape::*member, const char* name) {
    if (settings.integer(name) > 0) {
      shape.*member = settings.count(name);
    }
  };
  override(&SyntheticShape::layers, "layers");
  override(&SyntheticShape::hidden, "hidden-size");
  override(&SyntheticShape::intermediate, "intermediate-size");
  override(&SyntheticShape::vocabulary, "vocabulary");
  return shape;
}

void describe_model(const Settings& settings, perf_compare::StepEmitter& out) {
  const SyntheticShape own = synthetic_shape(settings.text("model"));
  const std::string& checkpoint = settings.text("checkpoint");
  const std::string name = checkpoint.empty()
                               ? shape_name(settings, {{"layers", own.layers},
                                                       {"hidden-size", own.hidden},
                                                       {"intermediate-size", own.intermediate},
                                                       {"vocabulary", own.vocabulary}})
                               : "checkpoint";
  if (name != settings.text("model")) {
    out.environment("model", name);
  }
}

bool is_streaming(const Settings& settings) {
  return settings.text("mode") == "streaming";
}

}  // namespace perf::workloads
