#!/bin/sh
# Installs perf-compare from its archive, on any x86-64 Linux:
#
#     install.sh ARCHIVE [--prefix DIR] [--sha256 SUM]     ARCHIVE: a URL or a file
#     install.sh --uninstall [--prefix DIR]
#     curl -fsSL URL/install.sh | sh -s -- URL/perf-compare-VERSION-linux-x86_64.tar.gz
#
# --prefix DIR  where it goes (default: ~/.local)
# --sha256 SUM  what the archive's sum must be (default: what SHA256SUMS beside the archive says, which finds what
#               was cut or damaged, not who changed both)
#
# Asks nothing, and needs no root where DIR is one's own. Nothing is unpacked before the sum is right; where something
# fails, what was there before is there still, and nothing else. Installing anew replaces an older version.
#
# Exit status: 0 installed, or gone; 2 asked wrongly; 3 it could not be done.
set -eu

main() {
  archive='' prefix=${HOME:+$HOME/.local} sum='' uninstall=''
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --sha256)
        [ -n "${2-}" ] || refuse "$1 wants a value"
        if [ "$1" = --prefix ]; then prefix=$2; else sum=$2; fi
        shift
        ;;
      --uninstall) uninstall=1 ;;
      -*) refuse "unknown option $1" ;;
      *)
        [ -z "$archive" ] || refuse "one archive is enough: $1"
        archive=$1
        ;;
    esac
    shift
  done
  case $prefix in
    '') refuse 'there is no HOME: say --prefix DIR' ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  files=share/perf-compare/installed-files # what is installed, a path below the prefix a line
  if [ -n "$uninstall" ]; then
    [ -z "$archive" ] || refuse "--uninstall wants no archive: $archive"
    uninstall
  else
    [ -n "$archive" ] || refuse 'which archive? A URL or a file'
    install_archive
  fi
}

refuse() {
  printf 'install.sh: %s\ntry: install.sh ARCHIVE [--prefix DIR] [--sha256 SUM], or install.sh --uninstall [--prefix DIR]\n' "$1" >&2
  exit 2
}

fail() {
  printf 'install.sh: %s: nothing was changed\n' "$1" >&2
  exit 3
}

is_there() {
  [ -e "$1" ] || [ -L "$1" ]
}

# Whatever ends this, and whenever: what was there before comes back, what was not goes.
clean_up() {
  status=$?
  set +e # what cannot be undone keeps nothing else from it
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

# Folders below the prefix that hold nothing any more, of the files of a list.
remove_folders() {
  while read -r file; do
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do
      rmdir "$prefix/$folder" 2>/dev/null || break
      folder=$(dirname "$folder")
    done
  done <"$1"
}

# bring NAME: a file that lies where the archive lies, into the stage.
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

# The stage lies below the prefix, so that what was checked only has to be renamed.
make_stage() {
  first_made=$prefix
  while [ ! -e "$(dirname "$first_made")" ]; do
    first_made=$(dirname "$first_made")
  done
  [ -d "$prefix" ] || made=$prefix
  mkdir -p "$prefix" || fail "$prefix cannot be made"
  stage=$prefix/.perf-compare.$$
  mkdir "$stage" || {
    stage=''
    fail "$prefix cannot be written to"
  }
}

check_sum() {
  where='what --sha256 says'
  if [ -z "$sum" ]; then
    where='what SHA256SUMS beside it says'
    bring SHA256SUMS || fail "there is no SHA256SUMS beside $archive (or say --sha256 SUM)"
    sum=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\$/\1/p" "$stage/SHA256SUMS")
    [ -n "$sum" ] || fail "SHA256SUMS beside $archive does not name $name"
  fi
  found=$(sum_of "$stage/$name")
  [ "$found" = "$sum" ] || fail "$archive is damaged or another: its SHA-256 is $found, and not $sum, $where"
}

# list_files: what will be installed, the list of it included.
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

# Every file in its place, by renaming; the older ones are kept until all are.
place() {
  list_files || fail "$prefix has no room"
  : >"$stage/before"
  [ ! -e "$prefix/$files" ] || cp "$prefix/$files" "$stage/before" || fail "$prefix has no room"
  while read -r file; do
    ! is_there "$prefix/$file" || keep_old "$file" || fail "$prefix/$file cannot be kept"
  done <"$stage/list"
  placing=1
  while read -r file; do
    put "$file" || fail "$prefix/$file cannot be written"
  done <"$stage/list"
  placing=''
  # What only the version before had.
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
  name=$(basename "$archive")
  make_stage
  bring "$name" || fail "$archive cannot be read, or $prefix has no room for it"
  check_sum
  unpack || fail "$archive cannot be unpacked below $prefix"
  version=$("$stage/new/bin/perf-compare" --version) || fail "the program in $archive does not run on this machine"
  place
  made=''
  printf '%s is installed: %s\n' "$version" "$prefix/bin/perf-compare"
  printf 'its archive has the SHA-256 %s, which is %s\n' "$sum" "$where"
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
    printf 'install.sh: no perf-compare that this script installed is below %s\n' "$prefix" >&2
    exit 3
  }
  ! grep -qE '^/|(^|/)\.\.(/|$)' "$prefix/$files" || fail "$prefix/$files is damaged"
  list=$(cat "$prefix/$files")
  # The list itself last: what is stopped can be done again.
  printf '%s\n' "$list" | grep -vxF "$files" | while read -r file; do
    rm -f "$prefix/$file" || exit 3
  done || exit 3
  rm -f "$prefix/$files"
  printf '%s\n' "$list" | remove_folders /dev/stdin
  printf 'perf-compare is gone from %s\n' "$prefix"
}

# Last, so that a script that was cut on its way does nothing.
main "$@"
