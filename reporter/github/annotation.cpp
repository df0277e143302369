#include "reporter/github/annotation.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShown = 10;
constexpr std::size_t kTitleLimit = 200;     ///< columns
constexpr std::size_t kMessageLimit = 2000;  ///< columns

constexpr std::array<const char*, 3> kLevels{"error", "warning", "notice"};

std::string command_of(const Annotation& annotation) {
  return std::string("::") + kLevels[static_cast<std::size_t>(annotation.level)] +
         " title=" + workflow_property(shortened(one_line(annotation.title), kTitleLimit)) +
         "::" + workflow_message(shortened(one_line(annotation.message), kMessageLimit)) + "\n";
}

}  // namespace

std::string workflow_commands(const std::vector<Annotation>& annotations) {
  std::string text;
  for (const AnnotationLevel level :
       {AnnotationLevel::error, AnnotationLevel::warning, AnnotationLevel::notice}) {
    std::vector<Annotation> chosen;
    std::ranges::copy_if(annotations, std::back_inserter(chosen),
                         [level](const Annotation& one) { return one.level == level; });
    const bool all = chosen.size() <= kShown;
    for (std::size_t i = 0; i < (all ? chosen.size() : kShown - 1); ++i) {
      text += command_of(chosen[i]);
    }
    if (!all) {
      text += command_of({level, "perf-compare",
                          "and " + std::to_string(chosen.size() - kShown + 1) +
                              " more: see the summary of the job"});
    }
  }
  return text;
}

}  // namespace perf::reporter
