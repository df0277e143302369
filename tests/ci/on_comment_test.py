"""The steps of ci/recipes/github/on-comment.yml, as a runner would run them, on comments that people
write and on hostile ones. GitHub is simulated; what is measured is a script that keeps its arguments
and its environment."""

import io
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from simulated_github import ROOT, WRITE, SimulatedGitHub, missing_programs

try:
    import yaml
except ImportError:
    yaml = None

RECIPES = ROOT + "/ci/recipes/github/"
COMMIT = "c" * 40
EARLIER, ASKED, LATER = "2026-11-01T10:00:00Z", "2026-11-01T11:00:00Z", "2026-11-01T12:00:00Z"
GATE = """#!/bin/bash
printf '%s\\0' "$@" > ../arguments
env -0 > ../environment
echo "base $GITHUB_BASE_REF"
mkdir -p reports; echo '### Unchanged' > reports/report.md
"""


@unittest.skipIf(yaml is None, "there is no parser of YAML: install python3-yaml")
@unittest.skipIf(missing_programs("jq", "git", "unzip", "iconv"), "ci/install_deps.sh --test")
class OnComment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.github = SimulatedGitHub(self.folder)
        self.addCleanup(self.github.close)
        self.github.pulls[7] = self.pull()
        self.github.runs[99] = {"event": "issue_comment", "head_sha": "d" * 40, "head_repository": {"id": 1},
                                "html_url": "https://github.com/o/r/actions/runs/99"}
        tool = self.folder + "/perf-compare/share/perf-compare/ci"
        os.makedirs(tool + "/recipes")
        shutil.copytree(RECIPES, tool + "/recipes/github")
        shutil.copy(ROOT + "/ci/inert.sh", tool)
        with open(tool + "/gate", "w") as file:
            file.write(GATE)
        os.chmod(tool + "/gate", 0o755)
        os.mkdir(self.folder + "/checkout")
        with open(RECIPES + "on-comment.yml") as file:
            self.workflow = yaml.safe_load(file)

    @staticmethod
    def pull(**more):
        return {"state": "open", "base": {"ref": "main"},
                "head": {"sha": COMMIT, "repo": {"id": 5, "pushed_at": EARLIER}}, **more}

    @staticmethod
    def event(body, association="MEMBER", **more):
        return {"action": "created", "issue": {"number": 7, "pull_request": {}},
                "comment": {"id": 31, "body": body, "created_at": ASKED, "author_association": association,
                            **more.pop("comment", {})}, **more}

    def step(self, job, expressions):
        """Runs the last step of a job that runs a script; its expressions must be known ones."""
        step = [step for step in self.workflow["jobs"][job]["steps"] if "run" in step][-1]
        self.assertNotIn("${{", step["run"])
        variables = {}
        for name, value in step.get("env", {}).items():
            variables[name] = re.sub(r"\$\{\{ (.*?) \}\}", lambda found: expressions[found[1]], value)
        return self.github.run(["bash", "-e", "-c", step["run"]], token=None, cwd=self.folder + "/checkout",
                               RUNNER_TEMP=self.folder, GITHUB_EVENT_PATH=self.folder + "/event.json",
                               GITHUB_OUTPUT=self.folder + "/output", **variables)

    def ask(self, event):
        """The first job: its outcome and its outputs."""
        for name in ("output", "arguments", "environment"):
            if os.path.exists(self.folder + "/" + name):
                os.remove(self.folder + "/" + name)
        with open(self.folder + "/event.json", "w") as file:
            json.dump(event, file)
        outcome = self.step("ask", {"github.token": WRITE})
        outputs = {}
        if os.path.exists(self.folder + "/output"):
            with open(self.folder + "/output", newline="") as file:
                outputs = dict(line.split("=", 1) for line in file.read().split("\n") if line)
        return outcome, outputs

    def measure(self, outputs):
        """The second job: the arguments of the gate, and its environment."""
        outcome = self.step("measure", {"needs.ask.outputs." + name: value for name, value in outputs.items()})
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        read = []
        for name in ("arguments", "environment"):
            with open(self.folder + "/" + name) as file:
                read.append(file.read().split("\0")[:-1])
        return read

    def test_measures_what_a_member_asks_for(self):
        cases = {
            "/bench": [],
            "/bench -w 'parser/*' --budget 20m": ["-w", "parser/*", "--budget", "20m"],
            "/bench  -w \"a b\" ": None,
            "/bench --size smoke --metric step_time.p99\r\nThank you!": ["--size", "smoke", "--metric", "step_time.p99"],
            "/bench -w parser/* -w q?/x=1,y=2": ["-w", "parser/*", "-w", "q?/x=1,y=2"],
        }
        for body, options in cases.items():
            for association in ("OWNER", "MEMBER", "COLLABORATOR"):
                self.github.reactions.clear()
                outcome, outputs = self.ask(self.event(body, association))
                if options is None:
                    self.assertEqual((outcome.returncode, outputs), (2, {}), outcome.stderr)
                    self.assertEqual(self.github.reactions, [(31, "confused")])
                    self.assertIn("error: cannot measure: invalid value of -w\nhint: /bench [-w GLOB]", outcome.stderr)
                    continue
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                self.assertEqual(self.github.reactions, [(31, "eyes")])
                self.assertEqual({**outputs, "options": ""},
                                 {"number": "7", "commit": COMMIT, "target": "main", "options": ""})
                arguments, environment = self.measure(outputs)
                self.assertEqual(arguments, ["reports", "--"] + options)
                self.assertIn("GITHUB_BASE_REF=main", environment)

    def hostile(self):
        """Events, and whether they are a member's, so that a reaction may answer."""
        planted = self.folder + "/planted"
        run = "touch " + planted
        asked = [
            "; " + run, "&& " + run, "| " + run, "$(" + run + ")", "`" + run + "`", "-w $(" + run + ")",
            "-w `" + run + "`", "-w 'a' ; " + run, "-w '$(" + run + ")'", "-w \"$(" + run + ")\"", "-w a'b'",
            "-w 'a\n" + run + "'", "-w 'a' 'b", "-w", "-w --github", "-w -w", "--budget", "--budget 20m;" + run,
            "--budget 61m", "--budget 1000h", "--budget -1m", "--budget 1e9s", "--size huge", "--size 'ci full'",
            "--store /etc/passwd", "--db ../x.db", "-C /", "--json /tmp/x", "--html=" + planted,
            "--head-set plant-slowdown=1", "--config /dev/stdin", "--policy head", "--measure all", "--", "-- --db x",
            "-w ${{ secrets.TOKEN }}", "-w ${GH_TOKEN}", "-w $GH_TOKEN", "-w ~root", "-w ../../../etc", "-w {a,b}",
            "-w a\u00a0b", "-w \u202eab", "\u2028" + run, "-w a\0b", "-w a\x1fb\x1f" + "d" * 40, "-w " + "a" * 101,
            "-w a " * 21, "x" * 70000, "-w '" + "*" * 900 + "' x", "'" * 999, "\t-w a", "-w a\\\n" + run,
            "\r\noptions=-w evil\r\ncommit=" + "e" * 40, "%0Acommit=" + "e" * 40, "-w a<<EOF",
            "::set-output name=commit::" + "e" * 40,
        ]
        events = [(self.event("/bench " + text), True) for text in asked]
        events += [(self.event("/bench", association), False)
                   for association in ("NONE", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN",
                                       "", None, ["MEMBER"], "member")]
        events += [(self.event(body), False)
                   for body in ("/benchmark", "/bench;" + run, " /bench", "> /bench", "please /bench", "/BENCH",
                                "/bench\t-w a", "/bench\u00a0", "text\n/bench", "", None, {"a": 1})]
        events += [(self.event("/bench", action="edited"), False),
                   (self.event("/bench", issue={"number": 7}), False),
                   (self.event("/bench", issue={"number": "7/../8", "pull_request": {}}), False),
                   (self.event("/bench", comment={"id": "31/../../32"}), False),
                   (self.event("/bench", comment={"id": 1.5}), False)]
        return events

    def test_runs_nothing_of_a_hostile_comment(self):
        events = self.hostile()
        self.assertGreaterEqual(len(events), 50)
        measured = []
        for event, is_members in events:
            self.github.asked.clear()
            outcome, outputs = self.ask(event)
            text = repr(event["comment"]["body"])[:200]
            self.assertFalse(os.path.exists(self.folder + "/planted"), text)
            self.assertNotIn(WRITE, outcome.stdout + outcome.stderr, text)
            for method, path, _, body in self.github.asked:
                self.assertIn((method, path), [("GET", "/repos/o/r/pulls/7"),
                                               ("POST", "/repos/o/r/issues/comments/31/reactions")], text)
                self.assertIn(body.get("content"), (None, "eyes", "confused"))
            if not is_members:
                self.assertEqual((outcome.returncode, outputs, self.github.asked), (0, {}, []), text)
            elif outputs:  # what follows the first line is not read
                arguments, environment = self.measure(outputs)
                measured.append((event["comment"]["body"][:15], arguments))
                self.assertEqual((outputs["commit"], arguments), (COMMIT, ["reports", "--"]), text)
                self.assertFalse([value for value in environment if WRITE in value], text)
            else:
                self.assertEqual(outcome.returncode, 2, text + outcome.stderr)
        self.assertEqual([body for body, _ in measured], ["/bench \r\noption"])

    def test_measures_only_the_head_that_was_seen(self):
        repository = {"id": 5, "pushed_at": LATER}
        for pull, why in ((self.pull(state="closed"), "is closed"),
                          (self.pull(head={"sha": COMMIT, "repo": None}), "is gone"),
                          (self.pull(head={"sha": COMMIT, "repo": repository}), "was pushed after the comment"),
                          (self.pull(head={"sha": "$(id)", "repo": {"pushed_at": EARLIER}}), "invalid commit"),
                          (self.pull(base={"ref": "a b"}), "invalid target branch"),
                          (self.pull(base={"ref": "-x..y"}), "invalid target branch")):
            self.github.pulls[7] = pull
            self.github.reactions.clear()
            outcome, outputs = self.ask(self.event("/bench"))
            self.assertEqual((outcome.returncode, outputs), (2, {}), outcome.stderr)
            self.assertIn(why, outcome.stderr)
            self.assertEqual(self.github.reactions, [(31, "confused")])
        # A branch may have such a name, and stays a word.
        self.github.pulls[7] = self.pull(base={"ref": "$(touch${IFS}planted);x'\""})
        outcome, outputs = self.ask(self.event("/bench"))
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertIn("GITHUB_BASE_REF=$(touch${IFS}planted);x'\"", self.measure(outputs)[1])
        self.assertFalse(os.path.exists(self.folder + "/checkout/planted"))
        self.github.fails = True
        self.assertEqual(self.ask(self.event("/bench"))[0].returncode, 3)

    def test_renews_one_comment(self):
        def comment(commit=COMMIT):
            artifact = io.BytesIO()
            with zipfile.ZipFile(artifact, "w") as archive:
                archive.writestr("report.md", "### Unchanged <script>\n")
                archive.writestr("pull-request.txt", "8\n")  # the measured code wrote it: not read
            self.github.artifacts[99] = artifact.getvalue()
            return self.step("comment", {"github.token": WRITE, "github.run_id": "99",
                                         "needs.ask.outputs.number": "7", "needs.ask.outputs.commit": commit})

        for _ in range(2):
            outcome = comment()
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            self.assertEqual([made["issue"] for made in self.github.comments], [7])
            self.assertIn("### Unchanged", self.github.comments[0]["body"])
            self.assertNotIn("<script", self.github.comments[0]["body"])
        self.github.comments.clear()
        self.assertIn("has a newer commit", comment("e" * 40).stderr)
        self.assertEqual(comment("e" * 39).returncode, 2)
        self.github.runs[99]["event"] = "push"
        self.assertIn("belongs to the event push", comment().stderr)
        self.assertEqual(self.github.comments, [])

    def test_grants_the_measured_code_nothing(self):
        jobs = self.workflow["jobs"]
        self.assertEqual(self.workflow["permissions"], {})
        self.assertEqual(self.workflow[True], {"issue_comment": {"types": ["created"]}})
        self.assertEqual(jobs["measure"]["permissions"], {"contents": "read"})
        self.assertEqual(jobs["ask"]["permissions"], {"pull-requests": "write"})
        self.assertEqual(jobs["comment"]["permissions"], {"actions": "read", "pull-requests": "write"})
        measuring = json.dumps(jobs["measure"])
        for secret in ("secrets", "github.token", "GH_TOKEN", "comment.body"):
            self.assertNotIn(secret, measuring)
        self.assertEqual(jobs["measure"]["steps"][0]["with"]["persist-credentials"], False)
        for name in ("ask", "comment"):  # they can write, and check out nothing
            self.assertFalse([step for step in jobs[name]["steps"] if "uses" in step])
        self.assertIn('fromJSON(\'["OWNER", "MEMBER", "COLLABORATOR"]\')', jobs["ask"]["if"])

    def test_queues_a_second_request(self):
        # Of the job, not of the workflow: else every other comment would replace the waiting request.
        self.assertNotIn("concurrency", self.workflow)
        concurrency = self.workflow["jobs"]["measure"]["concurrency"]
        self.assertIn("needs.ask.outputs.number", concurrency["group"])
        self.assertIs(concurrency["cancel-in-progress"], False)


if __name__ == "__main__":
    unittest.main()
