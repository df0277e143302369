#!/bin/sh
# Installs perf-compare from its archive, on any Linux on x86-64 or 64-bit Arm:
#
#     install.sh ARCHIVE [--prefix DIR] [--sha256 SUM]     ARCHIVE: a URL or a file; a folder or a URL that ends in /:
#                                                          the archive for this machine (uname -m) in its SHA256SUMS
#     install.sh --uninstall [--prefix DIR]
#     curl -fsSL URL/install.sh | sh -s -- URL/
#
# --prefix DIR  where it goes (default: ~/.local)
# --sha256 SUM  the expected sum of the archive (default: from SHA256SUMS beside the archive, which reveals damage,
#               but not an attacker who changed both)
#
# Asks nothing, and needs no root for a DIR of one's own. The archive is unpacked only once its sum is verified; after
# a failure the folder is as before. A new version replaces the old one.
#
# Exit status: 0 installed, or removed; 2 usage error; 3 failed, nothing was changed.
set -eu

main() {
  archive='' prefix=${HOME:+$HOME/.local} sum='' uninstall=''
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --sha256)
        [ -n "${2-}" ] || refuse "missing value: $1"
        if [ "$1" = --prefix ]; then prefix=$2; else sum=$2; fi
        shift
        ;;
      --uninstall) uninstall=1 ;;
      -*) refuse "unknown option: $1" ;;
      *)
        [ -z "$archive" ] || refuse "more than one archive: $1"
        archive=$1
        ;;
    esac
    shift
  done
  case $prefix in
    '') refuse 'missing --prefix: HOME is not set' ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  files=share/perf-compare/installed-files # what is installed, a path below the prefix a line
  if [ -n "$uninstall" ]; then
    [ -z "$archive" ] || refuse "--uninstall takes no archive: $archive"
    uninstall
  else
    [ -n "$archive" ] || refuse 'missing argument: ARCHIVE (a URL or a file)'
    install_archive
  fi
}

refuse() {
  printf 'error: %s\nhint: install.sh ARCHIVE [--prefix DIR] [--sha256 SUM], or install.sh --uninstall [--prefix DIR]\n' "$1" >&2
  exit 2
}

fail() {
  printf 'error: %s; nothing was changed\n' "$1" >&2
  exit 3
}

is_there() {
  [ -e "$1" ] || [ -L "$1" ]
}

# Restores the state before, whenever the script ends.
clean_up() {
  status=$?
  set +e # undo as much as possible
  trap '' HUP INT TERM
  if [ -n "$placing" ]; then
    while read -r file; do
      if is_there "$stage/old/$file"; then
        mv -f "$stage/old/$file" "$prefix/$file"
      else
        rm -f "$prefix/$file" 2>/dev/null
      fi
    done <"$stage/list"
    remove_folders "$stage/list"
  fi
  [ -z "$stage" ] || rm -rf "$stage"
  while [ -n "$made" ] && { [ ! -e "$made" ] || rmdir "$made" 2>/dev/null; } && [ "$made" != "$first_made" ]; do
    made=$(dirname "$made")
  done
  exit "$status"
}

# Removes the folders below the prefix, of the files of a list, that are empty now.
remove_folders() {
  while read -r file; do
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do
      rmdir "$prefix/$folder" 2>/dev/null || break
      folder=$(dirname "$folder")
    done
  done <"$1"
}

# bring NAME: copies a file from the archive's folder into the stage.
bring() {
  case $archive in
    *://*)
      url=${archive%/*}/$1
      if command -v curl >/dev/null; then
        curl -fsSL --proto '=https,http,file' -o "$stage/$1" "$url"
      else
        wget -q -O "$stage/$1" "$url"
      fi
      ;;
    *) cp "$(dirname "$archive")/$1" "$stage/$1" ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d ' ' -f 1
}

# The stage lies below the prefix, so that files only have to be renamed.
make_stage() {
  first_made=$prefix
  while [ ! -e "$(dirname "$first_made")" ]; do
    first_made=$(dirname "$first_made")
  done
  [ -d "$prefix" ] || made=$prefix
  mkdir -p "$prefix" || fail "cannot create the folder: $prefix"
  stage=$prefix/.perf-compare.$$
  mkdir "$stage" || {
    stage=''
    fail "cannot write to the folder: $prefix"
  }
}

# choose_archive: in a folder, sets `archive` to that for this machine. The name of another machine's is refused.
choose_archive() {
  machine=$(uname -m)
  case $archive in
    */)
      folder=$archive archive=${archive}SHA256SUMS
      bring SHA256SUMS || fail "no SHA256SUMS in $folder"
      name=$(sed -n "s/^[0-9a-f]\{64\} [ *]\(perf-compare-[0-9A-Za-z.+~-]*-linux-$machine\.tar\.gz\)\$/\1/p" "$stage/SHA256SUMS")
      [ -n "$name" ] || fail "no archive for $machine in $folder"
      [ "$(printf '%s\n' "$name" | wc -l)" -eq 1 ] || fail "more than one archive for $machine in $folder"
      archive=$folder$name
      ;;
    *-linux-"$machine".tar.gz) ;;
    *-linux-x86_64.tar.gz | *-linux-aarch64.tar.gz) fail "the archive is for another machine than $machine: $archive" ;;
  esac
  name=$(basename "$archive")
}

check_sum() {
  where='the sum given with --sha256'
  if [ -z "$sum" ]; then
    where='the sum in SHA256SUMS'
    bring SHA256SUMS || fail "no SHA256SUMS beside $archive (or pass --sha256 SUM)"
    sum=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\$/\1/p" "$stage/SHA256SUMS")
    [ -n "$sum" ] || fail "SHA256SUMS does not list $name"
  fi
  found=$(sum_of "$stage/$name")
  [ "$found" = "$sum" ] || fail "wrong checksum: $archive has the SHA-256 $found, and $where is $sum"
}

# list_files: lists the files to install, including the list.
list_files() {
  mkdir -p "$stage/new/${files%/*}" && : >"$stage/new/$files" &&
    (cd "$stage/new" && find . -type f -o -type l) | sed 's|^\./||' | sort >"$stage/list" && cp "$stage/list" "$stage/new/$files"
}

keep_old() {
  mkdir -p "$stage/old/${1%/*}" && { ln "$prefix/$1" "$stage/old/$1" 2>/dev/null || cp -P "$prefix/$1" "$stage/old/$1"; }
}

put() {
  mkdir -p "$prefix/${1%/*}" && mv -f "$stage/new/$1" "$prefix/$1"
}

# Moves every file to its place by renaming; old files are kept until all new ones are in place.
place() {
  list_files || fail "no space left: $prefix"
  : >"$stage/before"
  [ ! -e "$prefix/$files" ] || cp "$prefix/$files" "$stage/before" || fail "no space left: $prefix"
  while read -r file; do
    ! is_there "$prefix/$file" || keep_old "$file" || fail "cannot keep the old file: $prefix/$file"
  done <"$stage/list"
  placing=1
  while read -r file; do
    put "$file" || fail "cannot write: $prefix/$file"
  done <"$stage/list"
  placing=''
  # Files that only the previous version had.
  while read -r file; do
    grep -qxF -e "$file" "$stage/list" || rm -f "$prefix/$file"
  done <"$stage/before"
  remove_folders "$stage/before"
}

unpack() {
  mkdir "$stage/new" && gzip -dc "$stage/$name" >"$stage/tar" && rm "$stage/$name" &&
    (cd "$stage/new" && tar -xf "$stage/tar" --strip-components=1) && rm "$stage/tar"
}

install_archive() {
  stage='' made='' placing=''
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  [ ! -d "$archive" ] || archive=${archive%/}/
  make_stage
  choose_archive
  bring "$name" || fail "cannot read $archive, or no space left in $prefix"
  check_sum
  unpack || fail "cannot unpack the archive: $archive"
  version=$("$stage/new/bin/perf-compare" --version) || fail "the program does not run on this machine: $archive"
  place
  made=''
  printf '%s is installed: %s\n' "$version" "$prefix/bin/perf-compare"
  printf 'the archive has the SHA-256 %s, %s\n' "$sum" "$where"
  path=''
  # shellcheck disable=SC2016 # the reader's PATH
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) path="export PATH='$prefix/bin':"'"$PATH"; ' ;;
  esac
  printf 'begin with: %sperf-compare init\n' "$path"
}

uninstall() {
  [ -e "$prefix/$files" ] || {
    printf 'error: no installation of this script: %s\n' "$prefix" >&2
    exit 3
  }
  ! grep -qE '^/|(^|/)\.\.(/|$)' "$prefix/$files" || fail "damaged file: $prefix/$files"
  list=$(cat "$prefix/$files")
  # The list itself last, so that an interrupted removal can be repeated.
  printf '%s\n' "$list" | grep -vxF "$files" | while read -r file; do
    rm -f "$prefix/$file" || exit 3
  done || exit 3
  rm -f "$prefix/$files"
  printf '%s\n' "$list" | remove_folders /dev/stdin
  printf 'perf-compare was removed from %s\n' "$prefix"
}

# Last, so that a truncated script does nothing.
main "$@"
