#include <expat.h>

#include <memory>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedXml = "write the file with --reporter xml --out FILE";
constexpr double kNanosecondOfCatch = 1e-9;
constexpr std::size_t kDeepestElement = 64;
constexpr std::size_t kLongestText = 1000;  // bytes

/// The attribute of that name; nullptr where there is none. Expat lists names and values in turn,
/// and nullptr at the end.
const char* attribute(const XML_Char** attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (*attributes == name) {
      return attributes[1];
    }
  }
  return nullptr;
}

/// A reporter's text while Expat reads it. Exceptions do not pass through Expat, which is written
/// in C: a fault stops it.
class CatchReader {
 public:
  SampleSet read(std::string_view text) {
    const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
        XML_ParserCreate("UTF-8"), &XML_ParserFree);
    parser_ = parser.get();
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, on_start, on_end);
    XML_SetCharacterDataHandler(parser_, on_text);
    XML_SetStartDoctypeDeclHandler(parser_, on_doctype);
    if (XML_Parse(parser_, text.data(), static_cast<int>(text.size()), 1) != XML_STATUS_OK) {
      const auto at =
          static_cast<std::size_t>(std::max<XML_Index>(XML_GetCurrentByteIndex(parser_), 0));
      const bool is_cut = depth_ > 0 && at >= text.size();
      throw JsonFault{
          std::min(at, text.size()),
          !fault_.empty() ? fault_
          : is_cut        ? "the file is cut short"
                   : "invalid XML: " + std::string(XML_ErrorString(XML_GetErrorCode(parser_)))};
    }
    std::erase_if(list_.set.series, [&](const SampleSeries& series) {
      return list_.set.failures.contains({series.name, {}});
    });
    return list_.take();
  }

 private:
  static void on_start(void* self, const XML_Char* element, const XML_Char** attributes) {
    auto& reader = *static_cast<CatchReader*>(self);
    reader.guard([&] { reader.start(element, attributes); });
  }
  static void on_end(void* self, const XML_Char* element) {
    auto& reader = *static_cast<CatchReader*>(self);
    reader.guard([&] { reader.end(element); });
  }
  static void on_text(void* self, const XML_Char* text, int size) {
    auto& reader = *static_cast<CatchReader*>(self);
    if (reader.text_.size() < kLongestText) {
      reader.text_.append(text, static_cast<std::size_t>(size));
    }
  }
  /// Only a document type can define entities, which expand to any size.
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<CatchReader*>(self)->stop("a document type");
  }

  template <class Step>
  void guard(const Step& step) {
    try {
      step();
    } catch (const JsonFault& fault) {
      stop(fault.what);
    }
  }

  void stop(const std::string& fault) {
    fault_ = fault;
    XML_StopParser(parser_, XML_FALSE);
  }

  void start(std::string_view element, const XML_Char** attributes) {
    if (depth_ == 0 && element != "Catch" && element != "Catch2TestRun") {
      throw JsonFault{0, "not a report of Catch2: its root is " + in_quotes(element)};
    }
    if (++depth_ > kDeepestElement) {
      throw JsonFault{0, "elements are nested more than 64 levels deep"};
    }
    text_.clear();
    const char* name = attribute(attributes, "name");
    const char* success = attribute(attributes, "success");
    const bool is_wrong = success != nullptr && std::string_view(success) == "false";
    if (element == "TestCase") {
      why_.clear();
      sections_ = {name == nullptr ? "" : name};
      seen_.clear();
    } else if (element == "Section") {
      sections_.push_back(name == nullptr ? "" : name);
    } else if (element == "Expression" && is_wrong && why_.empty()) {
      why_ = "a check failed";
    } else if (element == "OverallResult" && is_wrong && !sections_.empty()) {
      list_.set.lost.push_back({{}, why_.empty() ? "failed" : why_, sections_.front() + "/"});
    } else if (element == "BenchmarkResults") {
      begin(name == nullptr ? "" : name);
    } else if (element == "mean" && in_benchmark_) {
      has_result_ = true;
      list_.add(benchmark_, {}, step_times(kNanosecondOfCatch), number_in(attributes));
    } else if (element == "failed" && in_benchmark_) {
      has_result_ = true;
      const char* message = attribute(attributes, "message");
      list_.set.failures.insert({{benchmark_, {}}, message == nullptr ? "failed" : message});
    }
  }

  void end(std::string_view element) {
    --depth_;
    const bool is_reason =
        element == "Exception" || element == "FatalErrorCondition" || element == "Failure";
    const std::string reason =
        first_line(std::string(trimmed(std::exchange(text_, ""), " \t\r\n")));
    if (is_reason && !reason.empty()) {
      why_ = reason;
      lost_all_ |= element == "FatalErrorCondition";
    }
    if (element == "TestCase" && std::exchange(lost_all_, false)) {
      list_.set.lost.push_back({{}, why_});
    }
    if (element == "Section" && sections_.size() > 1) {
      sections_.pop_back();
      seen_.clear();  // the test case may run once more, for its next section
    } else if (element == "BenchmarkResults" && in_benchmark_) {
      in_benchmark_ = false;
      if (!has_result_) {
        list_.set.failures.insert({{benchmark_, {}}, "it has no mean"});
      }
    }
  }

  void begin(const std::string& name) {
    benchmark_.clear();
    for (const std::string& section : sections_) {
      benchmark_ += section + "/";
    }
    benchmark_ += name;
    in_benchmark_ = true;
    has_result_ = false;
    if (!seen_.insert(benchmark_).second) {
      list_.refuse(benchmark_);
    }
  }

  static double number_in(const XML_Char** attributes) {
    const char* value = attribute(attributes, "value");
    const std::optional<double> number = value == nullptr ? std::nullopt : foreign_number(value);
    if (!number) {
      throw JsonFault{0, "a mean without a number"};
    }
    return *number;
  }

  XML_Parser parser_ = nullptr;
  SeriesList list_;
  std::string fault_;
  std::size_t depth_ = 0;
  std::vector<std::string> sections_;  ///< the test case, and the sections within
  std::string benchmark_;
  std::string text_, why_;      ///< of an element; why the test case failed
  std::set<std::string> seen_;  ///< in this run of a test case
  bool in_benchmark_ = false, has_result_ = false;
  bool lost_all_ = false;  ///< a signal ended the program
};

}  // namespace

/// Reads what a Catch2 program writes under --reporter xml, version 3 (root Catch2TestRun) and 2
/// (Catch) (https://github.com/catchorg/Catch2/blob/devel/src/catch2/reporters/
/// catch_reporter_xml.cpp, benchmarkPreparing() to benchmarkFailed()). A benchmark is the names of
/// its test case, its sections and itself.
///
/// The mean, in nanoseconds, is the one value of a benchmark, step_time; the samples are not
/// written. A test case runs once for each of its sections, and a benchmark outside of them with
/// it: each time is a value. Where a test case fails, the benchmarks that it did not reach are
/// lost. Two benchmarks of one name within one section are told apart by nothing. The file names
/// neither machine nor commit.
Sessions read_catch2(std::string_view text, const std::string& filename) {
  return with_places(
      text, filename, [&] { return one_session(CatchReader().read(text)); }, kWantedXml);
}

}  // namespace perf::formats
