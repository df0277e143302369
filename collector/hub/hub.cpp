#include "collector/hub/hub.h"

#include <algorithm>
#include <string_view>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"
#include "collector/postgres/address.h"
#include "schema/text/fnv.h"

namespace perf {

namespace {

constexpr std::string_view kEnding = ".zst";

}  // namespace

Error no_payload(const std::string& place) {
  return {"not the name of a payload", place, "find out who put it there"};
}

std::string hub_key(const std::string& address, const std::string& id, bool is_new) {
  const std::string which = id.empty() ? (is_new ? "\nnew" : "") : "\n" + id;
  return hexadecimal(fnv1a_64(address + which));
}

std::string resolved_hub(const std::string& address, const Repository& repository) {
  if (postgres::is_address(address)) {
    return postgres::masked(address);
  }
  const std::size_t colon = std::min(address.find(':') + 1, address.size());
  const std::string kind = address.substr(0, colon), place = address.substr(colon);
  if (kind == "dir:") {
    return kind + std::filesystem::weakly_canonical(repository.workdir() / place).string();
  }
  const auto line = [&](std::vector<std::string> arguments) {
    arguments.push_back(place);
    return git_line(repository.process(), {std::move(arguments), repository.workdir()});
  };
  std::string url = line({"ls-remote", "--get-url"});
  if (url.find(':') == std::string::npos) {
    url = std::filesystem::weakly_canonical(repository.workdir() / url).string();
  }
  const std::string push_url = line({"remote", "get-url", "--push"});
  const std::string fetch_url = line({"remote", "get-url"});
  return without_credentials(kind + url + (push_url == fetch_url ? "" : " " + push_url));
}

std::string shown_hub(const std::string& address) {
  return postgres::is_address(address) ? postgres::shown(address) : without_credentials(address);
}

std::unique_ptr<Hub> open_hub(const std::string& address, const HubTools& tools) {
  if (postgres::is_address(address)) {
    return open_postgres_hub(address, tools);
  }
  if (tools.untrusted) {
    throw UsageError("only PostgreSQL hubs keep untrusted runs apart", shown_hub(address),
                     "keep them in the job's artifact");
  }
  const std::size_t colon = address.find(':');
  const std::string kind = address.substr(0, colon);
  const std::string place = colon == std::string::npos ? "" : address.substr(colon + 1);
  if (!place.empty() && place[0] != '-') {
    if (kind == "git") {
      return open_git_hub(place, tools);
    }
    if (kind == "dir") {
      return open_folder_hub(place, tools);
    }
  }
  throw UsageError(
      "invalid address of a hub", shown_hub(address),
      "write git:REMOTE (a git remote or URL), dir:FOLDER or postgres://HOST/DATABASE");
}

std::string payload_file(const std::string& name) {
  return name + std::string(kEnding);
}

std::string payload_name(const std::string& file) {
  if (!file.ends_with(kEnding)) {
    return {};
  }
  std::string name = file.substr(0, file.size() - kEnding.size());
  return id_of_payload(name).empty() ? std::string() : name;
}

}  // namespace perf
