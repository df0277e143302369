// What is called the same program, and so not measured: never where anything differs that the
// workload runs or reads. Each difference is planted in a real repository of two commits.

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "tests/ci/same_program/field.h"
#include "tests/ci/same_program/plant.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSame = "same program";

/// What is there before anything is built, and answers to workloads.
class Surroundings {
 public:
  Surroundings() {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, socket_path().c_str(), sizeof name.sun_path - 1);
    listen_at(local_, name);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listen_at(port_, address);
    socklen_t size = sizeof address;
    getsockname(port_, reinterpret_cast<sockaddr*>(&address), &size);
    port_number_ = ntohs(address.sin_port);
    EXPECT_EQ(mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  }
  ~Surroundings() {
    close(local_);
    close(port_);
    shmctl(shared_, IPC_RMID, nullptr);
    fs::remove(memory());
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  std::map<std::string, std::string> variables() const {
    return {{"OUTSIDE", folder_.path().string()},
            {"SOCKET", socket_path()},
            {"PORT", std::to_string(port_number_)},
            {"SHARED", std::to_string(shared_)},
            {"MEMORY", memory()}};
  }

 private:
  template <class Address>
  static void listen_at(int socket, const Address& address) {
    EXPECT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(socket, 100), 0);
  }
  std::string socket_path() const { return folder_.path() / "socket"; }
  std::string memory() const { return "/dev/shm/" + folder_.path().filename().string(); }

  TemporaryFolder folder_;
  int local_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_number_ = 0;
  int shared_ = shmget(IPC_PRIVATE, 4096, 0600);
};

const std::vector<std::string> kCompare{"HEAD~1", "HEAD",  "--budget", "1s",
                                        "--size", "smoke", "--json",   "-"};

std::vector<Plant> every_plant() {
  std::vector<Plant> plants;
  for (const std::vector<Plant>& more :
       {file_plants(), name_plants(), process_plants(), program_plants(), script_plants(),
        choice_plants(), world_plants()}) {
    plants.insert(plants.end(), more.begin(), more.end());
  }
  return plants;
}

/// `changed/NAME/at/file` as `changed/NAME/file`.
std::string without_at(std::string text) {
  for (std::size_t at = text.find("/at/"); at != std::string::npos; at = text.find("/at/", at)) {
    text.erase(at, 3);
  }
  return text;
}

TEST(SameProgram, ExcludesEveryKindOfDifference) {
  if (!can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  const Surroundings surroundings;
  const Field field(every_plant());
  EXPECT_GE(field.plants().size(), 100u);
  const Outcome outcome = field.perf_compare(kCompare, surroundings.variables());
  std::map<std::string, Row> rows = rows_of(outcome);
  for (const Plant& plant : field.plants()) {
    const Row& changed = rows["changed/" + plant.name];
    EXPECT_NE(changed.basis, kSame) << plant.name << " differs, and is called the same";
    EXPECT_NE(without_at(changed.because).find(plant.because), std::string::npos)
        << plant.name << " is measured because: " << changed.because;
    const bool is_refused = changed.because.starts_with("both sides r");
    EXPECT_EQ(changed.verdict == "failed", is_refused) << plant.name;
    if (!plant.doubtful) {
      const Row& kept = rows["kept/" + plant.name];
      EXPECT_EQ(kept.basis, kSame)
          << plant.name << " is the same, and measured because " << kept.because;
    }
  }
}

}  // namespace
}  // namespace perf::test
