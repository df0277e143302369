#include "collector/git/ancestry.h"
#include "schema/revision.h"

namespace perf {
namespace {

std::string both(const Revision& good, const Revision& bad) {
  return good.name + " (" + short_oid(good.oid) + ") and " + bad.name + " (" + short_oid(bad.oid) +
         ")";
}

[[noreturn]] void refuse(const Repository& repository, const Revision& good, const Revision& bad) {
  const std::optional<std::string> base = merge_base(repository, good.oid, bad.oid);
  if (!base) {
    throw UsageError("GOOD and BAD share no history", both(good, bad), "name two related commits");
  }
  if (*base == bad.oid) {
    throw UsageError("GOOD comes after BAD", both(good, bad), "name them the other way round");
  }
  throw UsageError("GOOD is not an ancestor of BAD", both(good, bad),
                   "name the commit where they parted as GOOD: " + short_oid(*base));
}

}  // namespace

std::vector<Revision> bisect_line(const Repository& repository, const Revision& good,
                                  const Revision& bad) {
  if (good.oid == bad.oid) {
    throw UsageError("GOOD and BAD are the same commit", both(good, bad), "name two commits");
  }
  if (!is_ancestor(repository, good.oid, bad.oid)) {
    refuse(repository, good, bad);
  }
  std::vector<Revision> line = range(repository, good.oid + ".." + bad.oid);
  const std::vector<std::string>& parents = line.front().parents;
  if (parents.empty() || parents.front() != good.oid) {
    // GOOD came in by a merge: the commits between it and the line cannot be told apart from here.
    throw UsageError("GOOD is not on the first-parent line of BAD", both(good, bad),
                     parents.empty()
                         ? "name a commit that `git log --first-parent` shows"
                         : "name the commit of the line before it was merged as GOOD: " +
                               short_oid(parents.front()));
  }
  return line;
}

}  // namespace perf
