#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "collector/mapped_file.h"
#include "collector/trace/program.h"
#include "schema/text/fnv.h"

namespace perf {
namespace {

constexpr std::size_t kShortestOid = 7;    // digits, as git shortens it
constexpr std::size_t kPythonHeader = 16;  // B of a .pyc: version, time of the source (PEP 552)
constexpr std::size_t kScriptLine = 256;   // B of a script's first line that the kernel reads

/// A digest of parts.
class Digest {
 public:
  Digest() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void add(std::string_view bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
  }
  std::string text() const {
    const XXH128_hash_t whole = XXH3_128bits_digest(state_.get());
    return hexadecimal(whole.high64) + hexadecimal(whole.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

/// The next own name at or after `from`: its place and length; npos where there is none.
std::pair<std::size_t, std::size_t> next_own_name(std::string_view text, std::size_t from,
                                                  const OwnNames& own) {
  const std::size_t path = own.path.empty() ? std::string_view::npos : text.find(own.path, from);
  std::size_t oid = own.oid.size() < kShortestOid
                        ? std::string_view::npos
                        : text.find(std::string_view(own.oid).substr(0, kShortestOid), from);
  if (path <= oid) {
    return {path, own.path.size()};
  }
  const std::string_view rest = text.substr(oid);
  const std::size_t longest = std::min(rest.size(), own.oid.size());
  const auto end = std::mismatch(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(longest),
                                 own.oid.begin());
  return {oid, static_cast<std::size_t>(end.first - rest.begin())};
}

/// Passes the text on in parts, `~` in place of own names. Returns the places and lengths of those.
template <class Take>
std::string take_without_own_names(std::string_view text, const OwnNames& own, const Take& take) {
  std::string places;
  std::size_t from = 0;
  while (true) {
    const auto [at, length] = next_own_name(text, from, own);
    if (at == std::string_view::npos) {
      take(text.substr(from));
      return places;
    }
    take(text.substr(from, at - from));
    take(std::string(length, '~'));
    places += std::to_string(at) + '+' + std::to_string(length) + ' ';
    from = at + length;
  }
}

/// The places are part of the digest: a text with own names differs from one with as many `~`.
void add_without_own_names(std::string_view text, const OwnNames& own, Digest& digest) {
  digest.add(
      take_without_own_names(text, own, [&digest](std::string_view part) { digest.add(part); }));
  digest.add(std::to_string(text.size()));
}

void add_loaded(std::string_view bytes, const Elf& elf, const OwnNames& own, Digest& digest) {
  const std::string blank = with_blanks(bytes, elf);
  const std::string_view all = blank;
  digest.add("elf");
  digest.add(all.substr(0, sizeof(Elf64_Ehdr)));
  digest.add(all.substr(elf.header.e_phoff, elf.segments.size() * sizeof(Elf64_Phdr)));
  for (const Elf64_Phdr& segment : elf.segments) {
    // The kernel reads the interpreter's name and the notes, which may lie outside PT_LOAD.
    if (segment.p_type == PT_LOAD || segment.p_type == PT_INTERP || segment.p_type == PT_NOTE) {
      add_without_own_names(all.substr(segment.p_offset, segment.p_filesz), own, digest);
    }
  }
}

}  // namespace

std::string without_own_names(std::string text, const OwnNames& own) {
  std::string result;
  take_without_own_names(text, own, [&result](std::string_view part) { result += part; });
  return result;
}

bool is_own_id(const std::filesystem::path& file, const OwnNames& own) {
  constexpr std::size_t kLongest = 4096;  // B
  const MappedFile mapped(file);
  if (mapped.bytes().size() > kLongest) {
    return false;
  }
  std::size_t ids = 0, others = 0;
  take_without_own_names(mapped.bytes(), {"", own.oid}, [&](std::string_view part) {
    const bool is_id = part.find_first_not_of('~') == std::string_view::npos;
    (is_id ? ids : others) += part.size();
  });
  return ids > others;
}

std::optional<std::string> content_digest(const std::filesystem::path& file, bool loaded,
                                          const OwnNames& own) {
  const MappedFile mapped(file);
  if (!mapped.is_read()) {
    return std::nullopt;
  }
  Digest digest;
  if (const std::optional<Elf> elf = loaded_elf(mapped.bytes(), loaded)) {
    add_loaded(mapped.bytes(), *elf, own, digest);
  } else {
    digest.add("raw");
    add_without_own_names(mapped.bytes(), own, digest);
  }
  return digest.text();
}

std::optional<std::string> python_code_digest(const std::filesystem::path& file,
                                              const OwnNames& own) {
  const MappedFile mapped(file);
  if (mapped.bytes().size() < kPythonHeader) {
    return std::nullopt;
  }
  Digest digest;
  add_without_own_names(mapped.bytes().substr(kPythonHeader), own, digest);
  return digest.text();
}

std::string first_difference(const std::filesystem::path& one, const OwnNames& of_one,
                             const std::filesystem::path& other, const OwnNames& of_other,
                             bool loaded) {
  const MappedFile a(one), b(other);
  const std::optional<Elf> elf_a = loaded_elf(a.bytes(), loaded),
                           elf_b = loaded_elf(b.bytes(), loaded);
  if (elf_a && elf_b) {
    // The names of sections lie behind what is loaded, so they are not blanked.
    return differing_section(without_own_names(with_blanks(a.bytes(), *elf_a), of_one), *elf_a,
                             without_own_names(with_blanks(b.bytes(), *elf_b), of_other), *elf_b);
  }
  const std::string text_a = without_own_names(std::string(a.bytes()), of_one),
                    text_b = without_own_names(std::string(b.bytes()), of_other);
  if (text_a.find('\0') != std::string::npos || text_b.find('\0') != std::string::npos) {
    return {};
  }
  const auto at = std::ranges::mismatch(text_a, text_b).in1;
  if (at == text_a.end() && text_a.size() == text_b.size()) {
    return {};
  }
  return "line " + std::to_string(1 + std::count(text_a.begin(), at, '\n'));
}

std::string interpreter_of(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  const std::string_view bytes = mapped.bytes();
  if (bytes.starts_with("#!")) {
    std::string_view line = bytes.substr(2, kScriptLine);
    line = line.substr(0, line.find('\n'));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line.substr(0, line.find_first_of(" \t\r")));
  }
  if (const std::optional<Elf> elf = read_elf(bytes)) {
    for (const Elf64_Phdr& segment : elf->segments) {
      if (segment.p_type == PT_INTERP) {
        const std::string_view path = bytes.substr(segment.p_offset, segment.p_filesz);
        return std::string(path.substr(0, path.find('\0')));
      }
    }
  }
  return {};
}

}  // namespace perf
