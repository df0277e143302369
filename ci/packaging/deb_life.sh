#!/bin/sh
# Run by ci/package --test in a bare Debian 12: the packages in /opt are installed, used, upgraded and purged; no file
# may be left.
set -eu
export DEBIAN_FRONTEND=noninteractive

files() {
  find / -xdev \( -path /proc -o -path /dev -o -path /tmp -o -path /root -o -path /var/cache -o -path /var/log -o -path /opt \
    -o -path '/var/lib/dpkg/*-old' \) -prune -o -print | sort
}

apt-get -qq update
for package in /opt/*.deb; do
  apt-get -qq -y --no-install-recommends satisfy "$(dpkg-deb -f "$package" Depends)"
done
apt-get -qq -y --no-install-recommends install qemu-user
files >/tmp/before

dpkg -i /opt/*.deb
sh /opt/smoke.sh /usr /opt/README.md
perf-workloads suite --size smoke
# The program runs on a CPU of 2013 and refuses one of 2008. A restarted process would run on the CPU of this machine:
# the variable prevents the restart.
PERF_WORKLOADS_RESTARTED=1 qemu-x86_64 -cpu Haswell /usr/bin/perf-workloads suite micro/softmax micro/attention \
  training/mlp_stack --size smoke --steps 1 --warmup 0 --peak-size 0 --calls 1 --rows 64 --columns 64 --layers 1 \
  --hidden-size 64 --seq-len 16 --batch-size 1 --heads 2
status=0
qemu-x86_64 -cpu Nehalem /usr/bin/perf-workloads suite 'micro/*' --size smoke || status=$?
[ "$status" = 2 ]

mkdir /tmp/later
for package in /opt/*.deb; do
  dpkg-deb -R "$package" /tmp/later/root
  sed -i 's/^Version: .*/&+later/' /tmp/later/root/DEBIAN/control
  dpkg-deb -b /tmp/later/root "/tmp/later/${package##*/}"
  rm -r /tmp/later/root
done
dpkg -i /tmp/later/*.deb
perf-compare --version
[ "$(dpkg-query -W -f '${Status} ${Version}\n' perf-compare perf-workloads | grep -c 'ok installed .*+later$')" = 2 ]

dpkg --purge perf-compare perf-workloads
files | diff /tmp/before - || {
  echo 'error: purging left or removed files (see above)'
  exit 1
}
