# shellcheck shell=bash
# Sourced by ci/package: Debian packages of the command and of the workloads, linked with the libraries of Debian 12;
# for Arm, of the archive's command only.

# add_debian_files FOLDER PACKAGE [HOLDER]: the files that Debian's policy requires in each package. HOLDER: of the
# copyright of what is linked into it, under the same licence.
add_debian_files() {
  local documents=$1/$2/usr/share/doc/$2 holder=${3:-}
  mkdir -p "$documents" "$1/$2/usr/share/lintian/overrides"
  cat >"$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: perf-compare

Files: *
Copyright: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y) the authors of perf-compare${holder:+
  $holder}
License: Apache-2.0
 On Debian systems the licence is in /usr/share/common-licenses/Apache-2.0.
END
  {
    printf '%s (%s) unstable; urgency=medium\n\n' "$2" "$version"
    sed -n 's/^- /  * /p; t; s/^  [^ ]/  &/p' "$perf_root/CHANGELOG.md" | fold -s -w 76 |
      sed '/^  /!s/^/    /; s/ *$//'
    printf '\n -- %s  %s\n' "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
  } >"$documents/changelog"
  cp "$perf_root/ci/packaging/$2.lintian-overrides" "$1/$2/usr/share/lintian/overrides/$2"
}

# The manual page is the help text, with its line breaks.
add_workloads_page() {
  mkdir -p "$1"
  {
    printf '.TH PERF-WORKLOADS 1 "" "perf-workloads %s"\n' "$version"
    printf '.SH NAME\nperf-workloads \\- machine-learning workloads that perf-compare measures\n.SH DESCRIPTION\n.nf\n'
    "$work/shared/bin/perf-workloads" --help | sed 's/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'
  } >"$1/perf-workloads.1"
  echo '.so man1/perf-workloads.1' >"$1/perf-workloads-avx512.1"
}

make_deb() {
  local files=$work/deb-files built=$work/deb from=$work/shared
  local maintainer=${DEBFULLNAME:-$(git -C "$perf_root" log -1 --format=%an)}
  maintainer+=" <${DEBEMAIL:-$(git -C "$perf_root" log -1 --format=%ae)}>"
  rm -rf "$files" "$built"
  if [ -n "$sysroot" ]; then
    from=$work/static
    install_static
    add_licences "$files/perf-compare/usr"
  else
    perf_build "$from" --preset release -B "$from" -DPERF_COMPARE_TESTS=OFF "-DPERF_COMPARE_COMMIT=$commit" || exit 3
    add_debian_files "$files" perf-workloads "2006- Apache Software Foundation (Apache Thrift)"
    add_workloads_page "$files/perf-workloads/usr/share/man/man1"
  fi
  add_debian_files "$files" perf-compare
  cpack --config "$perf_root/ci/packaging/deb.cmake" -B "$built" -R "$version" \
    -D "CPACK_INSTALL_CMAKE_PROJECTS=$from;perf-compare;ALL;/" -D "CPACK_PACKAGE_CONTACT=$maintainer" \
    -D "CPACK_PERF_DEBIAN_FILES=$files" >"$work/deb.log" 2>&1 || {
    tail -n 20 "$work/deb.log" >&2
    stop "cpack failed (see above): $work/deb.log"
  }
  lintian --allow-root --fail-on error "$built"/*.deb || stop "lintian found errors (see above): $built"
  mv "$built"/*.deb "$dist"
}
