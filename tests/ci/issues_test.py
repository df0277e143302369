"""ci/nightly --issues and ci/issues, night after night: a scripted program stands for perf-compare,
with reports of trend that this test makes. GitHub is simulated.

A true night is in nightly_test.cpp.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from simulated_github import ROOT, SimulatedGitHub, missing_programs

SCRIPTED = """#!/bin/bash
folder=$(dirname "$0")
printf '%s\\0' "$@" >> "$folder/asked"; echo >> "$folder/asked"
[ -z "${GH_TOKEN:-}${GITHUB_TOKEN:-}" ] || echo leaked >> "$folder/leaked"
command=$1 json=/dev/null
while [ $# -gt 0 ]; do [ "$1" != --json ] || json=$2; shift; done
case $command in
  trend) cp "$folder/night.json" "$json"; exit 1 ;;
  bisect) cp "$folder/bisection.json" "$json"; exit 1 ;;
  collect) echo '{}' > "$json" ;;
esac
"""
MACHINES = {"m1": "EPYC", "m2": "Xeon"}


def oid(index):
    return "%040x" % (0xabc000 + index << 112)


def alert(name, at=20, state="new", confirmed=False, decision=None, machine="m1", commits=1, **more):
    """An alert as trend.json has it; its id is made of its name."""
    return {"id": (name.encode().hex() + "0" * 32)[:32], "state": state, "kind": "step", "workload": name.rstrip("'"),
            "params": {}, "metric": "step_time", "environment": machine, "baseline": None,
            "previous_oid": oid(at - commits), "oid": oid(at), "commits": commits, "change": 0.124,
            "interval": [0.109, 0.138], "confirm": "perf-compare bisect -C /home/ada --db x", "first_seen": None, "same_program": False,
            "confirmed_by": "run" if confirmed else None,
            "decision": {"news": decision, "at": "2026-01-09T00:00:00Z", "author": "Ada", "reason": "on it"}
            if decision else None, **more}


def report(alerts, night=1, event=(), suspects=(), workloads=(), commits=60):
    """A report of trend. `event`: alerts of a machine's event; `suspects` are no alerts yet."""
    series = [{"workload": one["workload"], "params": {}, "metric": "step_time", "environment": one["environment"],
               "change_points": [{"id": one["id"], "machine_event": 0 if one in event else None}],
               "points": [{"invocations": 3, "oid": oid(1), "value": 0.4}],
               "suspects": [one] if one in suspects else []}
              for one in list(alerts) + list(event) + list(suspects)]
    series += [{"workload": name, "params": {}, "metric": "step_time", "environment": machine, "change_points": [],
                "points": [], "suspects": []} for name in workloads for machine in MACHINES]
    return {"schema": "perf-compare/trend/1", "generated_at": "2026-01-%02dT03:00:00Z" % night,
            "environments": [{"fingerprint": key, "machine": {"cpu_model": name}} for key, name in MACHINES.items()],
            "commits": [{"oid": oid(index), "subject": "Commit %d" % index, "author": "Ada"} for index in range(commits)],
            "alerts": list(alerts), "series": series}


def bisection(at, answer="found"):
    return {"answer": answer, "first_bad": {"oid": oid(at), "subject": "Use a map", "author": "Ada"}
            if answer == "found" else None, "candidates": []}


@unittest.skipIf(missing_programs("jq", "git", "iconv"), "ci/install_deps.sh --test")
class Issues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.github = SimulatedGitHub(self.folder)
        self.addCleanup(self.github.close)
        self.issues = self.folder + "/issues"
        os.mkdir(self.folder + "/reports")
        self.write("perf-compare", SCRIPTED)
        os.chmod(self.folder + "/perf-compare", 0o755)
        self.write("bisection.json", json.dumps(bisection(18)))

    def write(self, name, text):
        with open(self.folder + "/" + name, "w") as file:
            file.write(text)

    def make_repository(self):
        for command in ("git init -q checkout", "git -C checkout -c user.name=A -c user.email=a@b.c commit -q "
                        "--allow-empty -m First"):
            subprocess.run(command.split(), cwd=self.folder, check=True)

    def nightly(self, night, where="github"):
        self.write("night.json", json.dumps(night))
        outcome = self.github.run([ROOT + "/ci/nightly", "kept.db", "reports", "-C", "checkout", "--issues", where],
                                  PERF_COMPARE=self.folder + "/perf-compare")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        return outcome

    def renew(self, night, where=None, *more, code=0):
        """ci/issues alone, on a report."""
        if isinstance(night, dict):
            self.write("reports/trend.json", json.dumps(night))
        outcome = self.github.run([ROOT + "/ci/issues", "reports", where or self.issues, *more])
        self.assertEqual(outcome.returncode, code, outcome.stderr)
        return outcome

    @staticmethod
    def record(body):
        return json.loads(re.match(r"<!-- perf-compare (\{.*\}) -->\n", body)[1])

    def states(self, where="github"):
        """{name of the first alert: status}, with ' (closed)' where the issue is; the list by its alerts."""
        if where == "github":
            found = [(self.record(issue["body"]), issue["state"] == "open") for issue in self.github.issues]
        else:
            found = []
            for name in os.listdir(where) if os.path.exists(where) else []:
                with open(where + "/" + name) as file:
                    record = self.record(file.read())
                found.append((record, record["open"]))
        states = {}
        for record, is_open in found:
            name = bytes.fromhex(record["key"]).rstrip(b"\0").decode() if record["key"] != "list" else "list"
            state = record.get("status") or len(record["ids"]) - 1
            self.assertNotIn(name, states, "two issues for one alert")
            states[name] = state if is_open else "%s (closed)" % state
        return states

    def body(self, name):
        return next(issue["body"] for issue in self.github.issues if self.record(issue["body"])["key"] == alert(name)["id"])

    # Thirty nights: alerts by night, and the state that each issue then has.
    def story(self, night):
        def at(name, *parts, **more):
            """The part of a story that is told tonight: [(first night, what differs)]."""
            for first, part in reversed(parts):
                if night >= first:
                    return [] if part is None else [alert(name, **{**more, **part})]
            return []

        known, over = {"state": "known"}, {"state": "recovered"}
        confirmed = {"state": "known", "confirmed": True}
        alerts = (
            at("parser", (2, {}), (3, known), (4, confirmed), (6, {**confirmed, "decision": "acknowledged"}),
               (9, {**confirmed, "decision": "fixed"}), (12, {**over, "confirmed": True}), (13, None), commits=4)
            + at("lexer", (3, {}), (4, known), (5, {"state": "refuted"}), at=30)
            + at("cache", (7, {"confirmed": True}), (8, confirmed), (15, over), (16, None))
            + at("cache'", (8, {}), (9, confirmed), (17, over), (18, None), at=21, machine="m2")
            + at("io", (10, {"confirmed": True}), (11, confirmed), (13, {**confirmed, "decision": "fixed"}),
                 (18, {"state": "reopened", "confirmed": True, "decision": "fixed"}), (20, over), (21, None))
            + at("net", (9, {"confirmed": True}), (10, confirmed))
            + at("disk", (16, {}), (17, known), (18, {"state": "withdrawn"}), (19, None), (20, known), (25, over), (26, None))
            + at("log", (11, {}), (12, {"state": "ignored", "decision": "ignored"}))
            + at("map", (12, {}), (13, known), (19, None))
            + at("parser'", (20, {}), (21, known), at=40)
            + [one for number in range(12)
               for one in at("mass%02d" % number, (21, {"confirmed": True}), (22, confirmed), (26, over), (27, None), at=41)])
        suspects = at("net", (5, {"state": "none"}), (9, None))
        event = [one for name in ("alloc", "free", "copy") for one in at(name, (14, {"state": "none"}))]
        names = {one["workload"] for one in alerts} | {"parser", "cache", "io", "disk", "map", "mass00"}
        return report(alerts, night, event, suspects, names)

    @staticmethod
    def expected(night):
        def at(name, *parts):
            return {name: state for first, state in parts if night >= first}

        states = {}
        for one in (at("parser", (2, "new"), (4, "confirmed"), (6, "acknowledged"), (9, "fixed"), (12, "recovered (closed)")),
                    at("lexer", (3, "new"), (5, "refuted (closed)")),
                    at("cache", (7, "confirmed"), (17, "recovered (closed)")),
                    at("io", (10, "confirmed"), (13, "fixed"), (18, "reopened"), (20, "recovered (closed)")),
                    at("net", (9, "confirmed")),
                    at("disk", (16, "new"), (18, "withdrawn (closed)"), (20, "new"), (25, "recovered (closed)")),
                    at("log", (11, "new"), (12, "ignored (closed)")),
                    at("map", (12, "new"), (19, "gone (closed)")),
                    at("parser'", (20, "new")),
                    at("list", (21, 7), (22, 2), (23, "0 (closed)"))):
            states.update(one)
        for number in range(12):
            states.update(at("mass%02d" % number, (21 + number // 5, "confirmed"), (26, "recovered (closed)")))
        return states

    def test_has_one_issue_for_each_alert_in_thirty_nights_of_two_machines(self):
        self.make_repository()
        for night in range(1, 31):
            told = self.story(night)
            self.nightly(told)
            self.assertEqual(self.states(), self.expected(night), night)
            # A machine that shares the hub sees the same alerts, in an order of its own: no news.
            told["alerts"].reverse()
            self.github.asked.clear()
            self.renew(told, "github")
            self.assertEqual({method for method, *_ in self.github.asked}, {"GET"}, night)
            told["alerts"].reverse()
            self.renew(told)
            self.assertEqual(self.states(self.issues), self.expected(night), night)
        self.assertFalse(os.path.exists(self.folder + "/leaked"), "what is measured has the token")
        self.assertIn("nights: 2026-01-02 new, 2026-01-04 confirmed, 2026-01-04 bisected, 2026-01-06 acknowledged, "
                      "2026-01-09 fixed, 2026-01-12 recovered", self.body("parser"))
        self.assertIn("- commit: %s Commit 18 (Ada)" % oid(18)[:12], self.body("parser"))
        self.assertIn("- to verify: `perf-compare bisect`\n", self.body("parser"))

    def test_opens_no_issue_without_a_standing_alert(self):
        states = [alert("a", state="refuted"), alert("b", state="recovered"), alert("c", state="withdrawn"),
                  alert("d", state="ignored", decision="ignored"), alert("e", decision="acknowledged"),
                  alert("f", state="known")]
        event = [alert("f", state="known")]  # known, and tonight a part of a machine's event
        self.renew(report(states, event=event, suspects=[alert("g", state="none")]))
        self.assertEqual(self.states(self.issues), {})

    def test_keeps_an_issue_that_tonights_options_leave_out(self):
        self.renew(report([alert("a"), alert("b", at=10)]))
        self.renew(report([], workloads=["b"], commits=5))  # --since
        self.renew(report([], workloads=[]))                # -w
        self.assertEqual(self.states(self.issues), {"a": "new", "b": "new"})
        self.renew(report([], workloads=["b"]))
        self.assertEqual(self.states(self.issues), {"a": "new", "b": "gone (closed)"})

    def test_leaves_alone_what_a_person_closed(self):
        confirmed = {"state": "known", "confirmed": True}
        self.renew(report([alert("a")]), "github")
        self.github.issues[0]["state"] = "closed"
        self.renew(report([alert("a", **confirmed)]), "github")
        self.assertEqual(self.states(), {"a": "confirmed (closed)"})
        self.renew(report([alert("a", state="reopened", confirmed=True, decision="fixed")]), "github")
        self.assertEqual(self.states(), {"a": "reopened"}, "the alert contradicts the decision")

    def test_keeps_the_older_of_two_issues_made_at_once(self):
        self.renew(report([alert("a")]), "github")
        self.github.issues.append({**self.github.issues[0], "number": 2})
        self.renew(report([alert("a", state="known"), alert("b", at=50)]), "github")
        self.assertEqual([issue["state"] for issue in self.github.issues], ["open", "closed", "open"])
        self.assertEqual(self.record(self.github.issues[1]["body"])["status"], "duplicate")

    def test_passes_names_to_a_bisection_as_they_are(self):
        self.make_repository()
        confirmed = {"confirmed": True, "commits": 4}
        self.nightly(report([alert("a", workload="--json=planted", metric="-x $(touch planted)", **confirmed),
                             alert("b", workload="b\n../planted\x1fHEAD\x1fHEAD\x1fw\x1fm", **confirmed),
                             alert("c", at=40, **confirmed, id="../../planted")]))
        with open(self.folder + "/asked") as file:
            asked = [line.split("\0") for line in file.read().split("\n") if line.startswith("bisect")]
        self.assertEqual([words[3:5] for words in asked], [["--workload=--json=planted", "--metric=-x $(touch planted)"]])
        self.assertEqual(self.states(), {"a": "confirmed", "b": "confirmed"})
        self.assertFalse([name for _, folders, names in os.walk(self.folder) for name in names if "planted" in name])

    def test_opens_no_issue_again_that_is_not_listed_yet(self):
        with unittest.mock.patch.object(self.github, "listed", lambda issues: []):
            for _ in range(2):  # a night looks again after its bisections
                self.renew(report([alert("a"), alert("b", at=40)]), "github")
        self.assertEqual(len(self.github.issues), 2)

    def test_finds_its_issue_on_a_later_page(self):
        other = {"title": "x", "body": "by hand", "state": "open", "labels": ["perf-compare"], "user": {"login": "ada"}}
        self.github.issues = [{**other, "number": number + 1} for number in range(130)]
        for _ in range(2):
            self.renew(report([alert("a")]), "github")
            self.assertEqual(len(self.github.issues), 131)

    def test_joins_steps_that_may_be_one_change(self):
        near = [alert("a"), alert("a", at=24, machine="m2", id="b" * 32)]
        other = [alert("a", at=22, id="2" * 32), alert("a", at=40, id="c" * 32), alert("a", metric="peak_rss", id="d" * 32),
                 alert("a", params={"threads": 2}, id="e" * 32), alert("a", kind="slope", id="f" * 32)]
        self.renew(report(near + other[:1]))  # a second step on one machine is another change
        self.assertEqual(len(os.listdir(self.issues)), 2)
        self.renew(report(near + other, night=2))
        self.assertEqual(len(os.listdir(self.issues)), 6)
        with open(self.issues + "/" + near[0]["id"] + ".md") as file:
            text = file.read()
        self.assertIn("`%s`: new, on EPYC\n- alert `%s`: new, on Xeon\n" % (near[0]["id"], "b" * 32), text)

    def test_touches_only_issues_of_its_own(self):
        self.renew(report([alert("a")]), "github")
        forged = dict(self.github.issues[0], number=2, user={"login": "mallory"})
        broken = dict(self.github.issues[0], number=3, body="<!-- perf-compare {\"key\": 1} -->")
        foreign = dict(self.github.issues[0], number=4, body="edited by hand")
        pull = dict(self.github.issues[0], number=5, pull_request={})
        for number, text in enumerate(('"alerts": {}', '"alerts": {"a": 1}, "life": []', '"alerts": {"a": {}}')):
            self.github.issues.append(dict(foreign, number=6 + number, body='<!-- perf-compare {"key": "a", %s} -->' % text))
        self.github.issues[0]["body"] = "edited by hand"
        self.github.issues += [forged, broken, foreign, pull]
        before = json.dumps(self.github.issues)
        self.renew(report([]), "github")
        self.assertEqual(json.dumps(self.github.issues), before)

    def test_makes_hostile_text_inert(self):
        hostile = "--> <script> @team #1 [x](http://evil) \u202e `` ``` GH-1\n\n# title\x1f \x00 fixes o/r#2"
        night = report([alert(hostile[:16], workload=hostile, metric=hostile, confirmed=True, decision="fixed"),
                        alert("a", workload=hostile, metric=hostile, confirmed=True)], workloads=[hostile])
        for commit in night["commits"]:
            commit.update(subject=hostile, author=hostile)
        for environment in night["environments"]:
            environment["machine"] = {"cpu_model": hostile}
        self.renew(night, "github")
        self.assertEqual(len(self.github.issues), 1)
        first, _, shown = self.github.issues[0]["body"].partition("\n")
        self.assertTrue(first.count("-->") == 1 and first.endswith("-->"), first)
        for forbidden in ("<script", "@team", "#1", "#2", "](", "://", "GH-1", "```", "\u202e", "\n# "):
            self.assertNotIn(forbidden, self.github.issues[0]["title"] + shown)
        self.assertEqual(self.record(self.github.issues[0]["body"])["workload"], hostile)
        self.renew(night, "github")
        self.assertEqual(len(self.github.issues), 1, "its record is read again")

    def test_lists_as_many_as_fit(self):
        many = [alert("m%04d" % number, workload="w" * 150 + str(number)) for number in range(1500)]
        self.renew(report(many), "github")
        listed = next(issue for issue in self.github.issues if self.record(issue["body"])["key"] == "list")
        self.assertIn("and 1395 more", listed["body"])
        self.assertLess(len(listed["body"]), 65536)

    def test_reports_what_it_cannot_do(self):
        self.renew(report([alert("a")]), "github")
        self.github.fails = True
        self.assertIn("error: cannot read the issues: github\n", self.renew(None, "github", code=3).stderr)
        self.write("reports/trend.json", "{}")
        self.assertIn("error: not a report of trend", self.renew(None, code=3).stderr)
        os.remove(self.folder + "/reports/trend.json")
        self.assertIn("error: cannot read reports/trend.json", self.renew(None, code=3).stderr)
        self.assertIn("error: unknown option: --x\nhint: see ci/issues --help\n", self.renew(None, None, "--x", code=2).stderr)
        self.write("issues", "a file")
        self.renew(report([alert("a")]), code=3)


if __name__ == "__main__":
    unittest.main()
