#pragma once

#include <string>
#include <vector>

namespace perf::reporter {

/// The kinds of annotation that GitHub knows, as it spells them.
enum class AnnotationLevel { error, warning, notice };

struct Annotation {
  AnnotationLevel level = AnnotationLevel::notice;
  std::string title;    ///< not escaped yet
  std::string message;  ///< not escaped yet
};

/// Annotations as workflow commands, a line each. GitHub shows the first 10 of a level in a step:
/// where there are more, the tenth says how many.
std::string workflow_commands(const std::vector<Annotation>& annotations);

}  // namespace perf::reporter
