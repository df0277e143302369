"""The wheel of ci/packaging/wheel.py, installed by pip without network into an empty environment.

    wheel_test.py BUILD            makes wheels of the programs in a build folder
    wheel_test.py FILE.whl         tries that one
"""

import base64
import csv
import glob
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
TRIED = os.path.abspath(sys.argv.pop(1))
PACKS = not TRIED.endswith(".whl")


def run(*command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **keywords)


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.wheel = cls.pack("first") if PACKS else TRIED

    @classmethod
    def pack(cls, name):
        prefix = os.path.join(cls.folder, name)
        shutil.copytree(os.path.join(TRIED, "lib/perf-compare"), prefix + "/lib/perf-compare")
        os.makedirs(prefix + "/bin")
        shutil.copy(os.path.join(TRIED, "bin/perf-compare"), prefix + "/bin")
        licences = prefix + "/share/doc/perf-compare/licences"
        os.makedirs(licences)
        with open(licences + "/zlib", "w") as file:
            file.write("as is")
        made = run(sys.executable, ROOT + "/ci/packaging/wheel.py", prefix, "1.2.3", prefix,
                   env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000"))
        assert made.returncode == 0, made.stdout
        return made.stdout.strip()

    def call(self, *command, **keywords):
        result = run(*command, **keywords)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_records_every_file(self):
        with zipfile.ZipFile(self.wheel) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
            modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        (info,) = {name.split("/")[0] for name in files if ".dist-info/" in name}
        record = info + "/RECORD"
        rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[record].decode()))}
        self.assertEqual(rows.pop(record), ["", ""])
        self.assertEqual(sorted(rows), sorted(set(files) - {record}))
        for name, (digest, size) in rows.items():
            sha256 = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).decode()
            self.assertEqual((digest, size), ("sha256=" + sha256.rstrip("="), str(len(files[name]))))
            self.assertEqual(modes[name] & 0o777, 0o755 if ".data/" in name else 0o644)
        self.assertIn(info + "/licenses/LICENSE", files)
        self.assertIn("zlib", " ".join(files))
        self.assertIn("/lib/perf-compare/perf-device", " ".join(files))
        base, version, tags = os.path.basename(self.wheel)[:-4].split("-", 2)
        self.assertEqual("%s-%s.dist-info" % (base, version), info)
        python, abi, platforms = tags.split("-")
        tags = ["Tag: py3-none-" + platform for platform in platforms.split(".")]
        self.assertEqual((python, abi), ("py3", "none"))
        self.assertEqual(files[info + "/WHEEL"].decode().splitlines()[3:], tags)

    @unittest.skipUnless(PACKS, "tries a wheel that is made")
    def test_has_the_same_bytes_again(self):
        with open(self.wheel, "rb") as first, open(self.pack("second"), "rb") as second:
            self.assertEqual(first.read(), second.read())

    @unittest.skipUnless(PACKS, "tries a wheel that is made")
    def test_refuses_a_script_as_the_program(self):
        os.makedirs(self.folder + "/script/bin")
        with open(self.folder + "/script/bin/perf-compare", "w") as file:
            file.write("#!/bin/sh\n")
        made = run(sys.executable, ROOT + "/ci/packaging/wheel.py", self.folder + "/script", "1",
                   self.folder)
        self.assertEqual(made.returncode, 1)
        self.assertIn("error: not an ELF program", made.stdout)
        self.assertEqual(glob.glob(self.folder + "/*.whl"), [])

    @unittest.skipUnless(PACKS or TRIED.endswith("_%s.whl" % platform.machine()),
                         "a wheel for another machine")
    def test_works_in_an_empty_environment(self):
        place = self.folder + "/venv"
        # Without pip inside: Debian's python3-venv is not needed.
        self.call(sys.executable, "-m", "venv", "--without-pip", place)
        before = set(self.files(place))
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
        if run(*pip, "--version").returncode != 0:
            self.skipTest("pip is not installed (ci/install_deps.sh --test)")
        python = place + "/bin/python"
        clean = {key: value for key, value in os.environ.items() if key[:4] not in ("PIP_", "PYTH")}
        self.call(*pip, "--python", python, "install", "--no-index", "-q", self.wheel, env=clean)
        self.assertTrue(os.access(place + "/bin/perf-compare", os.X_OK))

        # Nothing of the machine: no PATH, home, git or compiler.
        ab = [place + "/bin/perf-compare", "ab", "/bin/sleep 0.01", "/bin/sleep 0.01"]
        output = self.call(*ab, "--pairs", "12", env={}, cwd=self.folder)
        self.assertIn("step_time", output)
        self.assertIn("peak_rss", output)

        program = "from perf_compare import Steps\nwith Steps('w') as s:\n    list(s)"
        self.assertIn("first_step_time", self.call(python, "-c", program, env={}))
        self.call(*pip, "--python", python, "uninstall", "-q", "-y", "perf-compare", env=clean)
        left = {name for name in set(self.files(place)) - before if "__pycache__" not in name}
        self.assertEqual(left, set())

    def files(self, folder):
        return [os.path.join(a, name) for a, _, names in os.walk(folder) for name in names]


if __name__ == "__main__":
    unittest.main()
