# shellcheck shell=bash
# Sourced by ci/package: the static perf-compare, and the archive of it.

# The packages that are linked into it. libgit2 is built here.
linked_packages=(libsqlite3-dev libsqlitecpp-dev libpcre2-dev libhttp-parser-dev zlib1g-dev libxxhash-dev libzstd-dev libfmt-dev
  nlohmann-json3-dev libcli11-dev libutfcpp-dev libexpat1-dev libc6-dev libstdc++-12-dev)

# own_apt FOLDER TYPE SUITE: sets `apt` to an apt-get with this source only and its lists in FOLDER.
own_apt() {
  mkdir -p "$1"/apt/{lists/partial,cache/archives/partial}
  printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian %s main\n' "$2" "$3" \
    >"$1/apt/list"
  apt=(apt-get -qq -o "Dir::Etc::sourcelist=$1/apt/list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=
    -o "Dir::State::lists=$1/apt/lists" -o "Dir::Cache=$1/apt/cache")
}

# make_libgit2: builds libgit2 without transports in $libgit2, from Debian's source, which apt downloads and checks.
make_libgit2() {
  local apt
  libgit2=$work/libgit2
  [ ! -e "$libgit2/prefix/lib/pkgconfig/libgit2.pc" ] || return 0
  rm -rf "$libgit2"
  own_apt "$libgit2" deb-src bookworm
  (
    cd "$libgit2" &&
      "${apt[@]}" update &&
      "${apt[@]}" source libgit2 &&
      cmake -S libgit2-*/ -B build -G Ninja "${cross[@]}" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$libgit2/prefix" \
        -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTS=OFF -DBUILD_CLI=OFF -DREGEX_BACKEND=pcre2 -DUSE_HTTP_PARSER=system \
        -DUSE_HTTPS=OFF -DUSE_SSH=OFF -DUSE_GSSAPI=OFF -DUSE_NTLMCLIENT=OFF -DENABLE_REPRODUCIBLE_BUILDS=ON \
        -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_C_FLAGS=-ffunction-sections -fdata-sections -ffile-prefix-map=$libgit2/=" &&
      cmake --build build &&
      cmake --install build
  ) >"$libgit2/log" 2>&1 || {
    tail -n 20 "$libgit2/log" >&2
    stop "libgit2 did not build (see above): $libgit2/log"
  }
}

# linked_sources: the source and version of each linked package, a line each.
linked_sources() {
  local package
  for package in "${linked_packages[@]}"; do
    # shellcheck disable=SC2016 # dpkg's own variables
    if [ -n "$sysroot" ]; then
      dpkg-deb -W --showformat='${source:Package} ${source:Version}\n' "$sysroot-packages/apt/cache/archives/$package"_*.deb
    else
      dpkg-query -W -f '${source:Package} ${source:Version}\n' "$package"
    fi
  done
}

# The licences and the versions of the sources of the linked libraries.
add_licences() {
  local folder=$1/share/doc/perf-compare/licences package
  mkdir -p "$folder"
  for package in "${linked_packages[@]}"; do
    cp -L "$sysroot/usr/share/doc/$package/copyright" "$folder/$package"
  done
  cp "$work"/libgit2/libgit2-*/COPYING "$folder/libgit2"
  {
    printf 'perf-compare is linked with these; Debian 12 has the sources (apt-get source PACKAGE=VERSION):\n'
    linked_sources
    sed -n 's/^Version: /libgit2 /p' "$work"/libgit2/libgit2_*.dsc
  } | sort -u >"$folder/SOURCES"
}

# pack FOLDER NAME...: an archive of these, reproducible: without the time and user of the build.
pack() {
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw "--mtime=@$SOURCE_DATE_EPOCH" --format=gnu \
    -cf - "${@:2}"
}

# Fails if the program needs a loader or a library of the machine.
require_static() {
  if readelf -lW "$1" | grep -q INTERP || readelf -dW "$1" | grep -q NEEDED; then
    stop "not linked statically: $1"
  fi
}

# Fails if the program needs a newer C library than docs/devices.md says.
require_old_glibc() {
  local needed
  needed=$({ echo GLIBC_2.34 && readelf -VW "$1" | grep -o 'GLIBC_[0-9.]*'; } | sort -V | tail -n 1)
  [ "$needed" = GLIBC_2.34 ] || stop "must need glibc 2.34 at most, needs $needed: $1"
}

# Fails unless the program reports that it is built without libpq, which has no archive to link.
require_no_libpq() {
  local output status=0
  output=$("${emulator[@]}" "$1" hub status postgres://nowhere.invalid/none 2>&1) || status=$?
  if [ "$status" -ne 3 ] || [[ $output != *'built without libpq'* ]]; then
    stop "must report 'built without libpq', got: $output"
  fi
}

# install_static: builds the static perf-compare and installs it in $work/$name.
install_static() {
  make_libgit2
  PKG_CONFIG_PATH=$work/libgit2/prefix/lib/pkgconfig \
    perf_build "$work/static" --preset static -B "$work/static" "${cross[@]}" "-DPERF_COMPARE_COMMIT=$commit" || exit 3
  rm -rf "${work:?}/$name"
  cmake --install "$work/static" --prefix "$work/$name" --strip >"$work/install.log"
  add_licences "$work/$name"
  require_static "$work/$name/bin/perf-compare"
  require_static "$work/$name/lib/perf-compare/perf-supervisor"
  require_no_libpq "$work/$name/bin/perf-compare"
  # The one dynamic program: it loads the driver's library.
  require_old_glibc "$work/$name/lib/perf-compare/perf-device"
  "${emulator[@]}" "$work/$name/lib/perf-compare/perf-device" facts >"$work/devices.log" || stop "perf-device does not run"
}

make_tarball() {
  install_static
  pack "$work" "$name" | gzip -9n >"$work/$name.tar.gz"
  mv "$work/$name.tar.gz" "$dist"
  cp "$perf_root/ci/install.sh" "$dist"
}
