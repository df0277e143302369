#include <algorithm>

#include "schema/formats/foreign.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"
#include "tests/schema/formats/example_files.h"

namespace perf::fuzz {
namespace {

/// Formats of files, and the pairs of files of criterion and of asv (benchmarks.json), separated by
/// 0x1e.
constexpr unsigned kPairs = 2;
constexpr char kBetween = '\x1e';

std::string text_of_session(const ImportedSession& session) {
  const formats::ForeignBlocks found = formats::blocks_of(session);
  std::string text = session.commit + "|" + session.measured_at + "\n";
  for (const Block& block : found.blocks) {
    require_usable(block);
    text += text_of(block);
  }
  for (const auto& [name, reason] : found.failures) {
    text += name + ": " + reason + "\n";
  }
  require_usable(found.warnings);
  return text + text_of(session.samples);
}

void run_pair(unsigned which, std::string_view input) {
  const std::size_t between = std::min(input.find(kBetween), input.size());
  const std::string first(input.substr(0, between));
  const std::string_view second = input.substr(std::min(between + 1, input.size()));
  read_twice(second, "new/", [&](const std::string& text) {
    try {
      if (which == 0) {
        const SampleSet set =
            formats::read_criterion_files({{"new/1", first, text}}, "target").samples;
        require_usable(set);
        return text_of(set);
      }
      ImportedSession session = formats::read_asv_results(text, "new/1", first, "new/2");
      require_usable(session.samples);
      return text_of_session(session);
    } catch (const UsageError& error) {
      require(error.subject.find(':') != std::string::npos, "no line: " + error.subject);
      throw;
    }
  });
}

void run(std::string_view input) {
  const std::vector<std::string_view>& known = formats::foreign_formats();
  const unsigned which = pick(input, static_cast<unsigned>(known.size()) + kPairs);
  if (which >= known.size()) {
    return run_pair(which - static_cast<unsigned>(known.size()), input);
  }
  const std::string_view format = known[which];
  read_twice(input, "old:", [&](const std::string& text) {
    std::string all;
    const std::vector<ImportedSession> sessions = formats::read_foreign(format, text, "old");
    require(!sessions.empty(), "a file of no session");
    for (const ImportedSession& session : sessions) {
      if (format != "github-action-benchmark")  // an entry of it may hold nothing
      {
        require_usable(session.samples);
      }
      all += text_of_session(session);
    }
    return all;
  });
}

std::string with_format(std::string_view format, const std::string& text) {
  const std::vector<std::string_view>& known = formats::foreign_formats();
  return static_cast<char>(std::find(known.begin(), known.end(), format) - known.begin()) + text;
}

std::vector<std::string> seeds() {
  const auto file = [](const std::string& name) {
    return source_file("tests/schema/formats/files/" + name);
  };
  const unsigned files = static_cast<unsigned>(formats::foreign_formats().size());
  const auto pair = [&](unsigned which, const std::string& first, const std::string& second) {
    return std::string(1, static_cast<char>(files + which)) + first + kBetween + second;
  };
  std::vector<std::string> all{
      with_format(
          "google-benchmark",
          R"({"context":{"host_name":"vm","num_cpus":2},"benchmarks":[{"name":"B","real_time":4e2,"cpu_time":1,"time_unit":"ns","misses":3},{"name":"B_cv","run_type":"aggregate","misses":NaN},{"name":"C","error_occurred":true,"error_message":"no"}]})"),
      with_format(
          "hyperfine",
          R"({"results":[{"command":"sleep 1","median":1.0,"user":0.1,"times":[1.01,1.02],"memory_usage_byte":[4096],"exit_codes":[0,0],"parameters":{"n":"0.5"}},{"command":"false","median":2,"exit_codes":[1,null]}]})"),
      with_format(
          "asv",
          R"({"commit_hash":"5e1f","params":{"machine":"m"},"result_columns":["result","params","started_at","samples"],"results":{"s.time_sort":[[0.002,null,NaN,0.03],[["1","2"],["'a'","'b'"]],1704110405000,[[0.1,0.2],null]],"s.mem_x":[[8192],[]],"s.time_z":[null]},"version":2})"),
      with_format(
          "pytest-benchmark",
          R"({"machine_info":{"cpu":{"brand_raw":"X","count":4}},"commit_info":{"id":"2a9f","dirty":true},"datetime":"2024-03-01T09:15:00.1+00:00","benchmarks":[{"name":"a","fullname":"t.py::a[1]","params":{"n":1},"stats":{"median":0.2,"data":[0.1,0.2]}},{"name":"b","params":null,"stats":{"median":0.2}}]})"),
      with_format(
          "google-benchmark",
          R"({"benchmarks":[{"name":"B_mean","aggregate_name":"mean","real_time":4,"cpu_time":-nan,"time_unit":"us"},{"name":"B_median","aggregate_name":"median","real_time":3,"time_unit":"us"},{"name":"","real_time":1,"time_unit":"ns"},{"name":"C","real_time":0,"time_unit":"ns","x":1e200}]})"),
      with_format(
          "hyperfine",
          R"({"results":[{"command":"a","times":[1,0,2],"memory_usage_byte":[0,5],"exit_codes":[0,0,3]},{"command":"a","mean":1},{"command":"b","mean":"NaN"}]})"),
      with_format(
          "pytest-benchmark",
          R"({"machine_info":{"python_version":"3.11.4","release":"6.1"},"benchmarks":[{"name":"a","stats":{"data":[null,1]}},{"name":"a","stats":{"mean":2}},{"name":"c","stats":{}}]})"),
      with_format(
          "asv",
          R"({"params":{"machine":"m","os":"Linux 6.1","ram":"16164140"},"python":"3.11.4","result_columns":["result","params","version"],"results":{"time_a":[[1],[],"v1"],"time_b":[null,[["1","2"]],"v2"]}})"),
      with_format(
          "github-action-benchmark",
          R"({"entries":{"s":[{"commit":{"id":"a"},"date":2,"tool":"go","benches":[{"name":"X","value":"NaN","unit":"ns/op"},{"name":"X - ns/op","value":1,"unit":"ns/op"},{"name":"X","value":2,"unit":"ns/op"},{"name":"y","value":-3}]},{"commit":{"id":"b"},"date":1,"benches":[]}]}})"),
      pair(0, R"({"full_id":"fib/10","throughput":{"Bytes":100}})",
           R"({"iters":[10.0,20.0],"times":[1000.0,3000.0]})"),
      pair(1, file("asv_benchmarks.json"), file("asv.json"))};
  for (const std::string_view format : formats::foreign_formats()) {
    for (const std::string& text : formats::example_texts(format)) {
      all.push_back(with_format(format, text));
    }
  }
  return all;
}

}  // namespace

FuzzTarget imports_target() {
  return {"imports", run, seeds};
}

}  // namespace perf::fuzz
