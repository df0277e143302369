#include <string>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

Revision revision(const std::string& oid, const std::string& subject, const std::string& name) {
  Revision made;
  made.oid = oid;
  made.subject = subject;
  made.name = name;
  made.rule = name;
  return made;
}

Profile profile(double gelu) {
  Profile made;
  made.samples = 1200;
  made.step_time = 0.010;
  made.functions = {{"_Z4geluRfi", "gelu(float&, int)", "/cache/tree/build/bench", gelu},
                    {"sgemm_kernel", "sgemm_kernel", "/usr/lib/libopenblas.so.0", 0.98 - gelu}};
  for (int i = 0; i < 30; ++i) {
    made.functions.push_back({"f" + std::to_string(i), "f" + std::to_string(i), "/b", 0.0004});
  }
  return made;
}

}  // namespace

ProfileReport profiled() {
  ProfileReport report;
  report.head = revision(std::string(40, 'b'), "Compute more", "HEAD");
  report.workloads = {{"training/mlp", {}, profile(0.5), {}}};
  return report;
}

ProfileReport profiled_twice() {
  ProfileReport report = profiled();
  report.base = revision(std::string(40, 'a'), "Begin", "HEAD~1");
  report.workloads[0].base = profile(0.3);
  report.workloads[0].changes = {
      {"_Z4geluRfi", "gelu(float&, int)", "bench", 0.3, 0.5, 0.003, 0.005},
      {"sgemm_kernel", "sgemm_kernel", "libopenblas.so.0", 0.68, 0.48, {}, {}}};
  Profile none;
  none.problem = "perf could not be started: install it";
  report.workloads.push_back({"inference/x", profile(0.3), none, {}});
  return report;
}

}  // namespace perf::samples
