// Servers of workloads, also hostile and unlucky ones: real processes.

#include "collector/process/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "collector/process/port.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "processes.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using testing::count_marked;
using testing::early_spawner;
using testing::unique_marker;

/// Listens at a port and answers every connection as HTTP would.
constexpr const char* kListen = R"(
import socket, sys
listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(('127.0.0.1', int(sys.argv[1])))
listening.listen(9)
while True:
    connection, _ = listening.accept()
    connection.settimeout(1)
    try:
        if connection.recv(99):
            connection.sendall(b'HTTP/1.0 ' + sys.argv[2].encode() + b' x\r\n\r\n')
    except OSError:
        pass
    connection.close()
)";
constexpr const char* kConnect =
    "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))";

class ServedWorkload : public ::testing::Test {
 protected:
  ServedWorkload() {
    workload.name = "w";
    workload.format = "process";
    workload.command = {"true"};
    workload.timeout = 60;
  }
  void serve(const std::string& script, ReadyBy ready_by, const std::string& ready,
             double timeout = 30) {
    workload.serve = Server{{"sh", "-c", script}, ready_by, ready, timeout};
  }
  void listen(ReadyBy ready_by, const std::string& ready, const std::string& port = "{port}",
              const std::string& status = "200", double timeout = 30) {
    workload.serve =
        Server{{"/usr/bin/python3", "-c", kListen, port, status}, ready_by, ready, timeout};
  }
  Invocation run() {
    return WorkloadRunner(make_run_process(early_spawner()))
        .run(workload, checkout.path(), Invocation());
  }
  /// A python program as the workload's command.
  void run_python(const std::string& program) {
    workload.command = {"/usr/bin/python3", "-c", program, "{port}"};
  }
  std::string failure() { return run().failure; }

  TemporaryFolder checkout;
  Workload workload;
};

std::optional<double> metric(const Invocation& done, const Metric& wanted) {
  for (const MetricValue& one : done.blocks.at(0).metrics) {
    if (one.metric == wanted) {
      EXPECT_FALSE(one.judge);
      return one.value;
    }
  }
  return std::nullopt;
}

TEST_F(ServedWorkload, ReachesItsServerAtAFreePort) {
  listen(ReadyBy::tcp, "{port}");
  workload.command = {"/usr/bin/python3", "-c", kConnect, "{port}"};
  const Invocation done = run();
  EXPECT_EQ(done.failure, "");
  EXPECT_GT(metric(done, kServerPeakRss).value_or(0), 1e6);
  EXPECT_GT(metric(done, kServerCpuTime).value_or(0), 0);
}

TEST_F(ServedWorkload, WaitsForAnAnswerALineOrAFile) {
  listen(ReadyBy::http, "http://localhost:{port}/health");
  EXPECT_EQ(failure(), "");
  serve("sleep 0.1; echo one; echo now READY to go >&2; exec sleep 100", ReadyBy::line, "READY");
  EXPECT_EQ(failure(), "");
  workload.command = {"cat", "here"};
  for (int i = 0; i < 2; ++i) {  // the file of the first run does not count for the second
    serve("sleep 0.1; rm -f here; echo 1 > here; exec sleep 100", ReadyBy::file, "here");
    EXPECT_EQ(failure(), "");
  }
}

TEST_F(ServedWorkload, GivesTheServerItsFolderAndVariables) {
  fs::create_directory(checkout.path() / "sub");
  workload.cwd = "sub";
  workload.env = {{"PLACE", "at-{port}"}};
  workload.prepare = {"sh", "-c", "echo $PLACE > prepared"};
  serve(
      "[ \"$PLACE\" = \"$(cat prepared)\" ] && [ \"$PLACE\" = at-{port} ] && "
      "[ -z \"$PERF_COMPARE_OUT\" ] && echo ready && exec sleep 100",
      ReadyBy::line, "ready");
  EXPECT_EQ(failure(), "");
}

TEST_F(ServedWorkload, FailsIfTheServerIsNeverReady) {
  const std::string marker = unique_marker();
  serve("echo first; echo loading >&2; sleep 100; : " + marker, ReadyBy::tcp, "{port}", 0.3);
  workload.command = {"touch", "ran"};
  EXPECT_EQ(failure(), "its server failed: not ready after 0.3 s; last lines: loading");
  EXPECT_FALSE(fs::exists(checkout.path() / "ran"));
  EXPECT_EQ(count_marked(marker), 0);
  listen(ReadyBy::http, "http://127.0.0.1:{port}/", "{port}", "503", 1);
  EXPECT_EQ(failure(), "its server failed: not ready after 1 s");
}

TEST_F(ServedWorkload, FailsIfTheServerEndsBeforeItIsReady) {
  serve("echo 'no licence' >&2; exit 3", ReadyBy::line, "ready");
  EXPECT_EQ(
      failure(),
      "its server failed: ended before it was stopped: exit status 3; last lines: no licence");
  workload.serve->command = {"absent-server"};
  EXPECT_EQ(failure(),
            "its server failed: ended before it was stopped: could not start: cannot run "
            "absent-server: No such file or directory");
}

TEST_F(ServedWorkload, FailsIfTheServerDiesInTheMiddle) {
  const std::string marker = unique_marker();
  serve("echo ready; while [ ! -e go ]; do sleep 0.01; done; echo broken; exit 5", ReadyBy::line,
        "ready");
  workload.command = {"sh", "-c", "touch go; sleep 50; : " + marker};
  const Invocation done = run();
  EXPECT_EQ(done.failure,
            "its server failed: ended before it was stopped: exit status 5; last lines: broken");
  EXPECT_FALSE(done.process.timed_out);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(ServedWorkload, FailsIfTheServerForksAway) {
  const std::string marker = unique_marker();
  serve("(setsid sh -c 'sleep 100; : " + marker + "' &) ; echo ready", ReadyBy::file, "absent");
  EXPECT_EQ(failure(),
            "its server failed: ended before it was stopped: exit status 0; it must stay in the "
            "foreground; last lines: ready");
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(ServedWorkload, NamesTheServerIfTheClientFailsBecauseOfIt) {
  serve("echo ready; while [ ! -e go ]; do sleep 0.01; done; echo crashed; exit 5", ReadyBy::line,
        "ready");
  workload.command = {"sh", "-c", "touch go; sleep 0.05; exit 1"};
  EXPECT_EQ(failure(),
            "its server failed: ended before it was stopped: exit status 5; last lines: crashed");
}

// Its own supervisor ends the server, and the client is not started.
TEST_F(ServedWorkload, EndsTheWaitForAServerWhenInterrupted) {
  const std::string marker = unique_marker();
  serve("touch started; sleep 3600; : " + marker, ReadyBy::tcp, "{port}", 3600);
  workload.command = {"touch", "ran"};
  early_spawner().set_interrupted([this] { return fs::exists(checkout.path() / "started"); });
  EXPECT_NE(failure(), "");
  early_spawner().set_interrupted({});
  EXPECT_EQ(count_marked(marker), 0);
  EXPECT_FALSE(fs::exists(checkout.path() / "ran"));
}

TEST_F(ServedWorkload, EndsBothWhenInterruptedLater) {
  const std::string marker = unique_marker();
  serve("echo ready; sleep 3600; : " + marker, ReadyBy::line, "ready");
  workload.command = {"sh", "-c", "touch started; sleep 3600; : " + marker};
  early_spawner().set_interrupted([this] { return fs::exists(checkout.path() / "started"); });
  EXPECT_NE(failure(), "");
  early_spawner().set_interrupted({});
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(ServedWorkload, EndsWhatTheServerStarted) {
  const std::string marker = unique_marker();
  serve("(setsid sh -c 'trap \"\" TERM; sleep 100; : " + marker + "' &) ; echo ready; exec sleep 9",
        ReadyBy::line, "ready");
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(ServedWorkload, LetsTheServerEndInOrder) {
  serve("trap 'echo 1 > stopped; exit 0' TERM; echo ready; while :; do sleep 0.01; done",
        ReadyBy::line, "ready");
  EXPECT_EQ(failure(), "");
  EXPECT_TRUE(fs::exists(checkout.path() / "stopped"));
}

TEST_F(ServedWorkload, KillsAServerThatIgnoresTheSignal) {
  const std::string marker = unique_marker();
  serve("trap '' TERM; echo ready; while :; do sleep 0.1; done; : " + marker, ReadyBy::line,
        "ready");
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(count_marked(marker), 0);
}

/// A socket of this process, bound to a port.
struct Taken {
  Taken() : number(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(number, reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(number, reinterpret_cast<sockaddr*>(&address), &size);
    port = std::to_string(ntohs(address.sin_port));
  }
  ~Taken() { close(number); }

  int number;
  std::string port;
};

TEST_F(ServedWorkload, RefusesAPortInUse) {
  const Taken taken;
  ASSERT_EQ(::listen(taken.number, 9), 0);
  serve("touch started; exec sleep 100", ReadyBy::tcp, taken.port);
  EXPECT_EQ(failure(), "its server failed: port " + taken.port + " is in use by another process");
  EXPECT_FALSE(fs::exists(checkout.path() / "started"));
}

// The server would not notice, and the client would measure the other process.
TEST_F(ServedWorkload, RefusesAPortThatAnotherProcessTakesMeanwhile) {
  const Taken taken;
  const std::string started = checkout.path() / "started";
  serve("touch started; exec sleep 100", ReadyBy::tcp, taken.port);
  workload.command = {"touch", "ran"};
  std::thread other([&] {
    while (!fs::exists(started)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::listen(taken.number, 9);
  });
  const std::string why = failure();
  other.join();
  EXPECT_EQ(why, "its server failed: port " + taken.port + " is in use by another process");
  EXPECT_FALSE(fs::exists(checkout.path() / "ran"));
}

// What a server leaves behind would answer in place of the next one.
TEST_F(ServedWorkload, LeavesNoServerToTheNextProcess) {
  const std::string port = std::to_string(free_port());
  const std::string away = "setsid /usr/bin/python3 -c \"$0\" " + port + " 200 & exec sleep 100";
  workload.serve =
      Server{{"sh", "-c", away, kListen}, ReadyBy::http, "http://localhost:" + port + "/", 30};
  for (int side = 0; side < 2; ++side) {
    EXPECT_EQ(failure(), "");
    EXPECT_FALSE(accepts(parsed<int>(port).value()));
  }
}

TEST_F(ServedWorkload, CanUseOnePortOneAfterTheOther) {
  const std::string port = std::to_string(free_port());
  listen(ReadyBy::tcp, port, port);
  workload.command = {"/usr/bin/python3", "-c", kConnect, port};
  for (int side = 0; side < 2; ++side) {
    EXPECT_EQ(failure(), "");
  }
}

TEST_F(ServedWorkload, DrainsAServerThatFloodsItsOutput) {
  serve("echo ready; echo ready >&2; exec yes", ReadyBy::line, "ready");
  workload.command = {"sleep", "0.3"};
  EXPECT_EQ(failure(), "");
}

// The shell that the signal ends does not wait for them.
TEST_F(ServedWorkload, AddsTheTimesOfAllItsProcesses) {
  serve(
      "/usr/bin/python3 -c 'import time\nwhile time.process_time() < 0.3: pass\n"
      "print(\"ready\", flush=True)\ntime.sleep(100)' & wait",
      ReadyBy::line, "ready");
  EXPECT_GE(metric(run(), kServerCpuTime).value_or(0), 0.3);
}

// Each process gets another port; were it in names or parameters, no two would be comparable.
TEST_F(ServedWorkload, KeepsThePortOutOfNamesAndParameters) {
  listen(ReadyBy::tcp, "{port}");
  workload.format = "steps";
  workload.params = {{"port", std::string("{port}")}, {"n", std::int64_t{1}}};
  run_python(R"(
import json, os, sys
port = int(sys.argv[1])
with open(os.environ['PERF_COMPARE_OUT'], 'w') as out:
    print(json.dumps({'type': 'begin', 'protocol': 1, 'workload': 'w', 'params': {
        'port': port, 'n': 1, 'url': 'http://localhost:%d/x' % port}}), file=out)
    print(json.dumps({'type': 'step', 'index': 0, 'warmup': False, 'seconds': 1}), file=out)
    print(json.dumps({'type': 'end'}), file=out)
)");
  const Invocation done = run();
  ASSERT_EQ(done.failure, "");
  EXPECT_EQ(done.blocks.at(0).params, (Params{{"n", std::int64_t{1}},
                                              {"port", std::string("{port}")},
                                              {"url", std::string("http://localhost:{port}/x")}}));
  workload.format = "hyperfine";
  run_python(R"(
import json, sys
print(json.dumps({'results': [
    {'command': 'curl http://127.0.0.1:%s/%d' % (sys.argv[1], i), 'times': [1.5]}
    for i in range(2)]}))
)");
  const Invocation named = run();
  ASSERT_EQ(named.failure, "");
  EXPECT_EQ(named.blocks.at(1).workload, "curl_http_/_127.0.0.1__port_/1");
}

TEST_F(ServedWorkload, ReportsItsOwnFailure) {
  serve("echo ready; exec sleep 100", ReadyBy::line, "ready");
  workload.command = {"sh", "-c", "echo bad >&2; exit 4"};
  EXPECT_EQ(failure(), "exit status 4; last line of stderr: bad");
}

TEST(WithPort, ReplacesEveryPort) {
  Workload workload;
  workload.command = {"bench", "--url=http://localhost:{port}/{port}"};
  workload.params = {{"port", std::string("{port}")}, {"n", std::int64_t{1}}};
  workload.env = {{"PORT", "{port}"}};
  workload.prepare = {"rm", "socket-{port}"};
  EXPECT_EQ(with_port(workload, 1234).command, workload.command);
  workload.serve = Server{{"serve", "{port}"}, ReadyBy::http, "http://[::1]:{port}/", 1};
  const Workload filled = with_port(workload, 1234);
  EXPECT_EQ(filled.command.at(1), "--url=http://localhost:1234/1234");
  EXPECT_EQ(filled.params.at("port"), Param(std::string("1234")));
  EXPECT_EQ(filled.env.at("PORT"), "1234");
  EXPECT_EQ(filled.prepare.at(1), "socket-1234");
  EXPECT_EQ(filled.serve->command.at(1), "1234");
  EXPECT_EQ(port_of(*filled.serve), 1234);
  EXPECT_EQ(port_of(Server{{"x"}, ReadyBy::http, "http://localhost/", 1}), 80);
  EXPECT_EQ(port_of(Server{{"x"}, ReadyBy::line, "5432", 1}), 0);
}

}  // namespace
}  // namespace perf
