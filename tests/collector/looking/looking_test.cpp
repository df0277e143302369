#include "collector/looking/looking.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tests/collector/looking/cases.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::Case;
using test::run_process;
using test::SideBySide;
using test::told_of;

/// What a process elsewhere has to tell: sockets that are listened to, and shared memory.
class Elsewhere {
 public:
  Elsewhere() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(port_, reinterpret_cast<sockaddr*>(&address), size);
    listen(port_, 9);
    getsockname(port_, reinterpret_cast<sockaddr*>(&address), &size);
    setenv("PORT", std::to_string(ntohs(address.sin_port)).c_str(), 1);
    setenv("SHARED", std::to_string(shared_).c_str(), 1);
    setenv("SHARED_NAME", name_.c_str(), 1);
  }
  ~Elsewhere() {
    close(port_);
    close(socket_);
    shmctl(shared_, IPC_RMID, nullptr);
    fs::remove(name_);
  }
  void listen_at(const std::string& place) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, place.c_str(), sizeof address.sun_path - 1);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(socket_, 9);
  }
  const std::string& name() const { return name_; }

 private:
  int port_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
      socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
      shared_ = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  std::string name_ = "/dev/shm/perf-compare-test-" + std::to_string(getpid());
};

std::vector<std::string> wrongly_same(const Plan& plan) {
  std::vector<std::string> names;
  for (const PlannedWorkload& one : plan.workloads) {
    if (!one.workload.name.ends_with("/before") && (!one.looked || one.looked->same())) {
      names.push_back(one.workload.name);
    }
  }
  return names;
}

void tell(const Plan& plan) {
  if (std::getenv("PERF_COMPARE_TELL") != nullptr) {
    for (const PlannedWorkload& one : plan.workloads) {
      std::printf("%-40s %s\n", one.workload.name.c_str(),
                  told_of(plan, one.workload.name).c_str());
    }
  }
}

/// Cases in one repository; none may be told the same.
void expect_none_same(const std::vector<Case>& cases) {
  SideBySide sides(cases);
  const Plan plan = sides.look();
  tell(plan);
  EXPECT_EQ(wrongly_same(plan), std::vector<std::string>());
  for (const PlannedWorkload& one : plan.workloads) {
    EXPECT_FALSE(told_of(plan, one.workload.name).find(" failed: ") != std::string::npos &&
                 one.workload.name.find("fails") == std::string::npos)
        << one.workload.name << ": " << told_of(plan, one.workload.name);
  }
}

TEST(Looking, SeesFilesThatDiffer) {
  expect_none_same(test::changed_files());
}

TEST(Looking, SeesWaysToFilesThatDiffer) {
  expect_none_same(test::changed_ways());
}

TEST(Looking, SeesProgramsThatDiffer) {
  std::vector<Case> cases = test::changed_programs();
  for (Case& one : test::changed_scripts()) {
    cases.push_back(std::move(one));
  }
  expect_none_same(cases);
}

TEST(Looking, DoubtsWhatFilesDoNotTell) {
  Elsewhere elsewhere;
  SideBySide sides(test::doubtful());
  elsewhere.listen_at(sides.beside("server"));
  test::write_file(sides.beside("later"), "one");
  test::write_file(elsewhere.name(), "one");
  const Plan plan = sides.look();
  tell(plan);
  EXPECT_EQ(wrongly_same(plan), std::vector<std::string>());
}

TEST(Looking, SeesWhatIsTheSameAndLooksOnce) {
  if (!test::can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  SideBySide sides(test::unchanged());
  const Plan plan = sides.look();
  tell(plan);
  for (const PlannedWorkload& one : plan.workloads) {
    EXPECT_EQ(told_of(plan, one.workload.name), "same") << one.workload.name;
    EXPECT_EQ(one.looked->base_program, one.looked->head_program) << one.workload.name;
  }
  EXPECT_TRUE(std::ranges::none_of(plan.workloads, [](const auto& one) {
    return one.looked->audited;
  })) << "nothing is measured";
  int started = 0;
  const Plan again = sides.look([&started](ProcessRequest request) {
    started += request.command.back() != "true";  // strace itself is tried
    return run_process()(request);
  });
  EXPECT_EQ(started, 0);
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const std::string& name = plan.workloads[i].workload.name;
    EXPECT_EQ(told_of(again, name), "same") << name;
    EXPECT_EQ(again.workloads[i].looked->base_program, plan.workloads[i].looked->base_program)
        << name;
  }
}

TEST(Looking, GoesByTheInputsAloneWhereNothingCanBeTraced) {
  const std::string script = "#!/bin/sh\n";
  SideBySide sides({{"none", {{"in", "1"}}, {{"in", "1"}}, "true"},
                    {"named", {{"in", "1"}}, {{"in", "1"}}, "true", "", {"named/*"}},
                    {"changed", {{"in", "1"}}, {{"in", "2"}}, "true", "", {"changed/*"}},
                    {"no_match", {{"in", "1"}}, {{"in", "2"}}, "true", "", {"nomatch/*"}},
                    {"program",
                     {{"in", "1"}, {"p", test::executable(script + "true")}},
                     {{"in", "1"}, {"p", test::executable(script + "echo")}},
                     "true",
                     "",
                     {"program/in"}}});
  const RunProcess without_strace = [](ProcessRequest request) {
    if (request.command.front() == "strace") {
      ProcessResult result;
      result.spawn_error = "there is no strace";
      return result;
    }
    return run_process()(request);
  };
  Plan plan = sides.look(without_strace);
  EXPECT_EQ(told_of(plan, "none"), "strace is not installed");
  EXPECT_EQ(told_of(plan, "named"), "same");
  EXPECT_EQ(told_of(plan, "changed"), "changed/in: line 1");
  EXPECT_NE(told_of(plan, "no_match"), "same");
  for (const char* command : {"program/p", "./program/p", "named/../program/p"}) {
    plan.workloads.back().workload.command = {command};
    look_at_programs(plan, sides.checkouts(), Policy(), {without_strace});
    EXPECT_EQ(told_of(plan, "program"), "program/p: line 2") << command;
  }
}

TEST(Looking, LeavesSettingsAndOneSideAlone) {
  SideBySide sides({test::with_data("settings", "cat data")});
  Plan plan = sides.look();
  EXPECT_EQ(told_of(plan, "settings"), "same");
  plan.workloads[0].looked.reset();
  plan.workloads[0].base_params = Params{};
  look_at_programs(plan, sides.checkouts(), Policy(), {run_process()});
  EXPECT_EQ(told_of(plan, "settings"), "not looked at");
}

}  // namespace
}  // namespace perf
