# shellcheck shell=bash
# Sourced by ci/package: an OCI image layout, made without a daemon, of Debian 12, git, a compiler and the archive.

make_image() {
  make_tarball
  local layout=$work/image root=$work/image-root.tar image=$work/image:$version created
  created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
  rm -rf "$layout"
  # shellcheck disable=SC2016 # $1 is the root, in the hook
  ARCHIVE=$dist/$name.tar.gz mmdebstrap --quiet --variant=essential --include=ca-certificates,git,g++,strace \
    --customize-hook='mkdir "$1/work"; tar -C "$1/usr/local" -xzf "$ARCHIVE" --strip-components=1 --no-same-owner' \
    bookworm "$root" http://deb.debian.org/debian || stop "mmdebstrap failed (see above): $root"
  umoci init --layout "$layout"
  umoci new --image "$image"
  umoci raw add-layer --image "$image" --history.created "$created" --history.created_by 'ci/package image' "$root"
  umoci config --image "$image" --no-history --created "$created" --os linux --architecture amd64 \
    --config.env PATH=/usr/local/bin:/usr/bin:/bin --config.workingdir /work --config.cmd perf-compare --config.cmd --help
  umoci gc --layout "$layout"
  pack "$layout" blobs index.json oci-layout >"$root"
  mv "$root" "$dist/perf-compare-$version-oci.tar"
  rm -rf "$layout"
}
