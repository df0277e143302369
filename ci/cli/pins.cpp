#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "ci/cli/clock.h"
#include "ci/cli/commands.h"
#include "ci/cli/config_here.h"
#include "ci/cli/output.h"
#include "ci/cli/store_path.h"
#include "collector/git/baseline.h"
#include "collector/git/resolve.h"
#include "collector/process/spawner.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/shell_words.h"
#include "schema/store/store.h"

namespace perf {
namespace {

using reporter::terminal_text;

std::optional<Baseline> pin_named(const std::vector<Baseline>& pins, const std::string& name) {
  const auto pin =
      std::ranges::find_if(pins, [&name](const Baseline& one) { return one.name == name; });
  return pin == pins.end() ? std::nullopt : std::optional<Baseline>(*pin);
}

/// A line of columns, without the blanks that an empty last one would leave.
std::string line_of(const std::string& columns) {
  return columns.substr(0, columns.find_last_not_of(' ') + 1) + "\n";
}

std::string log_of(const Store& store) {
  std::string text;
  for (const PinEvent& event : store.pin_events()) {
    text += line_of(fmt::format("{}  {:<6}  {}  {}  {}", terminal_text(event.at),
                                event.pinned ? "pin" : "unpin", terminal_text(event.name),
                                terminal_text(event.oid), terminal_text(event.reason)));
  }
  return text;
}

std::string list_of(const std::vector<Baseline>& pins,
                    const std::vector<ConfiguredBaseline>& configured) {
  std::string text;
  for (const Baseline& pin : pins) {
    text += line_of(fmt::format("{}  {}  {}  {}", terminal_text(pin.name), terminal_text(pin.oid),
                                terminal_text(pin.pinned_at), terminal_text(pin.reason)));
  }
  for (const ConfiguredBaseline& one : configured) {
    text += fmt::format("{}  {}  (config)  {}{}\n", terminal_text(one.name),
                        one.oid.value_or("leads nowhere"), terminal_text(one.revision),
                        pin_named(pins, one.name) ? ", hidden by the pin of this name" : "");
  }
  return text;
}

/// Listing pins makes no store. What a dead writer left is put in order, so it is opened to write.
std::optional<Store> store_there(const Options& options, const Repository& repository) {
  const std::filesystem::path file = store_path(options, repository);
  std::error_code error;
  const bool is_missing = !std::filesystem::exists(file, error) && !error;
  if (is_missing && !options.db.empty()) {
    throw Error("there is no such store", options.db,
                "perf-compare pin NAME --db " + shell_word(options.db) + " makes it");
  }
  return is_missing ? std::nullopt : std::optional<Store>(file);
}

}  // namespace

int pin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  if (const std::string problem = pin_name_problem(repository, options.name); !problem.empty()) {
    throw UsageError("the name cannot be pinned", options.name + ": " + problem,
                     "choose another name");
  }
  const Revision revision = resolve(repository, options.revision);
  Store store(store_path(options, repository));
  const std::optional<Baseline> before = pin_named(store.pins(), options.name);
  store.pin({options.name, revision.oid, options.reason, utc_now()});
  std::string text = fmt::format("pinned {} at {} {}\n", options.name, revision.oid,
                                 terminal_text(revision.subject));
  if (before) {
    text += line_of(fmt::format("  it stood for {} since {}  {}", terminal_text(before->oid),
                                terminal_text(before->pinned_at), terminal_text(before->reason)));
  }
  write_text("-", text);
  return 0;
}

int unpin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  Store store(store_path(options, repository));
  if (!store.unpin(options.name, utc_now(), options.reason)) {
    throw UsageError("there is no such baseline", options.name, "perf-compare pins lists them");
  }
  write_text("-", fmt::format("unpinned {}\n", options.name));
  return 0;
}

int pins_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  const std::optional<Store> store = store_there(options, repository);
  const std::string text =
      options.log ? (store ? log_of(*store) : "")
                  : list_of(store ? store->pins() : std::vector<Baseline>{},
                            configured_baselines(config_here(options, &repository), repository));
  if (text.empty()) {
    std::fputs(options.log ? "nothing was ever pinned\n"
                           : "there is no baseline: perf-compare pin NAME REV makes one\n",
               stderr);
  }
  write_text("-", text);
  return 0;
}

}  // namespace perf
