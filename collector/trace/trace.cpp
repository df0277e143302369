#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>

#include "collector/mapped_file.h"
#include "collector/process/captured_text.h"
#include "collector/process/temporary_folder.h"
#include "collector/trace/program.h"
#include "collector/trace/trace_programs.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Calls that name files or show how they are used, and calls that reach what is not in a file.
constexpr const char* kCalls =
    "trace=%file,getdents,getdents64,mmap,close,fchdir,dup,dup2,dup3,clone,clone3,fork,vfork,"
    "connect,bind,accept,accept4,sendto,sendmsg,sendmmsg,io_uring_setup,open_by_handle_at,unshare,"
    "setns,shmget,msgget,"
    "shmat,semget,msgrcv,keyctl,request_key,mq_open,process_vm_readv,pidfd_getfd,fanotify_init,"
    "fsmount,memfd_create,"
    "ptrace,prctl,seccomp,fgetxattr,flistxattr,fstat";

/// Where one of these succeeds, a program may read more than files. io_uring opens files that no
/// tracer sees, and a program learns from ptrace(2) that it is traced: trying these two is enough
/// for a doubt, because they may succeed without a tracer.
constexpr std::string_view kDoubtful =
    " io_uring_setup open_by_handle_at chroot pivot_root mount move_mount open_tree fspick unshare "
    "fanotify_init fsmount setns shmget shmat msgget msgrcv semget mq_open process_vm_readv keyctl "
    "request_key "
    "pidfd_getfd uselib accept accept4 ptrace ";

/// "::ffff:127.", as strace writes it.
constexpr std::string_view k127InIpv6 = "\\x3a\\x3a\\x66\\x66\\x66\\x66\\x3a\\x31\\x32\\x37\\x2e";

/// Files in the folder of a process in /proc that are different while it is traced.
constexpr std::string_view kShowsTracer = " status syscall wchan stack ";

/// Files there that show the path of its program.
constexpr std::string_view kShowsPath = " auxv comm maps numa_maps smaps stat ";

constexpr int kMostScripts = 5;                                   // nested, as the kernel follows
constexpr std::uint64_t kLargestLoader = std::uint64_t{1} << 20;  // B

constexpr std::uintmax_t kTraceLimit = std::uintmax_t{64} << 20;  // B

/// One call: "openat(AT_FDCWD<\x2f>, "\x61", O_RDONLY) = 3<\x2f\x61>".
struct Call {
  std::string pid;
  std::uint64_t from = 0;  ///< the address of the instruction; 0: not known
  std::string name;
  std::vector<std::string> arguments;
  std::string result;

  bool succeeded() const { return !result.empty() && result[0] != '-' && result[0] != '?'; }
};

/// The bytes of a string argument; nothing for NULL and for an address that cannot be read.
std::optional<std::string> text_of(const std::string& argument) {
  if (argument.size() < 2 || argument.front() != '"') {
    return std::nullopt;
  }
  return from_hexadecimal(std::string_view(argument).substr(1));
}

/// The path of a descriptor, as -y writes it: `3<\x2f>`, `AT_FDCWD<\x2f>`; empty without a path.
std::string place_of(const std::string& descriptor) {
  const std::size_t open = descriptor.find('<');
  const std::string path = open == std::string::npos
                               ? ""
                               : from_hexadecimal(std::string_view(descriptor).substr(open + 1));
  return path.starts_with('/') ? path : "";
}

std::string number_of(const std::string& descriptor) {
  return descriptor.substr(0, descriptor.find_first_not_of("-0123456789"));
}

/// Splits "a, {b, c}, d" at the commas that stand outside brackets. Strings are hexadecimal, so no
/// bracket or comma is text.
std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '{' || c == '[' || c == '(';
    depth -= c == '}' || c == ']' || c == ')';
    if (i == text.size() || (c == ',' && depth <= 0)) {
      while (begin < i && text[begin] == ' ') {
        ++begin;
      }
      parts.emplace_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}

/// Takes "[00007f12] ", as -i writes it, from the text; 0 where the address is not known.
std::uint64_t take_address(std::string_view& line) {
  const std::size_t end = line.starts_with('[') ? line.find("] ") : std::string_view::npos;
  if (end == std::string_view::npos) {
    return 0;
  }
  const auto address = parsed<std::uint64_t>(line.substr(1, end - 1), 16);
  line.remove_prefix(end + 2);
  return address.value_or(0);
}

/// Reads "name(arguments) = result"; nothing for other lines.
std::optional<Call> read_call(std::string pid, std::uint64_t from, std::string_view line) {
  const std::size_t open = line.find('(');
  const std::size_t equals = line.rfind(") ");
  if (open == std::string_view::npos || equals == std::string_view::npos || equals < open) {
    return std::nullopt;
  }
  const std::size_t sign = line.find("= ", equals);
  if (sign == std::string_view::npos) {
    return std::nullopt;
  }
  Call call{std::move(pid), from, std::string(line.substr(0, open)),
            split_arguments(line.substr(open + 1, equals - open - 1)),
            std::string(line.substr(sign + 2))};
  return call;
}

/// The calls in the order in which they began. A call that another process's line interrupted is
/// put together again; one that never ended (its process was killed) has the result "?".
std::vector<Call> read_calls(std::string_view log, Trace& trace) {
  constexpr std::string_view kUnfinished = " <unfinished ...>", kResumed = " resumed>",
                             kDetached = " <detached ...>",  // it was ended before the call was
      kTakesPlace = " <pid changed to ";                     // a thread that executes a program
  struct Line {
    std::string pid, text;
    std::uint64_t from = 0;
  };
  std::vector<Line> lines;
  std::map<std::string, std::size_t> begun;  // by process: index of the line that waits for its end
  while (!log.empty()) {
    std::string_view line = take_line(log);
    const std::size_t space = line.find(' ');
    const std::string pid(line.substr(0, space));
    line.remove_prefix(std::min(line.find_first_not_of(' ', space), line.size()));
    const std::uint64_t from = take_address(line);
    if (line.starts_with("+++ exited") || line.starts_with("+++ killed")) {
      lines.push_back({pid, "exit() = 0"});
      continue;
    }
    // A thread that another one ended before it made its call is '?' to strace.
    if (line.empty() || line.starts_with("+++") || line.starts_with("---") ||
        line.starts_with('?')) {
      continue;
    }
    if (line.starts_with("<... ")) {
      const std::size_t resumed = line.find(kResumed);
      const auto waiting = begun.find(pid);
      if (resumed != std::string_view::npos && waiting != begun.end()) {
        line.remove_prefix(resumed + kResumed.size());
        if (!line.ends_with(kDetached)) {  // else it never ended
          lines[waiting->second].text += line;
          begun.erase(waiting);
        }
      }
      continue;
    }
    if (line.ends_with(kUnfinished) || line.ends_with(kDetached)) {
      begun[pid] = lines.size();
      line = line.substr(0, line.rfind(" <"));
    } else if (const std::size_t at = line.rfind(kTakesPlace); at != std::string_view::npos) {
      const std::string_view process = line.substr(at + kTakesPlace.size());
      begun[std::string(process.substr(0, process.find(' ')))] = lines.size();
      line = line.substr(0, at);
    }
    lines.push_back({pid, std::string(line), from});
  }
  for (const auto& [pid, index] : begun) {
    lines[index].text += ") = ?";
  }
  std::vector<Call> calls;
  for (Line& line : lines) {
    if (std::optional<Call> call = read_call(std::move(line.pid), line.from, line.text)) {
      calls.push_back(std::move(*call));
    } else {
      trace.doubts.push_back("cannot read a line of strace: " + line.text.substr(0, 60));
    }
  }
  return calls;
}

/// A file that a process has open. The dynamic loader (glibc's elf/dl-load.c) maps a file with
/// MAP_DENYWRITE, some of it executable, and closes it. After any other use, and where the loader
/// did not open it, the program may have read all of the file.
struct OpenFile {
  std::string path;
  std::string real{};  ///< with links resolved, where that differs
  bool by_loader = false;
  bool maps_code = false;
  bool only_loads = true;
};

/// The path without empty and `.` parts; `..` stays, for there may be a link before it.
std::string without_dots(const std::string& path) {
  std::string result;
  for (std::string_view left = path; !left.empty();) {
    if (const std::string_view part = take_word(left, "/"); !part.empty() && part != ".") {
      result += '/';
      result += part;
    }
  }
  return result.empty() ? "/" : result;
}

bool is_script(const std::filesystem::path& program) {
  return MappedFile(program).bytes().starts_with("#!");
}

/// Whether the kernel starts the dynamic loader to execute a program or script.
bool is_dynamic(std::filesystem::path program) {
  for (int scripts = 0; scripts < kMostScripts; ++scripts) {
    const std::string interpreter = interpreter_of(program);
    if (interpreter.empty() || !is_script(program)) {
      return !interpreter.empty();
    }
    program = interpreter;
  }
  return false;
}

/// The dynamic loader of an executed program: the instructions of the program's first call, which
/// is the loader's, and of its first open(2), with which the loader opens all files.
struct Loader {
  bool exists = false;
  std::uint64_t first = 0, opens = 0;
  int numa_reads = 0;  ///< of /proc/self/status, still to come from libnuma

  void take(const Call& call) {
    first = first == 0 ? call.from : first;
    opens = opens == 0 && call.name == "openat" ? call.from : opens;
  }
  bool makes(const Call& call) const { return contains(call) && call.from == opens; }
  /// Whether the instruction of a call is near that of the first.
  bool contains(const Call& call) const {
    const std::uint64_t apart = std::max(first, call.from) - std::min(first, call.from);
    return exists && call.from != 0 && apart < kLargestLoader;
  }
};

/// The state of a process while its calls are read.
struct Process {
  std::shared_ptr<std::string> folder = std::make_shared<std::string>();  ///< shared by threads
  std::shared_ptr<std::map<std::string, OpenFile>> files =
      std::make_shared<std::map<std::string, OpenFile>>();
  /// Path by number of the files that it may write to.
  std::shared_ptr<std::map<std::string, std::string>> writes =
      std::make_shared<std::map<std::string, std::string>>();
  std::string program{};  ///< what /proc/self/exe stands for
  Loader loader{};
};

std::string file_name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

class Reader {
 public:
  Reader(Trace& trace, std::string folder, const std::set<int>& own_ports)
      : trace_(trace), first_folder_(std::move(folder)), own_ports_(own_ports) {}

  void take(const Call& call) {
    if (processes_.empty()) {
      *processes_[call.pid].folder = first_folder_;
    }
    Process& process = processes_[call.pid];
    process.loader.take(call);
    const std::string& name = call.name;
    take_writing(call, process);
    if (name.starts_with("accept") && own_sockets_.contains(socket_of(call))) {
      // From a client of the workload itself.
    } else if (kDoubtful.find(" " + name + " ") != std::string_view::npos) {
      if (call.succeeded() || name == "io_uring_setup" || name == "ptrace") {
        doubt("it calls " + name);
      }
    } else if (name == "clone" || name == "clone3" || name == "fork" || name == "vfork") {
      take_child(call, process);
    } else if (name == "connect" || name == "bind" || name.starts_with("send")) {
      take_connection(call);
    } else if (name == "mmap") {
      take_mapping(call, process);
    } else if (name == "close") {
      take_close(call, process);
    } else if (name.starts_with("dup")) {
      use(call.arguments.at(0), process);
    } else if (name.starts_with("getdents")) {
      use(call.arguments.at(0), process);
      ask(place_of(call.arguments.at(0)), kListed);
    } else if (name == "fchdir") {
      if (call.succeeded()) {
        *process.folder = place_of(call.arguments.at(0));
      }
    } else if (name == "fstat") {
      take_size(call, place_of(call.arguments.at(0)));
    } else if (name == "exit") {
      // Only for take_writing.
    } else if (name == "prctl" || name == "seccomp") {
      take_control(call);
    } else if (name == "memfd_create") {
      // Its content comes from the process itself.
    } else if (name == "fgetxattr" || name == "flistxattr") {
      take_attribute(call);
    } else {
      take_path(call, process);
    }
  }

 private:
  void doubt(const std::string& why) {
    if (std::ranges::find(trace_.doubts, why) == trace_.doubts.end()) {
      trace_.doubts.push_back(why);
    }
  }

  /// Asks also for the targets of links that the processes made.
  void ask(const std::string& path, unsigned how, int depth = 0) {
    if (!path.starts_with('/')) {
      return;
    }
    trace_.asked[path] |= how;
    constexpr int kMostMade = 8;
    for (const auto& [link, target] : links_) {
      if (depth < kMostMade && path.starts_with(link) &&
          (path.size() == link.size() || path[link.size()] == '/')) {
        ask(without_dots(target + path.substr(link.size())), how, depth + 1);
      }
    }
  }

  /// Some machines have security attributes on every file; they do not matter here.
  void take_attribute(const Call& call) {
    const bool lists = call.name.find("list") != std::string::npos;
    const std::string name =
        lists || call.arguments.size() < 2 ? "" : text_of(call.arguments[1]).value_or("");
    if (call.succeeded() && call.result[0] != '0' && !name.starts_with("security.") &&
        !name.starts_with("system.")) {
      doubt("it reads extended attributes");
    }
  }

  /// What the kernel shows a program: a path of its own may be among it.
  void learn(const Process& process, const std::optional<std::string>& text) {
    if (text && text->find('/') != std::string::npos) {
      trace_.learned.emplace(process.program, *text);
    }
  }

  void learn_arguments(const Call& call, const Process& process) {
    const std::size_t words = call.name == "execveat" ? 2 : 1;
    if (words < call.arguments.size() && call.arguments[words].starts_with('[')) {
      learn(process, text_of(call.arguments[words - 1]));  // AT_EXECFN of getauxval(3)
      for (const std::string& word : split_arguments(call.arguments[words].substr(1))) {
        learn(process, text_of(word));
      }
    }
  }

  /// A filter may hide calls from the tracer, whose own filter these questions show.
  void take_control(const Call& call) {
    const std::string& what = call.arguments.at(0);
    if (call.succeeded() && (what == "PR_SET_SECCOMP" || what.starts_with("SECCOMP_SET_MODE"))) {
      doubt("it filters its system calls");
    }
    if (what == "PR_GET_SECCOMP" || what == "PR_GET_NO_NEW_PRIVS") {
      doubt("it asks whether it is traced: " + what);
    }
  }

  /// Files of /proc that show a tracer: the state of a process, and what another process is.
  void take_process_file(const std::string& path, Process& process) {
    constexpr std::string_view kProc = "/proc/";
    if (!path.starts_with(kProc)) {
      return;
    }
    const std::string whose =
        path.substr(kProc.size(), path.find('/', kProc.size()) - kProc.size());
    const std::string what = path.substr(path.rfind('/') + 1);
    const bool is_number = whose.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && !processes_.contains(whose)) {
      doubt("it reads about another process in /proc");
    } else if ((is_number || whose == "self" || whose == "thread-self") &&
               kShowsTracer.find(" " + what + " ") != std::string_view::npos) {
      if (what == "status" && process.loader.numa_reads > 0) {
        --process.loader.numa_reads;
        return;
      }
      doubt("it asks whether it is traced: /proc/self/" + what);
    }
  }

  static bool contains(const Call& call, std::string_view flag) {
    return std::ranges::any_of(call.arguments, [flag](const std::string& argument) {
      return argument.find(flag) != std::string::npos;
    });
  }

  void take_child(const Call& call, const Process& process) {
    if (contains(call, "CLONE_UNTRACED")) {
      doubt("it starts a process that cannot be traced");
    }
    if (contains(call, "CLONE_NEW")) {
      doubt("it creates namespaces");
    }
    if (!call.succeeded()) {
      return;
    }
    // The calls of a process begin after the call that made it began.
    Process& child = processes_[number_of(call.result)];
    child = process;
    if (!contains(call, "CLONE_FS")) {
      child.folder = std::make_shared<std::string>(*process.folder);
    }
    if (!contains(call, "CLONE_FILES")) {
      child.files = std::make_shared<std::map<std::string, OpenFile>>(*process.files);
      child.writes = std::make_shared<std::map<std::string, std::string>>(*process.writes);
    }
  }

  /// Notes which files the processes may write to at present, and doubts those that change
  /// meanwhile: another process writes them.
  void take_writing(const Call& call, Process& process) {
    const std::string& name = call.name;
    std::map<std::string, std::string>& writes = *process.writes;
    if (name == "exit") {
      process.writes = std::make_shared<std::map<std::string, std::string>>();
    } else if (name == "close" && !call.arguments.empty()) {
      writes.erase(number_of(call.arguments[0]));
    } else if (name.starts_with("dup") && call.succeeded()) {
      // fcntl(2), with which shells keep a descriptor, is not traced: the path shows what came
      // back.
      const std::string path = place_of(call.result);
      writes.erase(number_of(call.result));
      if (written_.contains(path)) {
        writes[number_of(call.result)] = path;
      }
    } else if (name == "mmap" && call.arguments.size() >= 6 &&
               has_word(call.arguments[3], "MAP_SHARED")) {
      mapped_.insert(file_name_of(place_of(call.arguments[4])));
    } else if (name.starts_with("open") || name == "creat") {
      const bool may_write =
          name == "creat" || contains(call, "O_WRONLY") || contains(call, "O_RDWR");
      const std::string path = place_of(call.result);
      if (call.succeeded()) {
        writes.erase(number_of(call.result));
        (may_write ? fifos_written_ : fifos_read_).insert(file_name_of(path));
      }
      if (call.succeeded() && !may_write && trace_.made.contains(path)) {
        take_reading(call, path);
      }
      if (call.succeeded() && may_write) {
        std::erase_if(reads_, [&path](const auto& one) { return one.first.first == path; });
        writes[number_of(call.result)] = path;
        written_.insert(path);
        sizes_.erase(file_name_of(path));
      }
    } else if (name == "mknod" || name == "mknodat") {
      const std::size_t index = name == "mknod" ? 0 : 1;
      if (call.succeeded() && contains(call, "S_IFIFO") && index < call.arguments.size()) {
        fifos_.insert(file_name_of(text_of(call.arguments[index]).value_or("")));
      }
    } else if (name.starts_with("rename") || name.starts_with("link") || name == "truncate") {
      for (const std::string& argument : call.arguments) {
        sizes_.erase(file_name_of(text_of(argument).value_or("")));
      }
    }
  }

  /// A process that reads what it has made again and again waits for another that fills it. One
  /// without a name is its own.
  void take_reading(const Call& call, const std::string& path) {
    constexpr int kMostReads = 3;
    if (!call.result.ends_with("(deleted)") && ++reads_[{path, call.pid}] > kMostReads) {
      doubt("another process may have written " + path);
    }
  }

  /// Notes the size of a file that the processes made.
  void take_size(const Call& call, const std::string& path) {
    const auto structure = std::ranges::find_if(call.arguments, [](const std::string& argument) {
      return argument.find("_mode=S_IFREG") != std::string::npos;
    });
    if (!call.succeeded() || structure == call.arguments.end() || !trace_.made.contains(path) ||
        links_.contains(path)) {
      return;
    }
    const std::string name = file_name_of(path);
    const bool is_written = std::ranges::any_of(processes_, [&name](const auto& one) {
      return std::ranges::any_of(*one.second.writes, [&name](const auto& open) {
        return file_name_of(open.second) == name;
      });
    });
    const std::string size = number_of(structure->substr(structure->find("_size=") + 6));
    const auto known = sizes_.find(name);
    if (is_written || mapped_.contains(name)) {
      sizes_.erase(name);
    } else if (known != sizes_.end() && known->second != std::pair(path, size)) {
      if (known->second.first == path) {
        doubt("another process wrote " + path);
      }
    } else {
      sizes_[name] = {path, size};
    }
  }

  /// Whether it connects to the workload's own server on this machine, or is that server.
  bool is_of_own_port(const Call& call) const {
    const bool is_local =
        call.name == "bind" || contains(call, "inet_addr(\"\\x31\\x32\\x37\\x2e") ||
        contains(call, "AF_INET6, \"\\x3a\\x3a\\x31\"") || contains(call, k127InIpv6);
    return is_local && std::ranges::any_of(own_ports_, [&call](int port) {
             return contains(call, "port=htons(" + std::to_string(port) + ")");
           });
  }

  /// "<socket:[4711]>" of the first argument, whatever its number.
  static std::string socket_of(const Call& call) {
    const std::string& socket = call.arguments.empty() ? std::string() : call.arguments[0];
    return socket.substr(std::min(socket.find('<'), socket.size()));
  }

  /// Sockets that are not connected give a process no data. EINPROGRESS may become a connection.
  void take_connection(const Call& call) {
    const bool addressed = contains(call, "sa_family=");
    const bool reached = call.succeeded() || call.result.find("EINPROGRESS") != std::string::npos;
    if (addressed && reached && !contains(call, "sa_family=AF_UNSPEC") &&
        !contains(call, "sa_family=AF_NETLINK")) {
      if (!is_of_own_port(call)) {
        doubt("it communicates with another process");
      } else if (call.name == "bind") {
        own_sockets_.insert(socket_of(call));
      }
    }
  }

  /// Notes a use of an open file other than loading.
  void use(const std::string& descriptor, Process& process) {
    const auto open = process.files->find(number_of(descriptor));
    if (open != process.files->end()) {
      open->second.only_loads = false;
    }
  }

  void take_mapping(const Call& call, Process& process) {
    if (call.arguments.size() < 6) {
      return;
    }
    const auto open = process.files->find(number_of(call.arguments[4]));
    if (open == process.files->end()) {
      return;
    }
    const bool loads =
        has_word(call.arguments[3], "MAP_DENYWRITE") && has_word(call.arguments[3], "MAP_PRIVATE");
    open->second.only_loads &= loads;
    open->second.maps_code |= loads && has_word(call.arguments[2], "PROT_EXEC");
  }

  void take_close(const Call& call, Process& process) {
    const auto open = process.files->find(number_of(call.arguments.at(0)));
    if (open != process.files->end()) {
      const OpenFile& file = open->second;
      const bool loaded = file.by_loader && file.maps_code && file.only_loads;
      ask(open->second.path, loaded ? kLoaded : kOpened);
      ask(open->second.real, loaded ? kLoaded : kOpened);
      process.files->erase(open);
    }
  }

  /// The path of the argument at `index`, relative to the folder in the argument before it where
  /// the call has one. Empty where the path means the descriptor itself.
  std::string path_at(const Call& call, std::size_t index, bool has_folder,
                      const Process& process) {
    if (index >= call.arguments.size()) {
      doubt("cannot read a line of strace: " + call.name);
      return {};
    }
    const std::optional<std::string> path = text_of(call.arguments[index]);
    if (!path || path->empty()) {
      return {};
    }
    if (path->front() == '/') {
      return without_dots(*path);
    }
    const std::string folder = has_folder ? place_of(call.arguments[index - 1]) : *process.folder;
    if (folder.empty()) {
      doubt("unknown folder of the path " + *path);
      return {};
    }
    return without_dots(folder + "/" + *path);
  }

  /// /proc/self/cwd/data: a path that differs between processes.
  static bool goes_by_proc(const std::string& path) {
    const std::size_t descriptor = path.starts_with("/dev/fd/")      ? 8
                                   : path.find("/fd/") < path.size() ? path.find("/fd/") + 4
                                                                     : path.size();
    return (path.starts_with("/proc/") || path.starts_with("/dev/fd/")) &&
           (path.find("/cwd/") < path.size() || path.find("/root/") < path.size() ||
            path.find('/', descriptor) < path.size());
  }

  void take_open(const Call& call, const std::string& path, const std::string& flags,
                 Process& process) {
    if (!call.succeeded()) {
      ask(path, kQueried);
      return;
    }
    const bool makes =
        has_word(flags, "O_EXCL") || has_word(flags, "O_TRUNC") || missed_.contains(path);
    const std::string real = place_of(call.result);
    if (has_word(flags, "O_CREAT")) {
      created_.insert(file_name_of(path));
    }
    take_process_file(real.starts_with("/proc/") ? real : path, process);
    // When it is loaded, it reads the nodes allowed there twice (numactl 2.0.16, libnuma.c:
    // mask_size_file). PyTorch loads it.
    if (file_name_of(path).starts_with("libnuma.so")) {
      process.loader.numa_reads = 2;
    }
    if (path.starts_with("/proc/") &&
        kShowsPath.find(" " + file_name_of(path) + " ") != std::string_view::npos) {
      learn(process, process.program);
    }
    if (has_word(flags, "O_CREAT") && makes && !was_there(path) && !was_there(real)) {
      trace_.made.insert(path);
      trace_.made.insert(real);
    }
    found_.insert(real);
    if (has_word(flags, "O_TMPFILE")) {
      return;
    }
    if (has_word(flags, "O_PATH") || has_word(flags, "O_WRONLY")) {
      ask(path, kQueried);
      return;
    }
    // /proc/self/exe and the like are links to the file that is opened.
    const bool by_another_name = path.starts_with("/proc/") || path.starts_with("/dev/");
    const std::string& opened = by_another_name && !real.empty() ? real : path;
    OpenFile& open = (*process.files)[number_of(call.result)];
    ask(open.path, kOpened);  // the former file of this number was closed without close(2)
    ask(open.real, kOpened);
    open = {opened, "", process.loader.makes(call)};
    still_open_.push_back({process.files, number_of(call.result)});
    if (real != path && real.find(" (deleted)") == std::string::npos) {
      ask(real, kQueried);
      (*process.files)[number_of(call.result)].real = real;
    }
  }

  void take_path(const Call& call, Process& process) {
    const std::string& name = call.name;
    const bool ends_so = name == "stat" || name == "lstat" || name == "creat";
    const bool at = (name.ends_with("at") && !ends_so) || name == "openat2" || name == "statx" ||
                    name == "fstatat64" || name == "renameat2" || name == "faccessat2" ||
                    name == "execveat" || name == "name_to_handle_at" || name == "fspick";
    const std::size_t index = name == "symlinkat" ? 2 : at || name == "symlink" ? 1 : 0;
    const std::string path = path_at(call, index, at, process);
    if (at && !path.empty() && !text_of(call.arguments[index])->starts_with('/')) {
      const std::string& folder = call.arguments[index - 1];
      use(folder, process);
      if (folder.starts_with("AT_FDCWD")) {
        *process.folder = place_of(folder);
      }
    }
    if (name == "execveat" && path.empty() && call.succeeded()) {  // fexecve(3)
      ask(place_of(call.arguments[0]), kLoaded);
      trace_.executed.insert({place_of(call.arguments[0]), *process.folder});
      process.program = place_of(call.arguments[0]);
      process.loader = {.exists = is_dynamic(process.program)};
    }
    const bool is_descriptor = path.empty() && at && index <= call.arguments.size();
    take_size(call, is_descriptor ? place_of(call.arguments[index - 1]) : path);
    if (path.empty()) {
      return;
    }
    if (goes_by_proc(path)) {
      doubt("it opens files through /proc: " + path);
    }
    const bool is_itself = path == "/proc/self/exe";
    if (is_itself && !name.starts_with("readlink")) {
      ask(process.program, kQueried);
    }
    if (name.starts_with("readlink") && call.succeeded()) {
      take_process_file(path, process);
      if (path.starts_with("/proc/") && !process.loader.contains(call)) {  // it does for $ORIGIN
        learn(process, text_of(call.arguments[index + 1]));
      }
    }
    if (name == "getcwd" && call.succeeded()) {
      learn(process, path);
    }
    if (name.find("xattr") != std::string::npos && !name.starts_with("set")) {
      take_attribute(call);
    }
    if (name == "open" || name == "openat" || name == "openat2" || name == "creat") {
      std::string flags = name == "creat"                     ? "O_WRONLY|O_CREAT|O_TRUNC"
                          : index + 1 < call.arguments.size() ? call.arguments[index + 1]
                                                              : "";
      if (const std::size_t in = flags.find("flags=");
          name == "openat2" && in != std::string::npos) {
        flags = flags.substr(in + 6, flags.find_first_of(",}", in) - in - 6);
      }
      take_open(call, path, flags, process);
    } else if (name == "execve" || name == "execveat") {
      // A call without a result may have been made by a thread, whose process goes on.
      const bool executed = call.succeeded() || call.result.starts_with('?');
      ask(path, executed ? kLoaded : kQueried);
      if (executed && !is_itself && (path.starts_with("/proc/") || path.starts_with("/dev/"))) {
        doubt("it executes a file without a path: " + path);
      }
      if (executed) {
        trace_.executed.insert({path, *process.folder});
        process.program = is_itself ? process.program : path;
        process.loader = {.exists = is_dynamic(process.program)};
        learn_arguments(call, process);
        process.files = std::make_shared<std::map<std::string, OpenFile>>(*process.files);
      }
    } else if (name == "chdir") {
      ask(path, kQueried);
      if (call.succeeded()) {
        *process.folder = path;
      }
    } else if (name.starts_with("mkdir") || name.starts_with("mknod")) {
      make(path, call);
    } else if (name.starts_with("rename") || name.starts_with("link")) {
      ask(path, kQueried);
      const std::string target = path_at(call, at ? 3 : 1, at, process);
      if (call.succeeded() && name.starts_with("link") && !trace_.made.contains(path)) {
        ask(path, kOpened);  // it may be read by its other name
      }
      if (call.succeeded() && was_there(target)) {
        written_.insert(target);
      }
      if (call.succeeded() && name.starts_with("rename") && !trace_.made.contains(path)) {
        doubt("it renames a file that it did not create: " + path);
      }
      make(target, call);
    } else if (name.starts_with("symlink")) {
      take_link(call, path);
    } else {
      ask(path, kQueried);
    }
    constexpr std::string_view kFollow = " access faccessat newfstatat open openat stat statx ";
    const bool follows = kFollow.find(" " + name + " ") != std::string_view::npos &&
                         !contains(call, "AT_SYMLINK_NOFOLLOW");
    if (!call.succeeded() && call.result.find("ENOENT") != std::string::npos) {
      missed_.insert(path);
      if (follows) {
        waited_for_.insert(path);
      }
    } else if (call.succeeded() && follows && waited_for_.contains(path) && !may_have_made(path)) {
      doubt("another process made " + path);
    }
  }

  void take_link(const Call& call, const std::string& link) {
    const std::string target = text_of(call.arguments[0]).value_or("");
    make(link, call);
    if (call.succeeded() && !link.empty()) {
      links_[link] =
          target.starts_with('/') ? target : link.substr(0, link.rfind('/')) + "/" + target;
    }
  }

  /// Whether the processes made a file of this name, wherever, or a link above it.
  bool may_have_made(const std::string& path) const {
    if (path.starts_with("/proc/") || path.starts_with("/sys/") || path.starts_with("/dev/")) {
      return true;
    }
    for (std::string at = path; !at.empty(); at.resize(at.rfind('/'))) {
      if (links_.contains(at)) {
        return true;
      }
    }
    return path.ends_with("/..") || created_.contains(file_name_of(path));
  }

  void make(const std::string& path, const Call& call) {
    if (call.succeeded()) {
      created_.insert(file_name_of(path));
    }
    if (call.succeeded() && !path.empty() && !was_there(path)) {
      trace_.made.insert(path);
    }
    ask(path, kQueried);
  }

  /// Whether it existed when it was asked for: it may have been read before it was made anew.
  bool was_there(const std::string& path) const {
    return found_.contains(path) || (trace_.asked.contains(path) && !missed_.contains(path));
  }

 public:
  /// The loader closes its files: those that are still open were opened by programs.
  void finish() {
    for (const auto& [files, number] : still_open_) {
      const auto open = files->find(number);
      if (open != files->end()) {
        ask(open->second.path, kOpened);
        ask(open->second.real, kOpened);
      }
    }
    std::ranges::set_difference(written_, trace_.made,
                                std::inserter(trace_.wrote, trace_.wrote.end()));
    std::ranges::set_intersection(trace_.made, missed_,
                                  std::inserter(trace_.caches, trace_.caches.end()));
    for (const std::string& fifo : fifos_) {
      if (fifos_read_.contains(fifo) && !fifos_written_.contains(fifo)) {
        doubt("another process wrote the FIFO " + fifo);
      }
    }
  }

 private:
  Trace& trace_;
  std::string first_folder_;
  const std::set<int>& own_ports_;
  std::set<std::string> own_sockets_;  ///< bound to these
  std::map<std::string, Process> processes_;
  std::set<std::string> missed_;      ///< asked for before, and did not exist
  std::set<std::string> waited_for_;  ///< of these, with links followed
  std::set<std::string> found_;       ///< opened before, by the kernel's own name
  std::map<std::pair<std::string, std::string>, int> reads_;  ///< of made files, by a process
  std::set<std::string> written_;  ///< opened for writing, by the kernel's own name
  // By the last part of the path, which links do not change.
  std::set<std::string> created_, mapped_, fifos_, fifos_read_, fifos_written_;
  std::map<std::string, std::pair<std::string, std::string>> sizes_;  ///< path and size
  std::map<std::string, std::string> links_;  ///< link that the processes made -> its target
  std::vector<std::pair<std::shared_ptr<std::map<std::string, OpenFile>>, std::string>> still_open_;
};

}  // namespace

std::string from_hexadecimal(std::string_view text) {
  std::string bytes;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
  for (std::size_t i = 0; i + 3 < text.size() && text[i] == '\\' && text[i + 1] == 'x'; i += 4) {
    bytes += static_cast<char>(digit(text[i + 2]) * 16 + digit(text[i + 3]));
  }
  return bytes;
}

RunProcess under_strace(RunProcess run_process, std::filesystem::path log) {
  return [run_process = std::move(run_process), log = std::move(log)](ProcessRequest request) {
    std::vector<std::string> command{"strace", "-f", "--seccomp-bpf", "-y", "-i",         "-qq",
                                     "-xx",    "-s", "65536",         "-o", log.string(), "-e",
                                     kCalls,   "-e", "signal=none",   "--"};
    command.insert(command.end(), request.command.begin(), request.command.end());
    request.command = std::move(command);
    request.bounded_files.push_back(log);
    request.file_limit = std::max(request.file_limit, kTraceLimit);
    return run_process(request);
  };
}

std::string why_no_trace(const RunProcess& run_process) {
  const TemporaryFolder folder;
  const ProcessResult result = under_strace(
      run_process, folder.path() / "trace")({.command = {"true"}, .directory = "/", .timeout = 60});
  if (result.spawn_error.empty() && result.exit_code == 0) {
    return {};
  }
  return result.spawn_error.empty() ? "strace may not trace: " + last_line(result.stderr_text)
                                    : "strace is not installed";
}

Trace read_trace(std::string_view log, const std::filesystem::path& folder,
                 const std::set<int>& own_ports) {
  Trace trace;
  const std::vector<Call> calls = read_calls(log, trace);
  const auto ends = [](const Call& call) { return call.name == "exit"; };
  if (std::ranges::all_of(calls, ends) && trace.doubts.empty()) {
    trace.doubts.push_back("strace wrote nothing that could be read");
  }
  Reader reader(trace, folder.string(), own_ports);
  for (const Call& call : calls) {
    reader.take(call);
  }
  reader.finish();
  return trace;
}

}  // namespace perf
