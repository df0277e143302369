#include <algorithm>
#include <sstream>

#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// As much of a Cargo.toml as init needs: its tables, with the plain texts in them.
struct CargoManifest {
  std::string package;
  std::vector<std::string> benches;  ///< [[bench]] name = "..."
  bool is_workspace = false;
  bool has_criterion = false;
  bool has_bencher = false;  ///< libtest's benchmarks as a crate
};

/// The text of `name = "text"` or `name = 'text'`; empty for anything else.
std::string text_of(const std::string& line) {
  const std::size_t begin = line.find_first_of("\"'");
  const std::size_t end = begin == line.npos ? line.npos : line.find(line[begin], begin + 1);
  return end == line.npos ? std::string() : line.substr(begin + 1, end - begin - 1);
}

CargoManifest read_manifest(const std::string& text) {
  CargoManifest manifest;
  std::istringstream lines(text);
  std::string table;
  for (std::string raw; std::getline(lines, raw);) {
    const std::string line(trimmed(raw));
    if (!line.empty() && line[0] == '[') {
      table = line.substr(0, line.rfind(']') + 1);
      manifest.is_workspace = manifest.is_workspace || table == "[workspace]";
      manifest.has_criterion =
          manifest.has_criterion || table.find(".criterion]") != std::string::npos;
      continue;
    }
    const std::string_view key = trimmed(std::string_view(line).substr(0, line.find('=')));
    if (table == "[package]" && key == "name") {
      manifest.package = text_of(line);
    }
    if (table == "[[bench]]" && key == "name" && !text_of(line).empty()) {
      manifest.benches.push_back(text_of(line));
    }
    const bool of_dependencies = table.find("dependencies]") != std::string::npos;
    manifest.has_criterion |=
        of_dependencies && (key == "criterion" || key == "criterion.workspace");
    manifest.has_bencher |= of_dependencies && (key == "bencher" || key == "bencher.workspace");
  }
  return manifest;
}

/// benches/NAME.rs, which Cargo finds by itself.
void add_found_benches(const SourceTree& tree, const std::string& folder, CargoManifest& manifest) {
  const std::string place = folder.empty() ? "benches" : folder + "/benches";
  for (const std::string& file : tree.files) {
    if (folder_of(file) != place || !file.ends_with(".rs")) {
      continue;
    }
    const std::string filename = filename_of(file);
    const std::string name = filename.substr(0, filename.size() - 3);
    if (std::ranges::find(manifest.benches, name) == manifest.benches.end()) {
      manifest.benches.push_back(name);
    }
  }
}

/// Cargo would read it as an option, or not at all.
bool is_unusable_name(const std::string& name) {
  return name.empty() || name[0] == '-';
}

constexpr const char* kLibtestBench = "#[bench]";

bool is_libtest(const std::string& source) {
  return source.find(kLibtestBench) != std::string::npos;
}

/// The feature of the package that turns on `feature(test)`: #![cfg_attr(feature = "x",
/// feature(test))]; empty: none.
std::string feature_of(const std::string& source) {
  const std::size_t test = source.find("feature(test)");
  const std::size_t begin = source.rfind('\n', test) + 1;  // npos + 1 is 0
  const std::string line = test == source.npos ? "" : source.substr(begin, test - begin);
  return line.find("cfg_attr(feature") == line.npos ? "" : text_of(line);
}

/// #[bench] is unstable: it needs a nightly toolchain.
std::string nightly_cargo(const SourceTree& tree) {
  for (const char* file : {"rust-toolchain.toml", "rust-toolchain"}) {
    if (holds(tree, file, "nightly")) {
      return "cargo";
    }
  }
  return "cargo +nightly";
}

/// Benchmarks that print as libtest does: of a bench, or without its name those in the library.
/// `source` has the attributes of its crate.
void propose_libtest(const SourceTree& tree, const CargoManifest& manifest, const std::string& file,
                     const std::string& bench, const std::string& source, Proposal& proposal) {
  const bool is_stable = !bench.empty() && !is_libtest(source);  // the crate bencher
  const std::string cargo = is_stable ? "cargo" : nightly_cargo(tree);
  const std::string feature = feature_of(source);
  std::vector<std::string> command{"cargo"};
  if (cargo != "cargo") {
    command.emplace_back("+nightly");
  }
  command.insert(command.end(), {"bench", "--quiet", "--package", manifest.package});
  if (bench.empty()) {
    command.emplace_back("--lib");
  } else {
    command.insert(command.end(), {"--bench", bench});
  }
  if (!feature.empty()) {
    command.insert(command.end(), {"--features", feature});
  }
  const std::string place = (bench.empty() ? "the library" : "bench " + bench) + " of " + file;
  const std::string tool = is_stable ? "the crate bencher" : kLibtestBench;
  proposal.found.push_back("benchmarks with " + tool + ": " + place);
  proposal.workloads.push_back(
      {bench.empty()             ? manifest.package
       : folder_of(file).empty() ? bench
                                 : manifest.package + "/" + bench,
       std::move(command),
       "criterion",
       "Benchmarks with " + tool + ", " + place + ", whose text the format criterion reads." +
           (cargo == "cargo" ? "" : " They need Rust's nightly toolchain."),
       {{cargo + " bench --no-run --package " + shell_word(manifest.package) +
         (feature.empty() ? "" : " --features " + shell_word(feature))}}});
}

void propose(const SourceTree& tree, const std::string& bench, const CargoManifest& manifest,
             const std::string& file, Proposal& proposal) {
  const std::string place = "bench " + bench + " of " + file;
  const std::string folder = folder_of(file);
  const std::string source =
      tree.read((folder.empty() ? "" : folder + "/") + "benches/" + bench + ".rs");
  if (is_libtest(source) || (manifest.has_bencher && !manifest.has_criterion)) {
    propose_libtest(tree, manifest, file, bench, source, proposal);
    return;
  }
  if (!manifest.has_criterion) {
    proposal.notes.push_back("the " + place +
                             " uses neither criterion nor #[bench], the Rust formats that are "
                             "read: see docs/formats.md");
    return;
  }
  proposal.found.push_back("criterion: bench " + bench + " (" + file + ")");
  proposal.workloads.push_back(
      // Members of a workspace may have benches of one name.
      {folder.empty() ? bench : manifest.package + "/" + bench,
       {"cargo", "bench", "--quiet", "--package", manifest.package, "--bench", bench, "--",
        "--output-format", "bencher", "--warm-up-time", "0.5", "--measurement-time", "1"},
       "criterion",
       "criterion, " + place +
           ". Each of its benchmarks gets a verdict; a name after -- selects some.",
       {{"cargo bench --no-run --workspace"}}});
}

/// #[bench] functions beside the code of the library.
void propose_library(const SourceTree& tree, const CargoManifest& manifest, const std::string& file,
                     Proposal& proposal) {
  const std::string sources = (folder_of(file).empty() ? "" : folder_of(file) + "/") + "src/";
  if (!has_file(tree, sources + "lib.rs")) {
    return;
  }
  for (const std::string& one : tree.files) {
    if (one.starts_with(sources) && one.ends_with(".rs") && is_libtest(tree.read(one))) {
      propose_libtest(tree, manifest, file, "", tree.read(sources + "lib.rs"), proposal);
      return;
    }
  }
}

}  // namespace

void detect_cargo(const SourceTree& tree, Proposal& proposal) {
  const std::vector<std::string> files = files_named(tree, "Cargo.toml");
  if (files.empty() || files.front() != "Cargo.toml") {
    return;  // cargo runs at the top of the checkout
  }
  proposal.build.push_back({"cargo build --release"});
  for (const std::string& file : files) {
    CargoManifest manifest = read_manifest(tree.read(file));
    const std::string folder = folder_of(file);
    add_found_benches(tree, folder, manifest);
    if (folder.empty()) {
      proposal.found.push_back(manifest.is_workspace ? "a Cargo workspace"
                                                     : "a Cargo package " + manifest.package);
    }
    if (is_unusable_name(manifest.package)) {
      continue;
    }
    if (has_file(tree, (folder.empty() ? "" : folder + "/") + "src/main.rs")) {
      proposal.programs.push_back(
          whole_program(manifest.package, {"target/release/" + manifest.package}));
    }
    for (const std::string& bench : manifest.benches) {
      if (!is_unusable_name(bench)) {
        propose(tree, bench, manifest, file, proposal);
      }
    }
    propose_library(tree, manifest, file, proposal);
  }
}

}  // namespace perf
