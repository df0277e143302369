#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

static void fields(JsonWriter& visit, const CollectedValue& record) {
  PERF_FIELDS(median, min, max)
}

static void fields(JsonWriter& visit, const CollectedWorkload& record) {
  PERF_FIELDS(workload, params, status, step_time, peak_rss, invocations, pairs, change, interval)
  visit.or_null("failure", record.failure);
}

static void fields(JsonWriter& visit, const CollectedCommit& record) {
  visit("oid", record.revision.oid);
  visit("subject", record.revision.subject);
  visit.time("committed_at", record.revision.committed_at);
  visit("name", record.revision.name);
  visit.or_null("run", record.run_id);
  visit.or_null("failure", record.failure);
  PERF_FIELDS(status, workloads)
}

static void fields(JsonWriter& visit, const Collection& record) {
  origin_fields(visit, record);
  PERF_FIELDS(asked, anchor, fingerprint, size, wanted, commits, measured, interrupted,
              budget_spent)
  visit("left", count_of(record, CollectedStatus::left));
  visit.or_null("go_on", record.go_on);
}

std::string render_collection_json(const Collection& collection) {
  return reporter::document_of("collection", collection);
}

}  // namespace perf
