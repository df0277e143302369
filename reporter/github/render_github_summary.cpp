#include "reporter/bisection_layout.h"
#include "reporter/calibration_layout.h"
#include "reporter/collection_layout.h"
#include "reporter/layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"
#include "reporter/trend/trend_layout.h"

namespace perf {
namespace {

/// What the reader is told: the limit of a step, whatever of it is left for this report.
constexpr const char* kStepLimit = "900 KiB";

std::string summary(const reporter::Document& document, std::size_t limit) {
  return reporter::markdown_document(document, {limit, kStepLimit});
}

}  // namespace

std::string render_github_summary(const Report& report, std::size_t limit) {
  return summary(reporter::lay_out(report, reporter::kInFullBelow), limit);
}

std::string render_github_summary(const TrendReport& report, std::size_t limit) {
  return summary(reporter::lay_out(report), limit);
}

std::string render_github_summary(const Bisection& bisection, std::size_t limit) {
  return summary(reporter::lay_out(bisection), limit);
}

std::string render_github_summary(const Calibration& calibration, std::size_t limit) {
  return summary(reporter::lay_out(calibration), limit);
}

std::string render_github_summary(const Collection& collection, std::size_t limit) {
  return summary(reporter::lay_out(collection), limit);
}

}  // namespace perf
