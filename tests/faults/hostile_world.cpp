#include "tests/faults/hostile_world.h"

#include <sys/stat.h>

#include <fstream>

#include "tests/words.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

std::string stamp_of(const struct stat& status) {
  return std::to_string(status.st_mode) + " " + std::to_string(status.st_ino) + " " +
         std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

/// Whether writing `output` explains a change of `path`: the file, a temporary file beside it, a
/// folder on the way to it, or a file in a folder.
bool explains(const fs::path& output, const std::string& path) {
  const std::string named = output.string();
  return path.rfind(named, 0) == 0 || named.rfind(path + "/", 0) == 0;
}

}  // namespace

HostileWorld::HostileWorld(std::uint64_t seed, const std::string& witness)
    : strings_(seed),
      root_(repository_.path().parent_path()),
      here_(repository_.path() / "sub" / "here"),
      given_(root_ / "given"),
      witness_(witness) {
  repository_.write("perf-compare.json", hostile_config(witness, "{}"));
  repository_.write("sub/here/file", "one");
  repository_.commit("one");
  repository_.write("sub/here/file", "two");
  repository_.commit("two");
  for (const char* folder : {"given", "tmp", "cache"}) {
    fs::create_directories(root_ / folder);
  }
  make_hostile_refs();
  make_hostile_commits();
}

/// Branches and tags that git allows, and some that are not commits.
void HostileWorld::make_hostile_refs() {
  repository_.git({"tag", "a-blob", repository_.git({"rev-parse", "HEAD:perf-compare.json"})});
  repository_.git({"tag", "a-tree", repository_.git({"rev-parse", "HEAD^{tree}"})});
  const std::string oid = repository_.git({"rev-parse", "HEAD~1"});
  names_ = words(
      "-x --help --upload-pack=touch release baseline HEAD deadbeef compare "
      "0000000000000000000000000000000000000000 $(touch) `x` a;b a'b a\"b a&b|c <script> %s%n "
      "\xe2\x80\xae"
      "rtl main.x \xff\xfe a=b @ {a,b} !x");
  while (names_.size() < 120) {
    names_.push_back(strings_.argument().substr(0, 200));
  }
  std::vector<std::string> made;
  for (const std::string& name : names_) {
    const std::string place = strings_.below(2) == 0 ? "refs/heads/" : "refs/tags/";
    const Outcome outcome =
        run({"git", "update-ref", place + name, oid}, repository_.path(), {{"HOME", root_}});
    if (outcome.exit_code == 0) {
      made.push_back(strings_.below(3) == 0 ? place + name : name);
    }
  }
  names_ = made;
  hostile_refs_ = static_cast<int>(made.size());
}

/// Commits with hostile author and subject: git does not write them, but fetches them.
void HostileWorld::make_hostile_commits() {
  const std::string tree = repository_.git({"rev-parse", "HEAD^{tree}"});
  for (int i = 0; i < 20; ++i) {
    std::string author = strings_.argument().substr(0, 500);
    std::erase_if(author, [](char c) { return c == '\n' || c == '<' || c == '>'; });
    const std::string commit = "tree " + tree + "\nparent " +
                               repository_.git({"rev-parse", "HEAD"}) + "\nauthor " + author +
                               " <x@example.com> 1700000000 +0000\n" +
                               "committer C <c@example.com> 1700000000 +0000\n\n" +
                               strings_.argument().substr(0, 4000) + "\n";
    const fs::path file = write("commit", commit);
    const std::string oid =
        repository_.git({"hash-object", "-t", "commit", "-w", "--literally", file.string()});
    const std::string name = "hostile-commit-" + std::to_string(i);
    repository_.git({"update-ref", "refs/tags/" + name, oid});
    names_.push_back(name);
  }
}

fs::path HostileWorld::write(const std::string& name, const std::string& text) const {
  std::ofstream(given_ / name, std::ios::binary) << text;
  return given_ / name;
}

Outcome HostileWorld::run_command(const HostileCommand& command,
                                  std::vector<std::string> wrapper) const {
  std::map<std::string, std::string> variables{{"HOME", root_},
                                               {"XDG_CACHE_HOME", root_ / "cache"},
                                               {"TMPDIR", root_ / "tmp"},
                                               {"WITNESS_ARGUMENTS", "/dev/null"}};
  for (const auto& [name, value] : command.variables) {
    variables[name] = value;
  }
  wrapper.emplace_back(PERF_BINARY_DIR "/bin/perf-compare");
  wrapper.insert(wrapper.end(), command.arguments.begin(), command.arguments.end());
  return run(wrapper, here_, variables);
}

std::map<std::string, std::string> HostileWorld::look() const {
  std::map<std::string, std::string> seen;
  for (fs::recursive_directory_iterator at(root_), end; at != end; ++at) {
    const std::string path = at->path().string();
    if (path == given_ || path == root_ / "cache" || path == repository_.path() / ".perf-compare" ||
        path == repository_.path() / ".git" / "objects") {
      at.disable_recursion_pending();
      continue;
    }
    struct stat status {};
    lstat(path.c_str(), &status);
    seen[path] = S_ISDIR(status.st_mode) ? "folder" : stamp_of(status);
  }
  return seen;
}

std::vector<std::string> HostileWorld::unexpected(const std::map<std::string, std::string>& before,
                                                  const HostileCommand& command) const {
  std::vector<std::string> found, fresh;
  const std::map<std::string, std::string> now = look();
  const auto note = [&](const std::string& path) {
    for (const fs::path& output : command.outputs) {
      if (explains(output, path)) {
        return;
      }
    }
    found.push_back(path);
  };
  for (const auto& [path, stamp] : now) {
    const auto earlier = before.find(path);
    if (earlier == before.end()) {
      fresh.push_back(path);
    }
    if (earlier == before.end() || earlier->second != stamp) {
      note(path);
    }
  }
  for (const auto& [path, stamp] : before) {
    if (now.find(path) == now.end()) {
      note(path);
    }
  }
  for (const std::string& path : fresh) {
    fs::remove_all(path);
  }
  return found;
}

}  // namespace perf::test
