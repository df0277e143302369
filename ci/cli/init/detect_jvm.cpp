#include <algorithm>

#include "ci/cli/init/proposal.h"
#include "schema/formats/foreign.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

/// The wrapper of the repository where it has one.
std::string builder_of(const SourceTree& tree, const std::string& wrapper,
                       const std::string& program) {
  return has_file(tree, wrapper) ? "sh ./" + wrapper : program;
}

/// JMH writes its results to a file: -rf json -rff FILE.
void add_jmh(const std::string& folder, const std::string& jars, const std::string& file,
             std::vector<BuildLine> build, Proposal& proposal) {
  const std::vector<std::string_view>& known = formats::foreign_formats();
  const bool is_read = std::ranges::find(known, "jmh") != known.end();
  proposal.found.push_back("JMH: " + file);
  proposal.workloads.push_back(
      {folder.empty() ? "jmh" : folder,
       {"sh", "-c",
        "exec java -jar " + (folder.empty() ? "" : shell_word("./" + folder) + "/") + jars +
            " -f 1 -wi 3 -w 200ms -i 5 -r 200ms" + (is_read ? " -rf json -rff {out}" : "")},
       is_read ? "jmh" : "process",
       "JMH of " + file +
           ": one fork, because pairs of processes are the evidence. A name after -jar FILE "
           "selects "
           "some benchmarks.",
       std::move(build)});
}

void add_gradle(const SourceTree& tree, const std::string& file, Proposal& proposal) {
  std::string task = ":" + folder_of(file);
  std::ranges::replace(task, '/', ':');
  task += task.size() > 1 ? ":jmhJar" : "jmhJar";
  add_jmh(folder_of(file), "build/libs/*-jmh.jar", file,
          {{builder_of(tree, "gradlew", "gradle") + " --quiet", {shell_word(task)}}}, proposal);
}

void add_maven(const SourceTree& tree, const std::string& file, Proposal& proposal) {
  const std::string folder = folder_of(file);
  std::string line = builder_of(tree, "mvnw", "mvn") + " --quiet -DskipTests package";
  if (!folder.empty()) {
    line +=
        has_file(tree, "pom.xml") ? " -am -pl " + shell_word(folder) : " -f " + shell_word(file);
  }
  // The archetype of JMH names it so.
  add_jmh(folder, "target/benchmarks.jar", file, {{line}}, proposal);
}

}  // namespace

void detect_jvm(const SourceTree& tree, Proposal& proposal) {
  bool has_gradle = false, has_maven = false;
  for (const char* name : {"build.gradle", "build.gradle.kts"}) {
    for (const std::string& file : files_named(tree, name)) {
      has_gradle = true;
      if (holds(tree, file, "me.champeau.jmh") || holds(tree, file, "me.champeau.gradle.jmh")) {
        add_gradle(tree, file, proposal);
      }
    }
  }
  for (const std::string& file : files_named(tree, "pom.xml")) {
    has_maven = true;
    if (holds(tree, file, "jmh-core")) {
      add_maven(tree, file, proposal);
    }
  }
  if (has_gradle || has_maven) {
    proposal.found.push_back(has_gradle ? "a Gradle project" : "a Maven project");
  }
  if (proposal.build.empty() && has_gradle) {
    proposal.build.push_back({builder_of(tree, "gradlew", "gradle") + " --quiet assemble"});
  } else if (proposal.build.empty() && has_maven) {
    proposal.build.push_back({builder_of(tree, "mvnw", "mvn") + " --quiet -DskipTests package"});
  }
}

}  // namespace perf
