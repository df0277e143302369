#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

static void fields(JsonWriter& visit, const HotFunction& record) {
  PERF_FIELDS(symbol, name, object, share)
}

static void fields(JsonWriter& visit, const Profile& record) {
  PERF_FIELDS(samples, step_time, functions)
  visit.or_null("problem", record.problem);
}

static void fields(JsonWriter& visit, const WorkloadProfile& record) {
  PERF_FIELDS(workload, base, head, changes)
}

static void fields(JsonWriter& visit, const ProfileReport& record) {
  PERF_FIELDS(base, head, workloads)
}

std::string render_profile_json(const ProfileReport& report) {
  return reporter::document_of("profile", report);
}

}  // namespace perf
