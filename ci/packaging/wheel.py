#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wheel.py PREFIX VERSION FOLDER: makes a wheel of an installed, static perf-compare, in FOLDER.

The command and its helpers get the places below the environment that they have below PREFIX, and
workloads/step_emitter.py becomes the module perf_compare. The same files give the same bytes:
nothing depends on the time (SOURCE_DATE_EPOCH) or the user. Prints the wheel's path.
"""

import base64
import hashlib
import os
import struct
import sys
import time
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
# e_machine of ELF. The program needs no library, so both kinds of C library will do (perf-device, for
# GPUs, needs glibc 2.34; without it no GPU is seen); the versions are the oldest that pip knows for any
# Python from 3.8.
PLATFORMS = {
    62: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    183: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def files_below(prefix, folder):
    """Paths below `prefix` of all files in its `folder`."""
    for place, _, names in os.walk(os.path.join(prefix, folder)):
        for name in names:
            yield os.path.relpath(os.path.join(place, name), prefix)


def contents(prefix, version):
    """The wheel's name, and its files: {path: (bytes, is a program)}."""
    program = read(prefix, "bin/perf-compare")
    if program[:4] != b"\x7fELF":
        sys.exit("error: not an ELF program: %s/bin/perf-compare" % prefix)
    platform = PLATFORMS[struct.unpack_from("<H", program, 18)[0]]
    base = "perf_compare-" + version
    files = {base + ".data/scripts/perf-compare": (program, True)}
    for path in files_below(prefix, "lib/perf-compare"):
        files["%s.data/data/%s" % (base, path)] = (read(prefix, path), True)
    files["perf_compare.py"] = (read(ROOT, "workloads/step_emitter.py"), False)
    licences = {"LICENSE": read(ROOT, "LICENSE")}
    documents = "share/doc/perf-compare"
    for path in files_below(prefix, documents + "/licences"):
        licences[os.path.relpath(path, documents)] = read(prefix, path)
    info = base + ".dist-info/"
    for path, text in licences.items():
        files[info + "licenses/" + path] = (text, False)
    metadata = [
        "Metadata-Version: 2.1",
        "Name: perf-compare",
        "Version: " + version,
        "Summary: Tells whether a commit made a program slower",
        "License: Apache-2.0",
        "Requires-Python: >=3.8",
        *("License-File: " + path for path in sorted(licences)),
        "",
        "The command perf-compare, and a module for benchmarks:",
        "`from perf_compare import Steps`.",
        "",
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: perf-compare", "Root-Is-Purelib: false"]
    wheel += ["Tag: py3-none-" + tag for tag in platform.split(".")]
    files[info + "METADATA"] = ("\n".join(metadata).encode(), False)
    files[info + "WHEEL"] = ("\n".join(wheel + [""]).encode(), False)
    rows = []
    for path, (data, _) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append("%s,sha256=%s,%d\n" % (path, digest, len(data)))
    rows.append(info + "RECORD,,\n")
    files[info + "RECORD"] = ("".join(rows).encode(), False)
    return "%s-py3-none-%s.whl" % (base, platform), files


def write(path, files):
    # A zip has no time before 1980.
    made = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    in_order = sorted(files.items(), key=lambda file: (".dist-info/" in file[0], file[0]))
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (data, is_program) in in_order:
            entry = zipfile.ZipInfo(name, made)
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    os.replace(path + ".part", path)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.splitlines()[0])
    prefix, version, folder = sys.argv[1:]
    name, files = contents(prefix, version)
    path = os.path.join(folder, name)
    write(path, files)
    print(path)


if __name__ == "__main__":
    main()
