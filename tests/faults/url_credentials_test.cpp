// Credentials in the address of a clone's remote, as GitLab CI has them: git gets what they open,
// and nothing that perf-compare writes or prints holds them, nor what a build can look into.

#include <gtest/gtest.h>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/contains.h"
#include "tests/faults/clones.h"
#include "tests/faults/effort.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

const std::string kSecret = "SECRET-of-the-job";
const std::string kNowhere = "https://job:" + kSecret + "@127.0.0.1:9/group/subject";
const Command kCompare{"HEAD~1",   "HEAD",      "--pairs", "6",      "--alpha",    "25%",
                       "--metric", "step_time", "-v",      "--json", "result.json"};

/// Serves a folder to those who know the secret while a command runs, which finds the address in
/// the variable AT.
const std::string kServer = R"(
import base64, functools, http.server, os, subprocess, sys, threading
known = "Basic " + base64.b64encode(("job:" + sys.argv[1]).encode()).decode()
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.headers.get("Authorization") == known:
            return super().do_GET()
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(
    ("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[2]))
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["AT"] = f"http://job:{sys.argv[1]}@127.0.0.1:{server.server_port}"
sys.exit(subprocess.call(sys.argv[3:])))";

class UrlCredentials : public testing::Test {
 protected:
  ~UrlCredentials() override { expect_in_no_file(); }

  void expect_not_said(const Outcome& outcome, const std::string& by) const {
    EXPECT_FALSE(contains(outcome.out + outcome.err, kSecret))
        << by << ": " << outcome.out << outcome.err;
  }
  /// In none but the settings of the user's own clone.
  void expect_in_no_file() const {
    int files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(world / ".")) {
      const std::string path = fs::relative(entry.path(), world / ".").string();
      if (!entry.is_regular_file() || entry.is_symlink() ||
          (path.rfind("clone/.git/", 0) == 0 && entry.path().filename() == "config")) {
        continue;
      }
      EXPECT_FALSE(contains(content_of(entry.path()), kSecret)) << path;
      ++files;
    }
    EXPECT_GT(files, 30);
  }
  /// What needs the remote is refused, and nothing says more than it should; git traced, too.
  void expect_refused(const Command& command, const std::string& words) const {
    for (const char* trace : {"", "1"}) {
      const Outcome outcome = world.perf_compare(world / "clone", command, {{"GIT_TRACE", trace}});
      EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
      EXPECT_TRUE(contains(outcome.out + outcome.err, words)) << outcome.out << outcome.err;
      expect_not_said(outcome, command.front());
    }
  }
  CloneWorld world;
};

TEST_F(UrlCredentials, OfAPartialCloneAreInNoFileAndNoMessage) {
  world.make_subject("subject");
  world.git(".", {"clone", "-q", "--filter=blob:none", world.url("subject"), "clone"});
  world.git("clone", {"remote", "set-url", "origin", kNowhere});
  Command compare = kCompare;
  compare[0] = "HEAD~3";
  expect_refused(compare, "files from https://127.0.0.1:9/group/subject; if the remote has moved");
  expect_refused({"collect", "HEAD~3", "-v"}, "127.0.0.1");
  for (const Command& command : {Command{"list"}, Command{"doctor", "-v"}, Command{"trend"}}) {
    expect_not_said(world.perf_compare(world / "clone", command), command.front());
  }
}

/// A subject whose speed is told by a submodule of its submodule, both with relative addresses.
class SubmoduleCredentials : public UrlCredentials {
 protected:
  SubmoduleCredentials() {
    const Command local{"-c", "protocol.file.allow=always", "submodule", "--quiet", "add"};
    const auto add = [&](const std::string& to, const std::string& from, const std::string& name) {
      Command command = local;
      command.insert(command.end(), {from, name});
      world.git(to, command);
    };
    for (const char* name : {"inner", "library", "subject"}) {
      world.git(".", {"init", "-q", name});
    }
    world.write("inner/work", "100");
    world.commit("inner", "Work");
    add("library", "../inner", "inner");
    world.commit("library", "Add inner");
    add("subject", "../library", "library");
    world.write("subject/bench", kClaimedBenchmark, true);
    world.write("subject/build",
                "#!/bin/sh\nset -e\nenv\ngit config --list --show-origin\n"
                "git -C library/inner config --list\ncp library/inner/work .\n",
                true);
    for (const char* subject : {"Config", "Again"}) {
      world.write("subject/perf-compare.json",
                  R"({ "build": { "command": ["./build"], "submodules": true }, "workloads": [)"
                  R"({ "name": "claimed", "command": ["./bench"] }] })" +
                      std::string(subject == std::string("Again") ? "\n" : ""));
      world.commit("subject", subject);
    }
  }
};

TEST_F(SubmoduleCredentials, AreInNoFileAndNoMessage) {
  world.git(".", {"clone", "-q", world.url("subject"), "clone"});
  world.git("clone", {"remote", "set-url", "origin", kNowhere});
  expect_refused(kCompare, "cannot check out the submodules");
  expect_refused({"collect", "HEAD", "-v"}, "cannot check out the submodules");
}

TEST_F(SubmoduleCredentials, ReachOnlyGit) {
  for (const char* name : {"inner", "library", "subject"}) {
    world.git(".", {"clone", "-q", "--bare", name, std::string("served/") + name});
    world.git(std::string("served/") + name, {"update-server-info"});
    fs::remove_all(world / name);
  }
  int runs = 0;
  for (const char* clone : {"git clone -q \"$AT/subject\" clone",
                            "git clone -q --recurse-submodules \"$AT/subject\" clone"}) {
    fs::remove_all(world / "clone");
    fs::remove_all(world / "home/cache");
    Command command{"python3",
                    "-c",
                    kServer,
                    kSecret,
                    (world / "served").string(),
                    "sh",
                    "-c",
                    std::string("set -e\n") + clone + "\nunset AT\ncd clone\nexec \"$@\"",
                    "sh",
                    PERF_BINARY_DIR "/bin/perf-compare"};
    command.insert(command.end(), kCompare.begin(), kCompare.end());
    const Outcome outcome = world.run(command, world / ".", {{"no_proxy", "127.0.0.1"}});
    EXPECT_EQ(outcome.exit_code, 0) << clone << outcome.out << outcome.err;
    expect_not_said(outcome, clone);
    expect_in_no_file();
    ++runs;
  }
  figure("canaries", std::to_string(runs) + " comparisons with submodules that a password opens");
}

}  // namespace
}  // namespace perf::test
