#include "ci/cli/hub/hub.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/signals.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/build/build_cache.h"
#include "collector/hub/hub.h"
#include "collector/postgres/address.h"
#include "collector/this_process.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/store.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

using reporter::terminal_text;

/// The largest batch: one transaction here, one push there.
constexpr std::size_t kPayloadsAtOnce = 250;
constexpr std::size_t kBytesAtOnce = std::size_t{64} << 20U;

/// A hub, and the store beside it.
struct Meeting {
  std::string address;  ///< without credentials
  std::unique_ptr<Hub> hub;
  Store store;
  std::string writer;
};

/// The hubs of configs that may get this user's credentials: a line each, as resolved_hub returns.
std::filesystem::path trust_file() {
  std::filesystem::path folder = environment_variable("XDG_CONFIG_HOME").value_or("");
  if (!folder.is_absolute()) {
    folder = environment_variable("HOME").value_or("");
    folder = folder.is_absolute() ? folder / ".config" : "";
  }
  return folder.empty() ? folder : folder / "perf-compare" / "trusted_hubs";
}

bool is_trusted(const std::string& resolved) {
  std::istringstream lines(content_of(trust_file()));
  for (std::string line; std::getline(lines, line);) {
    if (line == resolved) {
      return true;
    }
  }
  return false;
}

/// The hub that the config names; empty without one.
std::string hub_of_config(const Options& options, const Repository& repository) {
  const std::string address = config_here(options, &repository).hub;
  if (postgres::holds_password(address)) {
    throw UsageError("\"hub\" in the config contains a password", shown_hub(address),
                     "remove it, change the password, and pass it by PGPASSWORD or ~/.pgpass");
  }
  return address;
}

UsageError no_hub(const std::string& command) {
  return UsageError(
      "missing hub", "HUB",
      "perf-compare " + command +
          " git:origin, or set \"hub\" in the config: git:REMOTE, dir:FOLDER, postgres://...");
}

/// Of the command line, which the user trusts, else of the config, which may be a stranger's.
std::string address_of(const Options& options, const Repository& repository) {
  if (!options.hub.empty()) {
    return options.hub;
  }
  const std::string address = hub_of_config(options, repository);
  if (address.empty()) {
    throw no_hub(options.command);
  }
  if (const std::string resolved = resolved_hub(address, repository); !is_trusted(resolved)) {
    throw UsageError("the hub in the config is not trusted on this machine", resolved,
                     "perf-compare hub trust, to allow it your credentials");
  }
  return address;
}

HubTools tools_for(const Options& options, const Repository& repository) {
  return {repository, build_cache_folder(environment_variable), is_interrupted, options.untrusted};
}

Meeting open_meeting(const Options& options, const Repository& repository) {
  if (!options.writer.empty() && !is_run_id(options.writer)) {
    throw UsageError("invalid writer name", options.writer,
                     "letters, digits, dots, dashes and underscores; the first a letter or digit");
  }
  const std::string address = address_of(options, repository);
  return {shown_hub(address), open_hub(address, tools_for(options, repository)),
          Store(store_path(options, repository)),
          options.writer.empty() ? host_of_this_machine() : options.writer};
}

/// Collects payloads, and calls `hand_over` for each full batch.
class Batch {
 public:
  explicit Batch(std::function<void(std::vector<Payload>&)> hand_over)
      : hand_over_(std::move(hand_over)) {}

  void add(Payload payload) {
    bytes_ += payload.bytes.size();
    payloads_.push_back(std::move(payload));
    if (payloads_.size() >= kPayloadsAtOnce || bytes_ >= kBytesAtOnce) {
      end();
    }
  }
  void end() {
    if (!payloads_.empty()) {
      hand_over_(payloads_);
      payloads_.clear();
      bytes_ = 0;
    }
  }

 private:
  std::function<void(std::vector<Payload>&)> hand_over_;
  std::vector<Payload> payloads_{};
  std::size_t bytes_ = 0;
};

std::string pulled_line(const Meeting& meeting, const MergeResult& merged) {
  std::string text = fmt::format("{}: pulled {}", terminal_text(meeting.address),
                                 counted(merged.runs, "run", "runs"));
  if (merged.known != 0) {
    text += "; " + counted(merged.known, "run was", "runs were") + " known already";
  }
  if (merged.alerts != 0) {
    text += "; events of " + counted(merged.alerts, "alert", "alerts");
  }
  return text;
}

/// Reads the next of these entries, at least one, and returns how many; unreadable ones are
/// refused.
std::size_t read_next(Hub& hub, std::span<const HubEntry> entries, Batch& batch,
                      std::vector<Error>& refused) {
  std::size_t done = 0;
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      refused.emplace_back(error.what, entries[done].name, error.hint);
      ++done;
    }
  };
  attempt([&] {
    for (std::optional<std::string>& bytes : hub.read_some(entries)) {
      attempt([&] {
        const HubEntry& entry = entries[done];
        batch.add({entry.name, entry.month, bytes ? *std::move(bytes) : hub.read(entry)});
        ++done;
      });
    }
  });
  return done;
}

/// Takes in one copy of each payload; returns the other copies of those that were refused.
std::vector<HubEntry> take_in(Meeting& meeting, const std::vector<HubEntry>& entries,
                              TakenPayloads& pulled) {
  std::set<std::string> seen;
  std::vector<HubEntry> firsts, copies;
  for (const HubEntry& entry : entries) {
    (seen.insert(entry.name).second ? firsts : copies).push_back(entry);
  }
  TakenPayloads taken;
  Batch batch([&](std::vector<Payload>& payloads) {
    taken += meeting.store.take(meeting.hub->key(), payloads);
  });
  for (std::span<const HubEntry> left(firsts); !left.empty() && !is_interrupted();) {
    left = left.subspan(read_next(*meeting.hub, left, batch, taken.refused));
  }
  batch.end();
  std::set<std::string> refused;
  std::ranges::transform(taken.refused, std::inserter(refused, refused.end()), &Error::subject);
  std::erase_if(copies, [&](const HubEntry& copy) { return !refused.contains(copy.name); });
  pulled += taken;
  return copies;
}

/// Takes in the new entries of the hub; refused ones are reported.
int pull(Meeting& meeting, const std::function<void(const std::string&)>& say) {
  HubListing listing = meeting.hub->list();
  const std::set<std::string> known = meeting.store.payloads_in(meeting.hub->key());
  std::vector<HubEntry> entries = std::move(listing.entries);
  std::erase_if(entries, [&](const HubEntry& entry) { return known.contains(entry.name); });
  TakenPayloads pulled{{}, std::move(listing.strange)};
  while (!entries.empty() && !is_interrupted()) {
    entries = take_in(meeting, entries, pulled);
  }
  say(pulled_line(meeting, pulled.merged));
  std::ranges::for_each(pulled.refused, print_error);
  return pulled.refused.empty() ? kFine : kNotMeasured;
}

/// Runs that the hub does not have, and the alerts of months with new events. Those that cannot be
/// pushed are reported, and make it return false.
bool for_each_new(const Meeting& meeting, const std::function<void(Payload)>& use) {
  const std::set<std::string> known = meeting.store.payloads_in(meeting.hub->key());
  std::set<std::string> ids;
  std::ranges::transform(known, std::inserter(ids, ids.end()), id_of_payload);
  bool all = true;
  const auto use_new = [&](const auto& make) {
    std::optional<Payload> payload;
    try {
      payload = make();
    } catch (const Error& error) {
      print_error(error);
      all = false;
    }
    if (payload && !known.contains(payload->name)) {
      use(std::move(*payload));
    }
  };
  for (const std::string& run : meeting.store.finished_runs()) {
    if (!ids.contains(run) && !is_interrupted()) {
      use_new([&] { return meeting.store.payload_of_run(run); });
    }
  }
  for (const std::string& month : meeting.store.months_of_alerts()) {
    if (!is_interrupted()) {
      use_new([&] { return meeting.store.payload_of_alerts(month); });
    }
  }
  return all;
}

int push(Meeting& meeting, const std::function<void(const std::string&)>& say) {
  std::int64_t runs = 0, alerts = 0, bytes = 0;
  Batch batch([&](std::vector<Payload>& payloads) {
    meeting.hub->put(meeting.writer, payloads);
    std::vector<std::string> names;
    for (const Payload& payload : payloads) {
      const bool is_run = id_of_payload(payload.name) != kAlertsPayload;
      ++(is_run ? runs : alerts);
      bytes += static_cast<std::int64_t>(payload.bytes.size());
      names.push_back(payload.name);
    }
    meeting.store.remember_payloads(meeting.hub->key(), names);
  });
  const bool all = for_each_new(meeting, [&](Payload payload) { batch.add(std::move(payload)); });
  batch.end();
  std::string text =
      fmt::format("{}: pushed {}", terminal_text(meeting.address), counted(runs, "run", "runs"));
  if (alerts != 0) {
    text += " and events of alerts";
  }
  if (bytes != 0) {
    text += fmt::format(" ({} kB)", (bytes + 999) / 1000);
  }
  const auto left =
      meeting.store.count_runs() - static_cast<std::int64_t>(meeting.store.finished_runs().size());
  if (left > 0) {
    text += "; " + counted(left, "unfinished run was", "unfinished runs were") + " not pushed";
  }
  say(text);
  return all ? kFine : kNotMeasured;
}

/// One step of a meeting, or several, where a signal may end it.
int meet(const Options& options, Spawner& spawner,
         const std::function<int(Meeting&, const std::function<void(const std::string&)>&)>& step,
         const std::function<void(const std::string&)>& say) {
  catch_interruptions();
  spawner.set_interrupted(is_interrupted);
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  Meeting meeting = open_meeting(options, repository);
  return unless_interrupted(step(meeting, say));
}

void say_as_result(const std::string& line) {
  write_text("-", line + "\n");
}

void say_on_stderr(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
}

/// The first of the last `keep` months, this one being the last.
std::string first_month(int keep) {
  const std::string now = utc_now();
  const int month = std::stoi(now.substr(0, 4)) * 12 + std::stoi(now.substr(5, 2)) - keep;
  return fmt::format("{:04}-{:02}", std::max(month, 0) / 12, std::max(month, 0) % 12 + 1);
}

}  // namespace

int push_command(const Options& options, Spawner& spawner) {
  return meet(options, spawner, push, say_as_result);
}

int pull_command(const Options& options, Spawner& spawner) {
  return meet(options, spawner, pull, say_as_result);
}

int sync_command(const Options& options, Spawner& spawner) {
  return meet(
      options, spawner,
      [](Meeting& meeting, const std::function<void(const std::string&)>& say) {
        const int pulled = pull(meeting, say);
        const int pushed = push(meeting, say);
        return pulled != kFine ? pulled : pushed;
      },
      say_as_result);
}

int with_hub(const Options& options, Spawner& spawner, const std::function<int()>& work,
             bool takes_in) {
  if (options.hub.empty()) {
    return work();
  }
  bool failed = false;
  const auto step = [&](const auto& what) {
    try {
      failed = meet(options, spawner, what, say_on_stderr) != kFine || failed;
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      print_error(error);
      failed = true;
    }
  };
  if (takes_in) {
    step(pull);
  }
  const int code = work();
  step(push);
  return code == kFine && failed ? static_cast<int>(kNotMeasured) : code;
}

int trust_hub(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  const std::string address =
      options.hub.empty() ? hub_of_config(options, repository) : options.hub;
  if (address.empty()) {
    throw no_hub("hub trust");
  }
  const std::string resolved = resolved_hub(address, repository);
  const std::filesystem::path file = trust_file();
  if (resolved.find('\n') != std::string::npos || file.empty()) {
    throw UsageError("cannot record the hub", resolved,
                     file.empty() ? "set HOME or XDG_CONFIG_HOME" : "remove the line break");
  }
  if (!is_trusted(resolved)) {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    write_text(file.string(), content_of(file) + resolved + "\n");
  }
  say_as_result(fmt::format("{}: trusted; recorded in {}", terminal_text(resolved),
                            terminal_text(file.string())));
  return kFine;
}

int prune_hub(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  const std::string address = address_of(options, repository);
  const std::unique_ptr<Hub> hub = open_hub(address, tools_for(options, repository));
  const HubListing listing = hub->list();
  const std::string first = first_month(*options.keep_months);
  std::set<std::string> months;
  std::int64_t entries = 0;
  for (const HubEntry& entry : listing.entries) {
    if (entry.month < first) {
      months.insert(entry.month);
      ++entries;
    }
  }
  if (!options.dry_run) {
    hub->drop_before(first);
  }
  say_as_result(fmt::format("{}: {} {} of {}", terminal_text(shown_hub(address)),
                            options.dry_run ? "would remove" : "removed",
                            counted(entries, "payload", "payloads"),
                            counted(static_cast<std::int64_t>(months.size()), "month", "months")));
  return kFine;
}

}  // namespace perf
