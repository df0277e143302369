#include <algorithm>
#include <filesystem>

#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/process/captured_text.h"
#include "schema/param.h"
#include "schema/text/glob.h"
#include "schema/text/shell_words.h"
#include "schema/text/units.h"
#include "schema/workload_name.h"
#include "tests/collector/git/scratch.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"
#include "tests/words.h"

namespace perf::fuzz {
namespace {

/// A history with every kind of name: branches, a merge, tags of both kinds, a remote, a reflog, a
/// tree and a file, a note. Made once.
struct Measurements {
  Measurements() {
    scratch.commit("a.txt", "one");
    scratch.git({"tag", "v1"});
    scratch.commit("a.txt", "two");
    scratch.git({"tag", "-a", "v2", "-m", "the second"});
    scratch.git({"checkout", "--quiet", "-b", "side/branch"});
    scratch.commit("folder/b.txt", "three");
    scratch.git({"checkout", "--quiet", "main"});
    scratch.commit("a.txt", "four");
    scratch.git({"merge", "--quiet", "--no-ff", "-m", "Merge", "side/branch"});
    scratch.git({"update-ref", "refs/remotes/origin/main", "HEAD~1"});
    scratch.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
    scratch.git({"config", "branch.main.remote", "origin"});
    scratch.git({"config", "branch.main.merge", "refs/heads/main"});
    scratch.git({"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"});
    scratch.git({"tag", "tree", "HEAD^{tree}"});
    repository.emplace(Repository::open(scratch.path(), test::run_process()));
    sources.pins = {{"release", repository->find("v1")->oid, "", "2026-01-01T00:00:00Z"}};
    sources.baselines = {{"configured", "v2"}};
    sources.variable = test::variables({});
  }
  test::Scratch scratch;
  std::optional<Repository> repository;
  NameSources sources;
};

const Measurements& measurements() {
  static const Measurements made;
  return made;
}

std::string text_of(const Revision& revision) {
  require(revision.oid.size() == 40 &&
              revision.oid.find_first_not_of("0123456789abcdef") == std::string::npos,
          "no full id: " + revision.oid);
  require(measurements().repository->has_commit(revision.oid), "no such commit: " + revision.oid);
  return revision.oid;
}

/// A revision, or an error as it would be printed.
template <class Find>
std::string commit_or_error(const Find& find) {
  try {
    return find();
  } catch (const Error& error) {
    require(!error.what.empty(), "an error of nothing");
    require_printable(to_one_line(error.subject), "the subject");
    require_printable(error.hint, "the hint");
    return error.what + ": " + error.subject;
  }
}

std::string revision(const std::string& name) {
  return commit_or_error([&] {
    const Revision found = resolve(*measurements().repository, name);
    require(found.name == name, "another name");
    return text_of(found);
  });
}

std::string head(const std::string& name) {
  if (name == ".")  // asks git itself, which takes too long here
  {
    return "";
  }
  return commit_or_error([&] {
    return text_of(resolve_head(*measurements().repository, name, measurements().sources));
  });
}

std::string base(const std::string& name) {
  if (name == ".") {
    return "";
  }
  return commit_or_error([&] {
    const Revision tip = measurements().repository->commit(measurements().sources.pins.front().oid);
    const std::optional<Revision> found =
        resolve_base(*measurements().repository, name, tip, measurements().sources);
    return found ? text_of(*found) : std::string("none");
  });
}

std::string commits(const std::string& expression) {
  return commit_or_error([&] {
    std::string text;
    for (const Revision& one : range(*measurements().repository, expression)) {
      text += text_of(one) + " ";
    }
    return text;
  });
}

/// A pin's name is not an option, a path out of the folder or a name of git.
std::string pin(const std::string& name) {
  const std::string problem =
      commit_or_error([&] { return pin_name_problem(*measurements().repository, name); });
  if (problem.empty()) {
    require(name.front() != '-' && name.find("..") == std::string::npos && name != "HEAD" &&
                !measurements().repository->find(name),
            "a pin that is something else");
  }
  return problem;
}

/// Words with units, settings and globs.
std::string word(const std::string& text) {
  std::string all;
  for (const auto& parse : {parse_percentage, parse_duration, parse_byte_size}) {
    all += commit_or_error([&] {
      const double number = parse(text, "--option");
      require(std::isfinite(number) && number >= 0, "a number that is none");
      return exactly(number);
    });
  }
  const Param param = param_from_text(text);
  const double* number = std::get_if<double>(&param);
  require(number == nullptr || std::isfinite(*number), "a parameter that is no number");
  require(same_value(param, param_from_text(to_text(param))),
          "a parameter that does not read back");
  const std::size_t half = text.size() / 2;
  const bool matches = glob_match(text.substr(0, half), text.substr(half));
  return all + to_text(param) + (matches ? "!" : "") + fault_in_workload_name(text);
}

/// Text quoted for a shell is read back unchanged.
std::string line(const std::string& text) {
  if (text.find('\0') == std::string::npos) {
    require(shell_words_of(shell_word(text)) == std::vector<std::string>{text},
            "a word that a shell reads differently");
  }
  std::string all;
  for (const std::string& one : shell_words_of(text).value_or(std::vector<std::string>{})) {
    all += shell_word(one) + " ";
  }
  require_printable(to_one_line(text), "a line");
  return all;
}

void run(std::string_view input) {
  constexpr std::string (*kReaders[])(const std::string&) = {revision, head, base, commits,
                                                             pin,      word, line};
  const auto read = kReaders[pick(input, 7)];
  require(read(std::string(input)) == read(std::string(input)), "the same is read in two ways");
}

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (const char kind : {'\0', '\1', '\2', '\4'}) {
    for (const std::string& name :
         words("HEAD HEAD~2^2 v1 v2^{commit} tree side/branch @{u} main@{1} @{-1} :/four "
               "HEAD^{/t.o} HEAD:folder baseline release configured 1a2b3c origin/main "
               "refs/tags/v1 main@{yesterday} v1-1-g1a2b3c4 -x --help")) {
      all.push_back(kind + name);
    }
  }
  for (const char* name : {"v1..HEAD", "..", "main..", "v1..v2", "a...b"}) {
    all.push_back("\3" + std::string(name));
  }
  for (const char* text :
       {"10%", "0.5 %", "250ms", "2h", "100MiB", "1e3", "true", "-0", "0x10", "a*?b/aXb"}) {
    all.push_back("\5" + std::string(text));
  }
  for (const char* text : {"a b 'c d' $'\\x1b'", "plain", "it's", "a\nb"}) {
    all.push_back("\6" + std::string(text));
  }
  return all;
}

}  // namespace

FuzzTarget revisions_target() {
  return {"revisions", run, seeds};
}

}  // namespace perf::fuzz
