#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "ci/cli/commands.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/process/spawner.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/store/store.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

using reporter::terminal_text;

/// A line of columns, without the blanks that an empty last one would leave.
std::string line_of(const std::string& columns) {
  return columns.substr(0, columns.find_last_not_of(' ') + 1) + "\n";
}

std::string log_of(const Store& store) {
  return joined(store.pin_events(), "", [](const PinEvent& event) {
    return line_of(fmt::format("{}  {:<6}  {}  {}  {}", terminal_text(event.at),
                               event.pinned ? "pin" : "unpin", terminal_text(event.name),
                               terminal_text(event.oid), terminal_text(event.reason)));
  });
}

std::string list_of(const std::vector<Baseline>& pins,
                    const std::vector<ConfiguredBaseline>& configured) {
  std::string text = joined(pins, "", [](const Baseline& pin) {
    return line_of(fmt::format("{}  {}  {}  {}", terminal_text(pin.name), terminal_text(pin.oid),
                               terminal_text(pin.pinned_at), terminal_text(pin.reason)));
  });
  for (const ConfiguredBaseline& one : configured) {
    text += fmt::format("{}  {}  (config)  {}{}\n", terminal_text(one.name),
                        one.oid.value_or("does not resolve"), terminal_text(one.revision),
                        std::ranges::count(pins, one.name, &Baseline::name) > 0
                            ? ", hidden by the pin of this name"
                            : "");
  }
  return text;
}

}  // namespace

int pin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  if (const std::string problem = pin_name_problem(repository, options.name); !problem.empty()) {
    throw UsageError("invalid baseline name", options.name + ": " + problem, "choose another name");
  }
  const Revision revision = resolve(repository, options.revision);
  Store store(store_path(options, repository));
  const std::vector<Baseline> pins = store.pins();
  const auto before = std::ranges::find(pins, options.name, &Baseline::name);
  store.pin({options.name, revision.oid, options.reason, utc_now()});
  std::string text = fmt::format("pinned {} at {} {}\n", options.name, revision.oid,
                                 terminal_text(revision.subject));
  if (before != pins.end()) {
    text += line_of(fmt::format("  was {} since {}  {}", terminal_text(before->oid),
                                terminal_text(before->pinned_at), terminal_text(before->reason)));
  }
  write_text("-", text);
  return 0;
}

int unpin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  Store store(store_path(options, repository));
  if (!store.unpin(options.name, utc_now(), options.reason)) {
    throw UsageError("no such baseline", options.name, "perf-compare pins lists them");
  }
  write_text("-", fmt::format("unpinned {}\n", options.name));
  return 0;
}

int pins_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  // Opened for writing, to repair what a killed writer left.
  const auto file = store_there(options, repository, "pin NAME");
  const std::optional<Store> store = file ? std::optional<Store>(*file) : std::nullopt;
  const std::string text =
      options.log ? (store ? log_of(*store) : "")
                  : list_of(store ? store->pins() : std::vector<Baseline>{},
                            configured_baselines(config_here(options, &repository), repository));
  if (text.empty()) {
    std::fputs(options.log ? "no baseline was pinned yet\n"
                           : "no baselines; to add one: perf-compare pin NAME REV\n",
               stderr);
  }
  write_text("-", text);
  return 0;
}

}  // namespace perf
