#!/usr/bin/env bash
# Installs every Debian/Ubuntu package that building and testing perf-compare needs (Debian 12,
# Ubuntu 24.04). Does nothing, and needs no rights, when all of them are there.
#
#   ci/install_deps.sh              what building needs
#   ci/install_deps.sh --test       what the tests need as well
#   ci/install_deps.sh --peers      PyTorch as well, to compare with (docs/peers.md); nothing else needs it
#   ci/install_deps.sh --clang      clang, clang-tidy and LLVM's OpenMP as well: for ci/fuzz, ci/tidy and ThreadSanitizer
#   ci/install_deps.sh --package    what ci/package needs as well (Debian 12)
#   ci/install_deps.sh --list       prints the names, PyTorch's left out, one a line
set -euo pipefail

build_packages=(
  ca-certificates git g++ cmake ninja-build ccache pkg-config
  libgit2-dev libsqlite3-dev libsqlitecpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev libutfcpp-dev libxxhash-dev
  libzstd-dev libpq-dev libeigen3-dev libopenblas-openmp-dev libdnnl-dev strace
)
test_packages=(
  libgtest-dev libbenchmark-dev python3 python3-dev python3-setuptools python3-jsonschema python3-prometheus-client sqlite3
  cmark-gfm libxml2-utils locales valgrind jq python3-yaml shellcheck unzip zip
  faketime git-lfs postgresql qemu-user
)

package_packages=(apt dpkg-dev binutils libpcre2-dev libhttp-parser-dev zlib1g-dev minisign mmdebstrap umoci lintian)
clang_packages=(clang clang-tidy libomp-dev libgtest-dev)

# perf is the kernel's: each distribution has its own name for it.
if grep -qs '^ID=ubuntu' /etc/os-release; then
  test_packages+=(linux-tools-generic)
else
  test_packages+=(linux-perf)
fi

# Pages are opened in a browser. Ubuntu's chromium is a snap, which reads no build folder.
if grep -qs '^ID=debian' /etc/os-release; then
  test_packages+=(chromium chromium-driver python3-selenium)
fi

packages=("${build_packages[@]}")
for argument in "$@"; do
  case "$argument" in
    --peers) packages+=(python3-torch) ;;
    --test) packages+=("${test_packages[@]}") ;;
    --clang) packages+=("${clang_packages[@]}") ;;
    --package) packages+=("${package_packages[@]}") ;;
    --list) printf '%s\n' "${build_packages[@]}" "${test_packages[@]}"; exit 0 ;;
    *) echo "error: unknown argument: $argument: try --test, --clang, --package, --peers or --list" >&2; exit 2 ;;
  esac
done

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v dpkg-query >/dev/null; then
  echo "error: this is no Debian or Ubuntu machine: install the equivalents of: ${packages[*]}" >&2
  exit 3
fi

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  # -n: never ask for a password in the middle of a job.
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "error: not installed (${#missing[@]}), and $(id -un) may not install packages: ask an administrator to run: apt-get install ${missing[*]}" >&2
    exit 3
  fi
  as_root=(sudo -n)
fi

echo "installing packages (${#missing[@]}): ${missing[*]}" >&2
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
}
# Package lists may be absent or old on a fresh image: refresh them only then.
install 2>/dev/null || { "${as_root[@]}" apt-get update -qq >&2 && install; } || {
  echo "error: apt-get could not install: ${missing[*]}: its messages stand above; check the network and the package sources" >&2
  exit 3
}
