"""The parts of workloads/peers that need no PyTorch."""

import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.path.insert(0, os.path.join(ROOT, "workloads/peers"))
sys.dont_write_bytecode = True

try:
    import numpy
    import quantization_compare
    from torch_peer import random_numbers
    from torch_peer.numpy_quantizer import NumpyQuantizer
except ImportError:  # comes with PyTorch
    numpy = None

import torch_launch  # noqa: E402
from torch_peer import cache, environment, memory, native, steps  # noqa: E402
from torch_peer.safetensors import BadFile, Safetensors  # noqa: E402

HEADER = {
    "__metadata__": {"seed": "1"},
    "a": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]},
    "b": {"dtype": "I32", "shape": [3], "data_offsets": [8, 20]},
}
DATA = struct.pack("<2f3i", 1.5, -2.0, 7, 8, 9)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, header, data=DATA, length=None):
        path = os.path.join(self.folder, "file")
        text = json.dumps(header).encode() if isinstance(header, dict) else header
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(text) if length is None else length) + text + data)
        return path


class SafetensorsTest(Folder):
    def test_reads_what_is_there(self):
        with Safetensors(self.write(HEADER)) as file:
            self.assertEqual(file.metadata, {"seed": "1"})
            self.assertEqual((file.names(), file.shape("a"), file.dtype("b")), (["a", "b"], (2, 1), "I32"))
            self.assertTrue("a" in file and "c" not in file)
            values = (ctypes.c_int32 * 3)()
            file.read_into("b", ctypes.addressof(values), 12)
            self.assertEqual(list(values), [7, 8, 9])
            with self.assertRaisesRegex(BadFile, "b has 12 bytes, not 8"):
                file.read_into("b", ctypes.addressof(values), 8)
            with self.assertRaisesRegex(BadFile, "has no tensor c"):
                file.shape("c")

    def test_refuses_what_is_no_such_file(self):
        def entry(**change):
            return {"a": {**HEADER["a"], **change}}

        for path, reason in [
            (lambda: self.write(HEADER, length=1 << 40), "a header of 1099511627776 bytes"),
            (lambda: self.write(b"{no json"), "its header is no JSON"),
            (lambda: self.write(HEADER, data=DATA[:-1]), "b lies outside the file"),
            (lambda: self.write(entry(shape=[3])), "a has 8 bytes, which its shape has not"),
            (lambda: self.write(entry(dtype="F8")), "type F8 is not known"),
            (lambda: self.write(entry(data_offsets=[-8, 0])), "a lies outside the file"),
        ]:
            with self.assertRaisesRegex(BadFile, reason):
                Safetensors(path())
        short = os.path.join(self.folder, "short")
        with open(short, "wb") as file:
            file.write(b"1234")
        with self.assertRaisesRegex(BadFile, "4 bytes"):
            Safetensors(short)


@unittest.skipIf(numpy is None, "no numpy here: `ci/install_deps.sh --peers` installs it")
class QuantizationCompareTest(Folder):
    """What holds codes against codes sees one that is wrong, and forgives only ties."""

    SCHEME = {"type": "int4", "bits": 4, "group": 0}

    def test_only_ties_are_forgiven(self):
        values = numpy.array([[-8, 2.5, 1.2, 7]], numpy.float32)  # with scale 1
        scales = numpy.array([[1]], numpy.float32)
        native = numpy.array([[-8, 2, 1, 7]])
        for own, expected in (
            ([[-8, 2, 1, 7]], (0, 0)),
            ([[-8, 3, 1, 7]], (1, 0)),  # 2.5 may be either
            ([[-8, 2, 2, 7]], (1, 1)),
            ([[-8, 4, 1, 7]], (1, 1)),
            ([[-8, 3, 1, 6]], (2, 1)),
        ):
            found = quantization_compare.wrong_codes(values, scales, numpy.array(own), native, self.SCHEME)
            self.assertEqual(found, expected)

    def test_codes_come_back_from_where_they_are_packed(self):
        values = numpy.array([[-8, 2.6, 1.2, -3, 0, 7, -1, 5]], numpy.float32)
        for scheme, expected in (
            (self.SCHEME, [[-8, 3, 1, -3, 0, 7, -1, 5]]),
            ({"type": "int2", "bits": 2, "group": 0}, [[-2, 1, 0, -1, 0, 1, 0, 1]]),
            ({"type": "int8", "bits": 8, "group": 0}, [[-127, 41, 19, -48, 0, 111, -16, 79]]),
        ):
            codes, scales = NumpyQuantizer(scheme, None)(values, None)
            self.assertEqual(quantization_compare.unpacked(codes, scheme).tolist(), expected)
            self.assertEqual(codes.nbytes, scheme["bits"])
        self.assertAlmostEqual(float(scales[0, 0]), 8 / 127)

    def test_random_numbers_are_those_of_the_program(self):
        # random.h computed by hand in Python's integers, for one position behind the first block.
        values = numpy.empty(random_numbers.BLOCK + 2, numpy.float32)
        random_numbers.fill_uniform(values, 7, 1.0)
        x = (random_numbers.BLOCK + 1) ^ (7 * 0x9E3779B9 & 0xFFFFFFFF)
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
            x = (x ^ x >> shift) * factor & 0xFFFFFFFF
        x ^= x >> 16
        self.assertEqual(values[-1], 2 * (x >> 8) * 2.0**-24 - 1)


class StepsTest(Folder):
    def test_writes_the_protocol(self):
        path = os.environ["PERF_COMPARE_OUT"] = os.path.join(self.folder, "out")
        self.addCleanup(os.environ.pop, "PERF_COMPARE_OUT")
        out = steps.StepEmitter("w", {"layers": 2}, steps=2, warmup=1)
        out.begin_field("tokens_per_step", 8)
        out.environment(threads=2)
        while out.next_step():
            out.phase("forward")
            out.phase("backward")
            out.phase("forward")
        out.metric("loss", "1", "lower", 2.5)
        out.check("near", float("nan"), 1.0)
        out.finish()
        with open(path, encoding="utf-8") as lines:
            said = [json.loads(line) for line in lines]
        self.assertEqual(
            [line["type"] for line in said],
            ["begin", "environment", "step", "step", "step", "metric", "check", "end"],
        )
        self.assertEqual(said[0]["params"], {"layers": 2})
        self.assertEqual([line["warmup"] for line in said[2:5]], [True, False, False])
        for index, line in enumerate(said[2:5]):
            self.assertEqual(line["index"], index)
            self.assertGreater(line["seconds"], 0)
            self.assertLessEqual(sum(line["phases"].values()), line["seconds"])
            self.assertGreater(line["rss"], 1 << 20)
        self.assertEqual(said[6], {"type": "check", "name": "near", "passed": False, "tolerance": 1.0})


class EnvironmentTest(unittest.TestCase):
    SETTINGS = {"environment": {"threads": 2, "blas_core": "Zen"}}

    def test_sets_what_the_user_has_not(self):
        best = environment.best(self.SETTINGS, {"PATH": "/bin"})
        self.assertEqual(best["PATH"], "/bin")
        self.assertEqual((best["OMP_NUM_THREADS"], best["OPENBLAS_CORETYPE"]), ("2", "Zen"))
        self.assertEqual(best["GOMP_SPINCOUNT"], "10000")

    def test_leaves_what_the_user_has_set(self):
        given = {"GLIBC_TUNABLES": "", "OPENBLAS_CORETYPE": "Haswell", "LD_LIBRARY_PATH": "/mine"}
        best = environment.best(self.SETTINGS, given)
        self.assertEqual((best["GLIBC_TUNABLES"], best["OPENBLAS_CORETYPE"]), ("", "Haswell"))
        self.assertEqual(best["LD_LIBRARY_PATH"].split(":")[-1], "/mine")


class ScriptsTest(unittest.TestCase):
    @staticmethod
    def call(script, *arguments):
        command = [os.path.join(ROOT, "workloads/peers", script), *arguments]
        # Help needs no PyTorch, and no program.
        nothing = {**os.environ, "PERF_COMPARE_PYTHON": "nowhere", "PERF_WORKLOADS": "nowhere"}
        return subprocess.run(command, env=nothing, capture_output=True, text=True, check=False)

    def test_give_help(self):
        for script, *arguments in [
            ("run", "--help"),
            ("run", "--implementation", "torch", "-h"),
            ("compare", "--help"),
            ("benchmark", "--help"),
        ]:
            said = self.call(script, *arguments)
            self.assertEqual((said.returncode, said.stderr), (0, ""), script)
            self.assertIn(f"workloads/peers/{script} ", said.stdout)
            self.assertNotIn("set -euo", said.stdout)
        self.assertIn("--implementation native|torch", self.call("run", "--help").stdout)

    def test_refuse_what_makes_no_sense(self):
        for option in "--rounds", "--steps":
            said = self.call("benchmark", option, "0")
            self.assertEqual(said.returncode, 2)
            self.assertRegex(said.stderr, f"argument {option}: 0 is less than 1$")
        for verb, *arguments in ("compare",), ("compare", "--each-layer"), ("run", "--steps", "2"):
            with self.assertRaisesRegex(native.Refused, f"no workload named\nhint: workloads/peers/{verb} "):
                torch_launch.prepare(verb, arguments)


class NativeTest(Folder):
    def program(self, script):
        path = os.path.join(self.folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        os.environ.update(PERF_WORKLOADS=path, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        self.cache = os.path.join(self.folder, "cache/perf-compare/peers")
        self.addCleanup(os.environ.pop, "PERF_WORKLOADS", None)
        self.addCleanup(os.environ.pop, "XDG_CACHE_HOME", None)

    @staticmethod
    def settings(seed):
        return {
            "seed": seed,
            "params": {"model": "micro"},
            "training": {"dtype": "fp32", "batch": 1, "length": 8},
        }

    def test_refusal_is_passed_on(self):
        self.program("echo 'error: no such workload' >&2; exit 2")
        with self.assertRaisesRegex(native.Refused, "no such workload") as caught:
            native.settings(["w"])
        self.assertEqual(caught.exception.status, 2)
        os.environ["PERF_WORKLOADS"] = os.path.join(self.folder, "nowhere")
        with self.assertRaisesRegex(native.Refused, "No such file") as caught:
            native.settings(["w"])
        self.assertEqual(caught.exception.status, 3)

    def test_an_end_without_words_gets_some(self):
        for script, status, reason in [
            ("kill -9 $$", 3, "program settings: killed by signal 9, .* memory"),
            ("kill -15 $$", 3, "program settings: killed by signal 15$"),
            ("echo 'terminate called' >&2; kill -6 $$", 3, "terminate called\n.*killed by signal 6$"),
            ("exit 2", 2, "program settings: exit status 2$"),
            ("exit 127", 3, "program settings: exit status 127$"),
        ]:
            self.program(script)
            with self.assertRaisesRegex(native.Refused, reason) as caught:
                native.settings(["w"])
            self.assertEqual(caught.exception.status, status, script)

    def in_cache(self):
        return sorted(name for name in os.listdir(self.cache) if name != "lock")

    def test_nothing_of_a_killed_program_is_left(self):
        self.program('echo half > "$3.partial-$$"; kill -9 $$')
        with self.assertRaisesRegex(native.Refused, "killed by signal 9"):
            native.starting_point(self.settings(1))
        with self.assertRaisesRegex(native.Refused, "killed by signal 9"):
            native.trace(["training/gradient"])
        self.assertEqual(self.in_cache(), [])

    def test_leftovers_of_the_dead_go_those_of_the_living_stay(self):
        self.program('touch "$3"')
        made = native.starting_point(self.settings(1))
        gone = subprocess.Popen(["true"])
        gone.wait()
        living = [f"m.safetensors.partial-{os.getpid()}", f".trace-{os.getpid()}.safetensors"]
        dead = [
            f"m.safetensors.partial-{gone.pid}",
            f".trace-{gone.pid}.safetensors",
            f".trace-{os.getpid()}.safetensors.partial-{gone.pid}",
            "m.safetensors.partial-0",
            f"m.safetensors.partial-{10**30}",
        ]
        for name in [*living, *dead]:
            open(os.path.join(self.cache, name), "w").close()
        native.starting_point(self.settings(1))
        self.assertEqual(self.in_cache(), sorted([os.path.basename(made), *living]))

    def test_a_trace_is_a_new_file_of_this_process(self):
        self.program('[ ! -e "$3" ] && echo "$@" > "$3"')
        path = native.trace(["training/gradient", "--steps", "2"])
        self.assertEqual(native.trace(["training/gradient", "--steps", "2"]), path, "of a process before")
        with open(path, encoding="utf-8") as trace:
            self.assertEqual(trace.read(), f"trace training/gradient {path} --steps 2 --force\n")
        with cache.locked():
            self.assertEqual(self.in_cache(), [f".trace-{os.getpid()}.safetensors"])

    def test_what_memory_cannot_hold_is_refused_before_anything_is_written(self):
        settings = {
            **self.settings(1),
            "workload": "training/full_finetune",
            "params": {"model": "large", "checkpointing": "off"},
            "model": {"vocabulary": 1000},
            "training": {
                "dtype": "fp32", "state_dtype": "fp32", "loss_scale": 1, "gradients_only": False,
                "batch": 2, "length": 512,
            },
            "planted": False,
            "memory": {"predicted": 8_000_000_000, "available": 8_200_000_000},
        }
        logits = 2 * 512 * 1000 * 4
        self.assertEqual(memory.needed(settings), 8e9 + memory.COPIES_OF_LOGITS * logits + memory.LIBRARIES)
        # The native side alone would fit.
        self.program(f"[ $1 = settings ] || touch $XDG_CACHE_HOME/written; echo '{json.dumps(settings)}'")
        os.makedirs(os.environ["XDG_CACHE_HOME"])
        for verb in "run", "compare":
            with self.assertRaisesRegex(native.Refused, "about 8274576000 bytes .* 8200000000 bytes") as caught:
                torch_launch.prepare(verb, ["training/full_finetune"])
            self.assertEqual(caught.exception.status, 2)
            self.assertRegex(
                str(caught.exception),
                "hint: --checkpointing on, --dtype bf16, --seq-len 256, training/lora_finetune, a smaller --model$",
            )
        self.assertFalse(os.path.exists(os.path.join(os.environ["XDG_CACHE_HOME"], "written")))
        for available in 0, 8_300_000_000:
            settings["memory"]["available"] = available
            memory.require_fit(settings)

    def test_inputs_are_exported_of_a_workload_weights_of_its_model(self):
        self.program('echo "$@" > "$3"')
        path = native.inputs(["inference/generate", "--prompt", "4"])
        self.assertEqual(os.path.basename(path), f".inputs-{os.getpid()}.safetensors")
        with open(path, encoding="utf-8") as said:
            self.assertEqual(said.read(), f"export inference/generate {path} --prompt 4 --force\n")
        for weights, dtype in ("fp32", "fp32"), ("bf16", "bf16"), ("int8", "fp32"):
            series = [{"name": "s", "params": {}, "inference": {"weights": weights}}]
            path = native.starting_point({"seed": 3, "params": {"model": "micro"}, "series": series})
            with open(path, encoding="utf-8") as said:
                self.assertEqual(said.read(), f"export micro {path} --seed=3 --dtype={dtype}\n")

    def test_inference_refuses_what_it_cannot_do_with_the_reason(self):
        def settings(weights="fp32", model=(), **params):
            every = {"model": "micro", "cache-dtype": "auto", "checkpoint": "", **params}
            series = {"name": "s", "params": every, "inference": {"kind": "forward", "weights": weights}}
            return {
                "workload": "w", "params": every, "series": [series], "model": dict(model), "planted": False
            }

        for refused, reason in [
            (settings("fp16"), "--weights fp16: its CPU kernels lack products in it\nhint: --weights fp32"),
            (settings("int4"), "--weights int4: it has no such matrices"),
            (settings("nf4"), "--weights nf4: it has no such matrices"),
            (settings(**{"cache-dtype": "fp16"}), "--cache-dtype"),
            (settings(checkpoint="/m"), "--checkpoint"),
            (settings(layers=3), "--layers: weights are exported for named models"),
        ]:
            with self.assertRaisesRegex(native.Refused, reason) as caught:
                native.require_supported(refused)
            self.assertEqual(caught.exception.status, 2)
        for weights, cache_dtype in ("fp32", "fp32"), ("bf16", "bf16"), ("int8", "auto"):
            native.require_supported(settings(weights, **{"cache-dtype": cache_dtype}))
        native.require_supported(
            {
                "workload": "w", "params": {"vocabulary": "32000,151936"}, "planted": False,
                "series": [{"name": "s", "params": {}, "inference": {"kind": "sampling"}}],
            }
        )

    def test_starting_points_are_made_once_and_not_kept_for_ever(self):
        self.program('echo "$@" >> "$XDG_CACHE_HOME/asked"; touch "$3"')
        first = native.starting_point(self.settings(1))
        self.assertEqual(native.starting_point(self.settings(1)), first)
        with open(os.path.join(self.folder, "cache/asked"), encoding="utf-8") as asked:
            made = asked.read().splitlines()
        self.assertEqual(made[0], f"export micro {first} --seed=1 --dtype=fp32 --batch=1 --length=8")
        self.assertEqual(len(made), 1)
        paths = [first]
        for seed in range(2, 6):
            paths.append(native.starting_point(self.settings(seed)))
            os.utime(paths[-1], (seed, seed))
            if seed == 4:
                native.starting_point(self.settings(1))  # used again: as good as new
        kept = [path for path in paths if os.path.exists(path)]
        self.assertEqual(len(set(paths)), 5)
        self.assertEqual(kept, [paths[i] for i in (0, 3, 4)])

    def test_another_program_makes_its_own(self):
        self.program('touch "$3"')
        first = native.starting_point(self.settings(1))
        self.program('touch "$3" # changed')
        self.assertNotEqual(native.starting_point(self.settings(1)), first)


if __name__ == "__main__":
    unittest.main()
