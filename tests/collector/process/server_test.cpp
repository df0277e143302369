// Servers of workloads, also hostile and unlucky ones: real processes.

#include "collector/process/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>

#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "processes.h"

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
            "its server failed: ended before it was stopped: exit status 0; last lines: ready");
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

TEST_F(ServedWorkload, RefusesAPortInUse) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(socket, 9), 0);
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string port = std::to_string(ntohs(address.sin_port));
  serve("touch started; exec sleep 100", ReadyBy::tcp, port);
  EXPECT_EQ(failure(), "its server failed: port " + port + " is in use by another process");
  EXPECT_FALSE(fs::exists(checkout.path() / "started"));
  close(socket);
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
