#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that building and testing perf-compare needs (Debian 12,
# Ubuntu 24.04). Does nothing, and needs no rights, if all are installed.
#
#   ci/install_deps.sh              packages for building
#   ci/install_deps.sh --test       for the tests as well
#   ci/install_deps.sh --peers      PyTorch and hyperfine as well: for docs/peers.md and ci/evidence --peers
#   ci/install_deps.sh --clang      clang, clang-tidy and LLVM's OpenMP as well: for ci/fuzz, ci/tidy and ThreadSanitizer
#   ci/install_deps.sh --package    for ci/package as well (Debian 12)
#   ci/install_deps.sh --list       prints the names, without PyTorch, one a line
set -euo pipefail

build_packages=(
  ca-certificates git g++ cmake ninja-build ccache pkg-config
  libgit2-dev libsqlite3-dev libsqlitecpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev libutfcpp-dev libexpat1-dev libxxhash-dev
  libzstd-dev libpq-dev libeigen3-dev libopenblas-openmp-dev libdnnl-dev thrift-compiler libthrift-dev libboost-dev strace
)
test_packages=(
  libgtest-dev libbenchmark-dev python3 python3-dev python3-pip python3-setuptools python3-jsonschema python3-prometheus-client sqlite3
  cmark-gfm libxml2-utils locales valgrind jq python3-yaml shellcheck unzip zip
  faketime git-lfs postgresql qemu-user
)

package_packages=(python3-pip apt dpkg-dev binutils libpcre2-dev libhttp-parser-dev zlib1g-dev minisign mmdebstrap umoci lintian
  g++-aarch64-linux-gnu qemu-user)
clang_packages=(clang clang-tidy libomp-dev libgtest-dev)

# The package of perf has a different name in each distribution.
if grep -qs '^ID=ubuntu' /etc/os-release; then
  test_packages+=(linux-tools-generic)
else
  test_packages+=(linux-perf)
fi

# For tests of HTML pages. Ubuntu's chromium is a snap, which cannot read build folders.
if grep -qs '^ID=debian' /etc/os-release; then
  test_packages+=(chromium chromium-driver python3-selenium)
fi

# fail STATUS ERROR HINT
fail() {
  printf 'error: %s\nhint: %s\n' "$2" "$3" >&2
  exit "$1"
}

packages=("${build_packages[@]}")
for argument in "$@"; do
  case "$argument" in
    --peers) packages+=(python3-torch hyperfine libbenchmark-tools python3-scipy python3-pytest-benchmark golang-go) ;;
    --test) packages+=("${test_packages[@]}") ;;
    --clang) packages+=("${clang_packages[@]}") ;;
    --package) packages+=("${package_packages[@]}") ;;
    --list) printf '%s\n' "${build_packages[@]}" "${test_packages[@]}"; exit 0 ;;
    *) fail 2 "unknown argument: $argument" '--test, --clang, --package, --peers or --list' ;;
  esac
done

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v dpkg-query >/dev/null; then
  fail 3 'packages cannot be installed: neither Debian nor Ubuntu' "install the equivalents of: ${packages[*]}"
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
  # -n: no password prompt.
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    fail 3 "missing packages (${#missing[@]}) cannot be installed: no root rights for $(id -un)" "ask an administrator to run: apt-get install ${missing[*]}"
  fi
  as_root=(sudo -n)
fi

echo "installing packages (${#missing[@]}): ${missing[*]}" >&2
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
}
# Refresh the package lists only if they are missing or old.
install 2>/dev/null || { "${as_root[@]}" apt-get update -qq >&2 && install; } || {
  fail 3 "apt-get could not install (its messages stand above): ${missing[*]}" 'check the network and the package sources'
}
