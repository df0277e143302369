#include <string>

#include "reporter/escape/visible.h"
#include "reporter/headline.h"
#include "reporter/render.h"
#include "reporter/span_text.h"
#include "reporter/trend/trend_sections.h"

namespace perf {
namespace {

using namespace reporter;

constexpr std::size_t kValueLimit = 2000;  ///< columns

/// One line: a value of several would need a delimiter that no stranger can write.
std::string output(const std::string& name, const std::string& value) {
  return name + "=" + shortened(one_line(value), kValueLimit) + "\n";
}

std::string output(const std::string& name, std::size_t count) {
  return output(name, std::to_string(count));
}

}  // namespace

std::string render_github_outputs(const Report& report, int exit_code) {
  std::string text = output("verdict", std::string(to_string(report.summary.verdict)));
  text += output("headline", plain_sentences(headline(report)));
  text += output("base", report.base ? report.base->oid : "");
  text += output("head", report.head.oid);
  for (const Verdict verdict : kVerdicts) {
    const auto found = report.summary.counts.find(verdict);
    const int count = found == report.summary.counts.end() ? 0 : found->second;
    text += output(std::string(to_string(verdict)), std::to_string(count));
  }
  return text + output("exit-code", std::to_string(exit_code));
}

std::string render_github_outputs(const TrendReport& report, int exit_code) {
  const TrendDigest trend(report);
  std::string text = output("headline", plain_sentences(trend_headline(trend)));
  text += output("head", report.head.oid);
  text += output("new-alerts", trend.counts.fresh);
  text += output("known-alerts", trend.counts.known);
  text += output("machine-events", report.machine_events.size());
  return text + output("exit-code", std::to_string(exit_code));
}

}  // namespace perf
