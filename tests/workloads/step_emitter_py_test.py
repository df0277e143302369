"""workloads/step_emitter.py: what it writes, and that an incomplete run is never a complete file.

PERF_COMPARE_PROGRAM: the perf-compare whose reader has to accept what is written.
"""

import ast
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

FOLDER = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../workloads"))
sys.path.insert(0, FOLDER)
sys.dont_write_bytecode = True

import step_emitter  # noqa: E402
from step_emitter import Steps  # noqa: E402

PROGRAM = os.environ.get("PERF_COMPARE_PROGRAM")
VARIABLES = ("OUT", "STEPS", "WARMUP", "SEED")
FRAMEWORKS = ("torch", "jax", "mlx", "mlx.core", "tinygrad", "cupy", "numpy")

HAS_TORCH = importlib.util.find_spec("torch") is not None


def records(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def named(lines, kind):
    return {line["name"]: line for line in lines if line["type"] == kind}


class EmitterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out.jsonl")
        environment = {k: v for k, v in os.environ.items() if k[:13] != "PERF_COMPARE_"}
        environment.update(PERF_COMPARE_STEPS="3", PERF_COMPARE_WARMUP="1")
        environment["PERF_COMPARE_OUT"] = self.out
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        self.environment = mock.patch.dict(os.environ, environment, clear=True)
        self.environment.start()
        self.addCleanup(self.environment.stop)
        # What the program has imported, in the tests that say so.
        self.modules = mock.patch.dict(sys.modules)
        self.modules.start()
        self.addCleanup(self.modules.stop)
        for name in FRAMEWORKS:
            sys.modules.pop(name, None)

    def start(self, code):
        command = [sys.executable, "-S", "-c", "from step_emitter import Steps\n" + code]
        return subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_program(self, code):
        """Exit status and output of a program that has imported Steps."""
        process = self.start(code)
        output, errors = process.communicate()
        return process.returncode, output + errors

    def imported(self):
        """Exit status and messages of perf-compare, which reads the file."""
        folder = os.path.dirname(self.out)
        if not os.path.exists(os.path.join(folder, ".git")):
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"]
            subprocess.run(git + ["init", "-q"], check=True)
            subprocess.run(git + ["commit", "-q", "--allow-empty", "-m", "first"], check=True)
        command = [PROGRAM, "import", "steps", self.out, "--rev", "HEAD", "-C", folder]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout

    def written(self):
        """The lines of the file, which perf-compare reads."""
        if PROGRAM:
            status, output = self.imported()
            self.assertEqual(status, 0, output)
        return records(self.out)

    def assert_refused(self, *words):
        if PROGRAM:
            status, output = self.imported()
            self.assertEqual(status, 2, output)
            for word in words:
                self.assertIn(word, output)


class FileTest(EmitterTest):
    def test_needs_nothing_but_the_standard_library(self):
        status, output = self.run_program("import sys; print(sorted(sys.modules))")
        self.assertEqual(status, 0, output)
        self.assertFalse({"json", "typing", "re", *FRAMEWORKS} & set(ast.literal_eval(output)))

    def test_is_python_3_8(self):
        with open(step_emitter.__file__) as file:
            source = file.read()
        ast.parse(source, feature_version=(3, 8))
        self.assertLessEqual(max(map(len, source.splitlines())), 100)


class ProtocolTest(EmitterTest):
    def test_writes_the_lines_in_order(self):
        with Steps("family/name", params={"layers": 2, "rate": 0.5, "fast": True, "backend": "a"},
                   tokens_per_step=4096) as steps:  # fmt: skip
            for step in steps:
                with step.phase("first"):
                    pass
            steps.environment("threads", 2)
            steps.metric("tokens_per_second", 12.5, unit="1/s", better="higher", judge=True)
            steps.check("matches", error=1e-7, tolerance=1e-6)
            steps.check("is_finite", error=float("nan"))
        lines = self.written()
        order = ["begin", "environment"] + ["step"] * 4 + ["metric"] * 2 + ["check"] * 2 + ["end"]
        self.assertEqual([line["type"] for line in lines], order)
        self.assertEqual(lines[0], {
            "type": "begin", "protocol": 1, "workload": "family/name", "tokens_per_step": 4096,
            "params": {"layers": 2, "rate": 0.5, "fast": True, "backend": "a"},
        })  # fmt: skip
        self.assertEqual(lines[1]["python"], "%d.%d.%d" % sys.version_info[:3])
        self.assertEqual(lines[1]["threads"], 2)
        taken = lines[2:6]
        self.assertEqual([step["index"] for step in taken], [0, 1, 2, 3])
        self.assertEqual([step["warmup"] for step in taken], [True, False, False, False])
        for step in taken:
            self.assertGreater(step["seconds"], 0)
            self.assertLessEqual(step["phases"]["first"], step["seconds"])
            self.assertNotIn("device_seconds", step)
            if sys.platform == "linux":
                self.assertGreater(step["rss"], 1 << 20)
        metrics = named(lines, "metric")
        self.assertEqual(metrics["first_step_time"]["value"], taken[0]["seconds"])
        self.assertFalse(metrics["first_step_time"]["judge"])
        self.assertEqual(metrics["tokens_per_second"], {
            "type": "metric", "name": "tokens_per_second", "unit": "1/s", "better": "higher",
            "value": 12.5, "judge": True,
        })  # fmt: skip
        checks = named(lines, "check")
        self.assertTrue(checks["matches"]["passed"])
        self.assertFalse(checks["is_finite"]["passed"])
        self.assertIsNone(checks["is_finite"]["error"])

    def test_takes_the_counts_from_the_environment(self):
        os.environ.update(PERF_COMPARE_WARMUP="0", PERF_COMPARE_SEED=str(2**64 - 1))
        steps = Steps("w")
        self.assertEqual((steps.steps, steps.warmup, steps.seed), (3, 0, 2**64 - 1))
        os.environ.update(PERF_COMPARE_STEPS="", PERF_COMPARE_WARMUP="", PERF_COMPARE_SEED="")
        steps = Steps("w")
        self.assertEqual((steps.steps, steps.warmup, steps.seed), (8, 2, 1))
        steps = Steps("w", steps=5, warmup=0)
        self.assertEqual((steps.steps, steps.warmup), (5, 0))
        for bad in ("0", "-1", "3.5", "many", "8 ", "\u0663", "1_0", "9" * 20):
            os.environ["PERF_COMPARE_STEPS"] = bad
            with self.assertRaisesRegex(ValueError, "PERF_COMPARE_STEPS"):
                Steps("w")

    def test_writes_a_block_for_each_workload(self):
        for name in ("a", "b"):
            with Steps(name) as steps:
                self.assertEqual(len([step for step in steps]), 4)
        begins = [line["workload"] for line in self.written() if line["type"] == "begin"]
        self.assertEqual(begins, ["a", "b"])

    def test_gives_time_to_the_innermost_phase(self):
        now = 0

        def clock():
            nonlocal now
            now += 2**30  # ns
            return now

        with mock.patch.object(step_emitter, "_clock", clock), Steps("w") as steps:
            for step in steps:
                with step.phase("outer"):
                    with step.phase("inner"):
                        pass
                    with step.phase("inner"):
                        pass
                with self.assertRaises(KeyError), step.phase("raises"):
                    raise KeyError
        for line in self.written():
            if line["type"] == "step":
                ticks = {name: round(s / 2**30 * 1e9) for name, s in line["phases"].items()}
                self.assertEqual(ticks, {"outer": 3, "inner": 2, "raises": 1})
                self.assertEqual(round(line["seconds"] / 2**30 * 1e9), 9)

    def test_misuse_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "lower"):
            Steps("w").metric("m", 1, better="less")
        with self.assertRaisesRegex(ValueError, "type"):
            Steps("w").environment("type", 1)
        steps = Steps("w")
        first = None
        for step in steps:
            first = first or step
        with self.assertRaisesRegex(RuntimeError, "outside its step"), first.phase("late"):
            pass
        with self.assertRaisesRegex(RuntimeError, "only once"):
            list(steps)

    def test_writes_odd_values_as_json(self):
        class Number:
            def __index__(self):
                return 7

        class Real:
            def __index__(self):
                raise TypeError

            def __float__(self):
                return 0.5

        params = {"i": Number(), "f": Real(), "none": None, "type": int, "\u00fc\n\"": "\x7f\t\u20ac"}
        with Steps("w", params=params) as steps:
            for step in steps:
                with step.phase("\u00fc \"x\"\n"):
                    pass
            steps.metric("first_step_time", 5)  # the program's own value counts
        lines = self.written()
        self.assertEqual(lines[0]["params"], {
            "i": 7, "f": 0.5, "none": "None", "type": "<class 'int'>",
            "\u00fc\n\"": "\x7f\t\u20ac",
        })  # fmt: skip
        self.assertEqual(named(lines, "metric")["first_step_time"]["value"], 5)

    def test_prints_a_table_when_run_by_hand(self):
        for name in ("OUT", "STEPS", "WARMUP"):
            del os.environ["PERF_COMPARE_" + name]
        status, output = self.run_program(
            "with Steps('train') as steps:\n"
            "    for step in steps:\n"
            "        with step.phase('forward'): pass\n"
            "    steps.metric('loss', 0.25)\n"
            "    steps.check('small', error=2)\n"
        )
        self.assertEqual(status, 0, output)
        self.assertIn("train: 8 steps after 2 warm-ups\n", output)
        for row in ("step ", "  forward ", "first_step_time ", "loss ", "small "):
            self.assertIn("\n" + row, output)
        self.assertIn("FAILED", output)
        self.assertFalse(os.path.exists(self.out))


class IncompleteTest(EmitterTest):
    """Nothing that perf-compare would read as a run."""

    def assert_nothing_is_written(self, body, status, message, after=""):
        code = "import os, sys\nwith Steps('w') as steps:\n" + body + "\n" + after
        result, output = self.run_program(code)
        self.assertEqual(result, status, output)
        self.assertIn(message, output)
        self.assertFalse(os.path.exists(self.out) and os.path.getsize(self.out))

    def test_the_loop_raises(self):
        self.assert_nothing_is_written("    for step in steps: 1/0", 1, "ZeroDivisionError")
        self.assert_nothing_is_written("    for step in steps: sys.exit(0)", 0, "")
        self.assert_nothing_is_written("    list(steps)\n    raise KeyError('late')", 1, "late")

    def test_the_loop_ends_early(self):
        for body, taken in (("if step.index == 2: break", 2), ("break", 0)):
            message = "w: the loop ended after %d of 4 steps" % taken
            self.assert_nothing_is_written("    for step in steps:\n        " + body, 1, message)
        self.assert_nothing_is_written("    pass", 1, "after 0 of 4 steps")

    def test_the_file_cannot_be_written(self):
        os.environ["PERF_COMPARE_OUT"] = os.path.join(self.out, "file")
        self.assert_nothing_is_written("    list(steps)", 1, "FileNotFoundError")
        if os.path.exists("/dev/full"):
            os.environ["PERF_COMPARE_OUT"] = "/dev/full"
            self.assert_nothing_is_written("    list(steps)", 1, "No space left on device")

    def test_the_disk_becomes_full(self):
        sizes = iter((100, OSError(28, "No space left on device")))

        def write(file, text, write=os.write):
            size = next(sizes)
            if isinstance(size, OSError):
                raise size
            return write(file, text[:size])

        steps = Steps("w")
        list(steps)
        with mock.patch.object(os, "write", write), self.assertRaisesRegex(OSError, "No space"):
            steps.finish()
        self.assertEqual(os.path.getsize(self.out), 100)
        self.assert_refused("cut off")

    def test_nan_is_refused_by_name(self):
        with Steps("w") as steps:
            list(steps)
            steps.metric("loss", float("nan"))
        self.assert_refused("value is null: the program measured NaN or an infinity")

    def test_a_child_writes_nothing(self):
        status, output = self.run_program(
            "import os\n"
            "with Steps('w') as steps:\n"
            "    for step in steps:\n"
            "        if step.index == 2:\n"
            "            child = os.fork()\n"
            "    assert child == 0 or os.waitpid(child, 0)[1] == 0\n"
        )
        self.assertEqual(status, 0, output)
        self.assertEqual(len(self.written()), 8)

    def test_one_process_of_torchrun_writes(self):
        for rank in "102":
            with mock.patch.dict(os.environ, WORLD_SIZE="3", RANK=rank), Steps("w") as steps:
                list(steps)
        self.assertEqual(len(self.written()), 8)

    def test_killed_at_any_point(self):
        """Killed while it measures and writes, a run is refused or whole."""
        os.environ["PERF_COMPARE_STEPS"] = "20000"
        chance = random.Random(45)
        whole = 0
        for _ in range(12):
            process = self.start("with Steps('w') as s:\n    list(s)\nprint('end', flush=True)")
            try:
                process.communicate(timeout=chance.uniform(0.02, 0.6))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
            if os.path.exists(self.out):
                with open(self.out) as file:
                    text = file.read()
                if text.endswith('{"type":"end"}\n'):
                    self.assertEqual(len(self.written()), 20005)
                    whole += 1
                elif text:
                    self.assert_refused("line")
                os.remove(self.out)
        # Cut at any byte: what the kernel may leave of it.
        os.environ["PERF_COMPARE_STEPS"] = "1"
        with Steps("w") as steps:
            list(steps)
        with open(self.out, "rb") as file:
            text = file.read()
        for size in chance.sample(range(len(text) - 1), 15) + [len(text) - 2]:
            with open(self.out, "wb") as file:
                file.write(text[:size])
            self.assert_refused()


class Fake(types.ModuleType):
    """A module whose functions record their calls."""

    def __init__(self, name, calls, **members):
        super().__init__(name)
        self._calls = calls
        self.__dict__.update(members)

    def record(self, name, value=None):
        """Adds a function that records its call and returns `value`, or value(*arguments)."""

        def function(*arguments):
            self._calls.append((self.__name__ + "." + name,) + arguments)
            return value(*arguments) if callable(value) else value

        setattr(self, name, function)
        return self


class FrameworkTest(EmitterTest):
    """Which calls are made, of frameworks that the program has imported."""

    def setUp(self):
        super().setUp()
        self.calls = []
        os.environ.update(PERF_COMPARE_STEPS="2", PERF_COMPARE_WARMUP="1")

    def run_steps(self, result=None, phases=()):
        """The file's lines, and the calls in each step."""
        in_steps = []
        with Steps("w") as steps:
            for step in steps:
                in_steps.append(len(self.calls))
                for name in phases:
                    with step.phase(name):
                        pass
                if result is not None:
                    step.result(result)
        in_steps.append(len(self.calls))
        return self.written(), [self.calls[a:b] for a, b in zip(in_steps, in_steps[1:])]

    def device(self, name, initialised=True, count=1, current=0, peaks=(1000,)):
        """torch.cuda or torch.xpu; an event takes 2 ms on the device."""
        calls = self.calls
        device = Fake(name, calls)
        device.is_initialized = lambda: initialised
        device.current_device = lambda: current
        device.device_count = lambda: count
        device.max_memory_allocated = lambda number: peaks[number]
        device.record("synchronize")
        made = []

        class Event:
            def __init__(self, enable_timing=False):
                assert enable_timing
                self.at = None
                made.append(self)

            def record(self):
                calls.append((name + ".Event.record",))
                self.at = len(calls)

            def elapsed_time(self, end):
                assert end.at > self.at
                return 2.0 * (end.at - self.at)

        device.Event = Event
        device.made = made
        return device

    def test_torch_on_the_cpu(self):
        cuda = self.device("cuda", initialised=False)
        sys.modules["torch"] = Fake("torch", self.calls, cuda=cuda, __version__="2.1")
        lines, _ = self.run_steps()
        self.assertEqual(self.calls, [])
        self.assertEqual(lines[1]["torch"], "2.1")
        self.assertEqual(list(named(lines, "metric")), ["first_step_time"])

    def test_torch_cuda(self):
        cuda = self.device("cuda")
        sys.modules["torch"] = Fake("torch", self.calls, cuda=cuda)
        lines, in_steps = self.run_steps(phases=("a", "b"))
        events = [("cuda.Event.record",)]
        self.assertEqual(in_steps[0][:6], events * 5 + [("cuda.synchronize",)])
        self.assertEqual(len(cuda.made), 6, "events are used again")
        for step in (line for line in lines if line["type"] == "step"):
            self.assertEqual(step["device_seconds"], 0.010)
            self.assertEqual(step["phases"], {"a": 0.002, "b": 0.002})
        memory = named(lines, "metric")["device_memory"]
        self.assertEqual((memory["value"], memory["unit"], memory["judge"]), (1000, "B", True))

    def test_torch_cuda_of_several_devices(self):
        cuda = self.device("cuda", count=4, current=1, peaks=(10, 20, 0, 40))
        xpu = self.device("xpu", peaks=(5,))
        sys.modules["torch"] = Fake("torch", self.calls, cuda=cuda, xpu=xpu)
        lines, in_steps = self.run_steps()
        waits = [call for call in in_steps[1] if call[0].endswith("synchronize")]
        wanted = [("cuda.synchronize",), ("cuda.synchronize", 0), ("cuda.synchronize", 3)]
        self.assertEqual(waits, wanted + [("xpu.synchronize",)])  # 2 is not in use
        self.assertEqual(named(lines, "metric")["device_memory"]["value"], 75)

    def test_torch_cuda_whose_events_cannot_be_compared(self):
        cuda = self.device("cuda")
        mixed = RuntimeError("events of different devices")
        cuda.Event.elapsed_time = mock.Mock(side_effect=mixed)
        sys.modules["torch"] = Fake("torch", self.calls, cuda=cuda)
        lines, _ = self.run_steps(phases=("a",))
        steps = [line for line in lines if line["type"] == "step"]
        self.assertFalse([step for step in steps if "device_seconds" in step])
        self.assertTrue(all("a" in step["phases"] for step in steps))

    def test_torch_cuda_that_fails(self):
        cuda = self.device("cuda")
        cuda.synchronize = mock.Mock(side_effect=RuntimeError("illegal memory access"))
        sys.modules["torch"] = Fake("torch", self.calls, cuda=cuda)
        with self.assertRaisesRegex(RuntimeError, "illegal memory access"):
            self.run_steps()
        self.assertFalse(os.path.exists(self.out))

    def test_torch_mps(self):
        for available in (True, False):
            mps = Fake("mps", self.calls).record("synchronize")
            backends = types.SimpleNamespace(mps=Fake("m", []).record("is_available", available))
            cuda = self.device("cuda", initialised=False)
            sys.modules["torch"] = Fake("torch", [], cuda=cuda, mps=mps, backends=backends)
            _, in_steps = self.run_steps()
            self.assertEqual(in_steps[1], [("mps.synchronize",)] * available)
            os.remove(self.out)

    def test_jax(self):
        class Array:
            pass

        value, other = Array(), object()
        stats = types.SimpleNamespace(memory_stats=lambda: {"peak_bytes_in_use": 300})
        cpu = types.SimpleNamespace(memory_stats=lambda: None)
        jax = Fake("jax", self.calls, Array=Array).record("block_until_ready", lambda tree: tree)
        jax.record("local_devices", [stats, cpu])
        jax.tree_util = types.SimpleNamespace(tree_leaves=lambda tree: tree)
        sys.modules["jax"] = jax
        self.run_steps()
        self.assertEqual(self.calls, [], "without a result its devices are left alone")
        os.remove(self.out)
        self.run_steps(result=other)
        self.assertNotIn(("jax.local_devices",), self.calls)
        os.remove(self.out)
        lines, in_steps = self.run_steps(result=value)
        self.assertEqual(in_steps[1], [("jax.block_until_ready", [value])])
        self.assertEqual(named(lines, "metric")["device_memory"]["value"], 300)

    def test_mlx(self):
        value = object()
        core = Fake("mlx.core", self.calls).record("eval").record("get_peak_memory", 400)
        sys.modules.update({"mlx": Fake("mlx", []), "mlx.core": core})
        lines, in_steps = self.run_steps(result={"loss": value})
        self.assertEqual(in_steps[1], [("mlx.core.eval", [{"loss": value}])])
        self.assertEqual(named(lines, "metric")["device_memory"]["value"], 400)
        os.remove(self.out)
        del core.get_peak_memory  # before mlx 0.22
        core.metal = Fake("metal", []).record("get_peak_memory", 500)
        self.assertEqual(named(self.run_steps()[0], "metric")["device_memory"]["value"], 500)

    def test_tinygrad(self):
        calls = self.calls

        class Tensor:
            def __init__(self, device):
                self.device = device

            def realize(self):
                calls.append(("realize", self.device))

        def opened(name):
            return Fake(name, calls).record("synchronize")

        devices = {"CPU": opened("CPU"), "GPU:1": opened("GPU:1")}
        sys.modules["tinygrad"] = Fake("tinygrad", calls, Tensor=Tensor, Device=devices)
        _, in_steps = self.run_steps(result=[Tensor("CPU"), 3, {"x": Tensor(("CPU", "GPU:1"))}])
        self.assertEqual(in_steps[1][:2], [("realize", "CPU"), ("realize", ("CPU", "GPU:1"))])
        self.assertEqual(sorted(in_steps[1][2:]), [("CPU.synchronize",), ("GPU:1.synchronize",)])

    def test_cupy(self):
        for available in (True, False):
            cuda = Fake("cupy.cuda", self.calls).record("synchronize")
            cuda.is_available = lambda: available
            cuda.Device = lambda: cuda
            cuda.Event = lambda: self.device("cupy").Event(enable_timing=True)
            cuda.get_elapsed_time = lambda begin, end: begin.elapsed_time(end)
            sys.modules["cupy"] = Fake("cupy", self.calls, cuda=cuda)
            lines, in_steps = self.run_steps()
            waits = [call for call in in_steps[1] if call[0].endswith("synchronize")]
            self.assertEqual(waits, [("cupy.cuda.synchronize",)] * available)
            self.assertEqual("device_seconds" in lines[2], available)
            os.remove(self.out)


@unittest.skipUnless(HAS_TORCH, "PyTorch is not installed (ci/install_deps.sh --peers)")
class TorchTest(EmitterTest):
    def test_a_training_step(self):
        code = (
            "import torch\n"
            "from step_emitter import Steps\n"
            "with Steps('train', params={'dtype': torch.float32}, tokens_per_step=8) as steps:\n"
            "    torch.manual_seed(steps.seed % 2**32)\n"
            "    model = torch.nn.Linear(16, 1)\n"
            "    x = torch.ones(8, 16)\n"
            "    for step in steps:\n"
            "        with step.phase('forward'): loss = model(x).sum()\n"
            "        with step.phase('backward'): loss.backward()\n"
            "        step.result(loss)\n"
            "    steps.metric('loss', loss)\n"
            "    steps.check('finite', error=not torch.isfinite(loss))\n"
        )
        result = subprocess.run([sys.executable, "-c", code], cwd=FOLDER, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        lines = self.written()
        self.assertEqual(lines[0]["params"], {"dtype": "torch.float32"})
        self.assertIn("torch", lines[1])
        self.assertEqual(list(lines[2]["phases"]), ["forward", "backward"])
        self.assertEqual(list(named(lines, "metric")), ["first_step_time", "loss"])
        self.assertTrue(named(lines, "check")["finite"]["passed"])


if __name__ == "__main__":
    unittest.main()
