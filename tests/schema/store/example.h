#pragma once

#include <filesystem>
#include <string>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/ratchet.h"
#include "schema/report.h"
#include "schema/store/store.h"

namespace perf::example {

/// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A comparison of two commits on "training/mlp_stack" and "parser".
Plan plan(const std::string& run_id = "run-1");
Policy policy();

/// An invocation of that plan, whole in every field, different for every order.
Invocation invocation(int start_order, int steps = 5);
/// One that says nothing: killed by a signal, everything that can be absent absent.
Invocation failed_invocation(int start_order);

/// Verdicts as the analyzer might give them, one of each kind of side.
Report report(const std::string& run_id = "run-1");

/// A search on the plan's first workload.
BisectionKey bisection_key();

/// An attempt of the ratchet `best` in the run of that id, refused.
RatchetRun ratchet_run(const std::string& id);

/// A plan and its invocations told from those of other ids.
void add_run(Store& store, const std::string& id, int invocations, bool finished = true);
/// A store with rows in every table but those of pins and hubs.
void make_full_store(const std::filesystem::path& file, const std::string& id = "run-1");
/// Runs SQL on a store.
void execute(const std::filesystem::path& file, const std::string& statements);
/// The same to a table that is append-only: its triggers are away meanwhile.
void change(store::Connection& connection, const std::string& table, const std::string& statement);

/// Every field as text, numbers exact, so that a difference can be read.
std::string dump(const Invocation& invocation);
std::string dump(const Measurements& history);

void write(const std::filesystem::path& file, const std::string& text);

}  // namespace perf::example
