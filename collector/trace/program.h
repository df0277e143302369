#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "collector/trace/built_tree.h"
#include "schema/invocation.h"
#include "schema/workload.h"

namespace perf {

// What a workload runs: every path that its processes asked for below the checkout, with what is
// there. Explained in docs/same-program.md. Internal to collector/trace.

/// How a path was asked for; a path may be asked for in several ways.
enum Asked : unsigned {
  kQueried = 1,  ///< stat, access, readlink, or a path that does not exist
  kLoaded = 2,   ///< executed by the kernel, or mapped by the dynamic loader
  kOpened = 4,   ///< opened by a program, which may have read all of it
  kListed = 8,   ///< a folder whose names were read
};

/// What a process and its descendants asked the file system for, by the path that they named, made
/// absolute; `..` and links are not resolved.
struct Trace {
  std::map<std::string, unsigned> asked;  ///< path -> Asked, in any combination
  /// Program and working folder of each execve(2) that succeeded.
  std::set<std::pair<std::string, std::string>> executed;
  std::set<std::string> made;  ///< paths that the processes themselves created
  std::set<std::string>
      wrote{};  ///< paths of files that were there, and that they may have written
  std::set<std::string> caches{};  ///< of made ones, files that they had looked for, and left there
  std::vector<std::string> doubts{};  ///< what no comparison of files can show, each once
  /// A program and a path that it learned: of its arguments, its working folder, or of /proc. Not
  /// kept beside a build.
  std::set<std::pair<std::string, std::string>> learned{};
};

/// Runs every process and its descendants under strace(1), which writes to `log` what they ask the
/// file system for. seccomp-bpf: calls that are not traced take no time.
RunProcess under_strace(RunProcess run_process, std::filesystem::path log);

/// The bytes that strace writes in hexadecimal (-xx), up to anything else.
std::string from_hexadecimal(std::string_view text);

/// Reads strace's log (-f -y -xx: strings and the paths of descriptors in hexadecimal). `folder`:
/// where the first process began. A line that cannot be read adds a doubt, and so does a log
/// without calls. `own_ports`: TCP ports of this machine at which another process of the workload
/// listens.
Trace read_trace(std::string_view log, const std::filesystem::path& folder,
                 const std::set<int>& own_ports = {});

/// Whether a path is among what was asked for, in one of these ways.
bool is_asked_for(const std::string& path, const std::map<std::string, unsigned>& asked,
                  unsigned ways = kOpened | kLoaded);

/// The names of a checkout that its files may contain without being different: its path, and its
/// revision's id, whole or shortened to 7 digits or more.
struct OwnNames {
  std::string path;
  std::string oid;
};

/// The text with its own names replaced by as many other bytes.
std::string without_own_names(std::string text, const OwnNames& own);

/// What two processes of one workload in one checkout asked for.
Trace merged(Trace one, const Trace& other);

/// A digest (XXH3, 128 bits) of what in a file can change what a program does, without own names.
/// `loaded`: only the kernel or the dynamic loader has read it. Of an ELF file (elf(5), 64-bit) the
/// header, the program headers and what PT_LOAD maps then count, without the build id and the place
/// of the section table; but all of a file that is not loadable (ET_REL, no PT_LOAD) or has bytes
/// behind its sections. Nothing where the file cannot be read.
std::optional<std::string> content_digest(const std::filesystem::path& file, bool loaded,
                                          const OwnNames& own);

/// Whether a short file contains little but the id of its own commit: a program that reads it may
/// do something else at each commit.
bool is_own_id(const std::filesystem::path& file, const OwnNames& own);

/// A digest of what Python compiled, without the times in its header; nothing where it cannot be
/// read.
std::optional<std::string> python_code_digest(const std::filesystem::path& file,
                                              const OwnNames& own);

/// Where the contents of two files begin to differ: ".rodata" of ELF files that are loaded,
/// "line 3" of a text; empty for other files.
std::string first_difference(const std::filesystem::path& one, const OwnNames& of_one,
                             const std::filesystem::path& other, const OwnNames& of_other,
                             bool loaded);

/// The program that the kernel reads to execute this one: PT_INTERP of an ELF file, the interpreter
/// of a script. As written in the file; empty where there is none.
std::string interpreter_of(const std::filesystem::path& file);

/// The parts of an ELF file.
struct Elf {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments{};
  std::vector<Elf64_Shdr> sections{};
  std::uint64_t end = 0;  ///< of its last part, B
};

/// Nothing unless it is a 64-bit little-endian ELF file that can be executed or loaded.
std::optional<Elf> read_elf(std::string_view bytes);

/// The ELF file of which only what is loaded counts; nothing where all of the bytes do.
std::optional<Elf> loaded_elf(std::string_view bytes, bool loaded);

/// The bytes with build ids and the place of the section table blanked: only linking decides them.
std::string with_blanks(std::string_view bytes, const Elf& elf);

/// The most telling loaded section that differs; empty where none is known to.
std::string differing_section(const std::string& one, const Elf& of_one, const std::string& other,
                              const Elf& of_other);

/// The files of this machine's packages, from the lists of dpkg(1).
class PackageFiles {
 public:
  explicit PackageFiles(std::filesystem::path lists = "/var/lib/dpkg/info")
      : lists_(std::move(lists)) {}

  /// Whether a file outside every checkout belongs to a package, is a link of
  /// update-alternatives(1), or the loader's cache: only packages write these, and their ctime
  /// cannot be set.
  bool has(const std::filesystem::path& path) const;

 private:
  std::filesystem::path lists_;
  mutable std::optional<std::string> all_;  ///< read when it is first asked for
};

/// A checkout in which workloads were traced.
struct TracedTree {
  std::filesystem::path root;  ///< without links on the way
  OwnNames own;
  BuiltTree built;
  std::int64_t ended = 0;  ///< ns since the epoch: when its build was done
  std::shared_ptr<const PackageFiles> packages{};
  std::vector<std::filesystem::path> working_trees{};  ///< of its repository
  std::filesystem::path harness{};  ///< the folder of files outside the commit that it may read
  std::filesystem::path entry{};    ///< of the build cache, beside others; contains the root
  bool is_build = true;  ///< else a folder or a file as it stands: times of copies tell nothing
};

/// Two sides of a workload: what they asked for, and where.
struct TracedSide {
  const TracedTree* tree = nullptr;
  const Trace* trace = nullptr;
};

/// A digest of what stands at each path outside the checkout that the side asked for, or that
/// nothing does: where it changes, the side has to be traced again.
std::string state_outside(const TracedSide& side);

/// The files of the checkout that the side opened or loaded.
std::set<std::string> files_read(const TracedSide& side);

/// Identifies what a side runs: equal where everything that was asked for is equal. `command`: its
/// words_of_run.
std::string program_id(const TracedSide& side, const std::vector<std::string>& command);

/// Why both sides have to be measured: the first path that one of them asked for and that differs
/// between the checkouts ("build/bench: .rodata"), or a reason to doubt that the trace is complete.
/// Empty: both run the same program on the same input. `inputs`: globs of files below the checkout
/// that count as asked for; `command`: a text in which files may be named (changed_beside).
std::string difference_of(const TracedSide& base, const TracedSide& head,
                          const std::vector<std::string>& inputs = {},
                          const std::vector<std::string>& command = {});

/// The first program that one side alone executed, or file that it alone read, of two sides that
/// are no builds; or that no file of the sides is read. Empty: none.
std::string done_alone(const TracedSide& base, const TracedSide& head);

/// Whether a text has the name as a word of its own.
bool has_word(std::string_view text, std::string_view name);

/// Why a side that is no build may act by the names in its own path, which is not that of `other`:
/// by what its programs can learn of it, and by what they contain. Empty: nothing of that is known.
/// `command`: words_of_run.
std::string may_act_by_path(const TracedSide& side, const std::vector<std::string>& command,
                            const TracedSide& other, const std::vector<std::string>& other_command);

/// Whether a folder has installed code: an environment of Python or conda, packages of Node.js.
bool is_environment(const std::filesystem::path& folder);

/// The source of what Python compiled: one.py of __pycache__/one.cpython-311.pyc. Empty for other
/// files.
std::filesystem::path python_source(const std::filesystem::path& file);

/// Whether Python will use what it compiled, by its header (PEP 552): the version and flags, then
/// " current" or " stale" by the time and size of the source, or a hash of it where the flags are
/// not zero.
std::string python_check(const std::filesystem::path& compiled, const BuiltFile& source);

/// A file that differs between the checkouts and that neither side asked for, for sides that read
/// other files with another seed; empty: none. As in changed_beside, without documents, tests and
/// sources.
std::string changed_elsewhere(const TracedSide& base, const TracedSide& head);

/// Whether two sides asked for the same below their checkouts and in the same ways, for the same
/// files outside that there are, and wrote the same. What a run made and removed again does not
/// count.
bool ask_alike(const TracedSide& one, const TracedSide& other);

/// A file of a working tree, or of another build, that a side executed, loaded or opened though its
/// own checkout has that file, or executed or loaded and read no file of its checkout; a file of
/// another build that it asked for at all; or an installed_copy: what was measured is not the
/// commit. Empty: none.
std::string foreign_code(const TracedSide& base, const TracedSide& head);

/// A module, program or library that a side used where it was installed (by pip, make install,
/// ...), though the commits change their own file of this name, or package: what was measured has
/// not this change. Empty: none.
std::string installed_copy(const TracedSide& base, const TracedSide& head);

/// A file outside the checkouts that one side's run made, and the other's read in place of a file
/// of its commit that differs, as a sentence. Empty: none.
std::string cache_of_other(const TracedSide& base, const TracedSide& head);

/// Folders of caches whose entries are named by what they contain: the user's, ccache's, Go's, ...
std::vector<std::string> cache_folders();

/// A file outside the checkouts and these caches that one side's run writes, the other's only
/// reads, and that was there before: "head's run writes /home/a/.config/x, which base reads"; or
/// that one side's run reads and writes, and the other does not ask for. Empty: none.
std::string written_for_other(const TracedSide& base, const TracedSide& head);

/// Whether both builds left a file of this name, wherever, with another content; `loaded`: as in
/// content_digest.
bool names_changed_file(const std::string& name, const TracedTree& base, const TracedTree& head,
                        bool loaded = false);

/// Why no comparison is possible: both sides run code that does not follow from their commits; on
/// further lines what to do about it. Empty: nothing is known.
std::string common_code_of(const TracedSide& base, const TracedSide& head);

/// An id that can be compared without the other checkout: equal only where the `inputs`, and all
/// files that may take the place of what was asked for (state_beside), are equal too.
std::string lasting_program_id(const TracedSide& side, const std::vector<std::string>& command,
                               const std::vector<std::string>& inputs);

/// difference_of where nothing can be traced: compares the files that the command names and those
/// that match the globs.
std::string difference_of_inputs(const TracedTree& base, const TracedTree& head,
                                 const std::vector<std::string>& command,
                                 const std::vector<std::string>& inputs);

/// A changed file that a workload did not ask for but may ask for next time: another shard, a file
/// that another seed chooses; empty: none. An opened file stands for all of its folder and suffix,
/// and of its name in neighbouring folders; any path stands for those that differ from it in digits
/// only; an executed script without a suffix stands for programs only. The text of an opened script
/// and the command stand for the files that they name, except documents, tests and sources of
/// compiled languages. `asked`: by the path below the checkouts, in which ways (Asked).
std::string changed_beside(const std::map<std::string, unsigned>& asked, const TracedTree& base,
                           const TracedTree& head, const std::vector<std::string>& command = {});

/// The content of all files of one tree that may take the place of what was asked for: where it is
/// equal for two trees, and so is everything that was asked for, changed_beside returns nothing.
std::string state_beside(const std::map<std::string, unsigned>& asked, const TracedTree& tree,
                         const std::vector<std::string>& command = {});

/// An ordinary invocation of one side of a workload, traced.
struct TracedRun {
  Trace trace{};
  Invocation invocation{};  ///< its values are not samples; its checks and names of metrics count
  std::string outside{};    ///< state_outside when it was done
};

/// Runs a workload once under strace in a checkout, with the side, oid, steps, warm-up and seed of
/// `request`, and keeps the trace beside the build. Returns the kept trace instead where one was
/// made with the same workload, parameters, variables, steps and seed, and `outside_of` it
/// (state_outside) did not change. A failed invocation is not kept; of a workload, the latest are.
/// What an `earlier` run left in the checkout counts as made by this one, too.
TracedRun run_traced(const Workload& workload, const Checkout& checkout, Invocation request,
                     const RunProcess& run_process,
                     const std::function<std::string(const Trace&)>& outside_of = {},
                     const Trace& earlier = {});

/// Whether run_traced has kept a trace of such a `request`, whatever changed outside.
bool has_kept(const Workload& workload, const Checkout& checkout, const Invocation& request);

/// What an invocation reported, without numbers: another seed may give other values and errors.
std::string reported_by(Invocation done);

/// The plan's seed of the traces that are kept beside a build; nothing where none are.
std::optional<std::uint64_t> traced_with_seed(const Checkout& checkout);
void remember_seed(const Checkout& checkout, std::uint64_t seed);

}  // namespace perf
