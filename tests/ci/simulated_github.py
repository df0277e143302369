"""A GitHub for tests: the part of its API that the recipes use, by HTTP on the loopback interface,
and a `gh` that talks to it. Every request is kept, with the token that it came with."""

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
WRITE, READ = "token-that-may-write", "token-that-may-read"
PAGE = 100

GH = """#!%s -SE
# gh api [--method M] [--paginate] PATH [--jq FILTER] [-f NAME=TEXT] [-F body=@FILE] [--input FILE] [--silent]
import json, os, subprocess, sys, urllib.error, urllib.request
arguments, options, fields = sys.argv[2:], {}, {}
while arguments:
    word = arguments.pop(0)
    if word in ("--method", "--jq", "--input"):
        options[word] = arguments.pop(0)
    elif word in ("-f", "-F"):
        name, value = arguments.pop(0).split("=", 1)
        fields[name] = open(value[1:]).read() if word == "-F" and value[0] == "@" else value
    elif word in ("--paginate", "--silent"):
        options[word] = ""
    else:
        options["path"] = word
data = open(options["--input"], "rb").read() if "--input" in options else json.dumps(fields).encode()
url = os.environ["SIMULATED_GITHUB"] + "/" + options["path"]
while url:
    request = urllib.request.Request(url, method=options.get("--method", "GET"))
    request.add_header("Authorization", "Bearer " + os.environ.get("GH_TOKEN", ""))
    if request.method != "GET":
        request.data = data
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        print(error.read().decode())
        sys.exit("gh: HTTP %%d" %% error.code)
    content, link = answer.read(), answer.headers.get("Link", "")
    url = link.split(">")[0][1:] if "--paginate" in options and link else ""
    if "--silent" in options:
        continue
    if "--jq" in options:
        subprocess.run(["jq", "-r", options["--jq"]], input=content, check=True)
    else:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
""" % sys.executable


class Refused(Exception):
    pass


class SimulatedGitHub:
    """`pulls`, `runs`, `artifacts` by number; `comments`, `issues`, `reactions`: lists; `asked`: requests."""

    def __init__(self, folder):
        self.pulls, self.runs, self.artifacts = {}, {}, {}
        self.comments, self.issues, self.reactions, self.asked = [], [], [], []
        self.fails = False  # for every request, as in an outage
        self.folder = folder
        with open(folder + "/gh", "w") as file:
            file.write(GH)
        os.chmod(folder + "/gh", 0o755)
        github = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do(self):
                github.handle(self)

            do_GET = do_POST = do_PATCH = do

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = "http://127.0.0.1:%d" % self.server.server_port

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, request):
        length = int(request.headers.get("Content-Length") or 0)
        body = json.loads(request.rfile.read(length) or b"{}") if length else {}
        token = request.headers.get("Authorization", "").split(" ")[-1]
        path, _, query = request.path.partition("?")
        self.asked.append((request.command, request.path, token, body))
        code, answer, link = 200, None, ""
        try:
            if self.fails:
                raise Refused(503)
            if token not in (WRITE, READ):
                raise Refused(401)
            if request.command != "GET" and token != WRITE:
                raise Refused(403)
            answer = self.answer(request.command, path, query, body)
        except Refused as refused:
            code, answer = refused.args[0], {"message": "refused"}
        if isinstance(answer, list) and request.command == "GET":
            page = int((re.search(r"[?&]page=(\d+)", "?" + query) or [0, 1])[1])
            if len(answer) > page * PAGE:
                rest = "&".join(part for part in query.split("&") if not part.startswith("page="))
                link = "<%s%s?%s&page=%d>; rel=\"next\"" % (self.url, path, rest, page + 1)
            answer = answer[(page - 1) * PAGE:page * PAGE]
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        request.send_response(code)
        if link:
            request.send_header("Link", link)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def listed(self, issues):
        return issues

    def answer(self, method, path, query, body):
        def at(pattern):
            found = re.fullmatch("/repos/o/r/" + pattern, path)
            return method, found and int(found[1]) if found and found.groups() else bool(found)

        def known(table, key):
            if key not in table:
                raise Refused(404)
            return table[key]

        for pattern, table in (("pulls/([0-9]+)", self.pulls), ("actions/runs/([0-9]+)", self.runs)):
            if at(pattern)[1]:
                return known(table, at(pattern)[1])
        run = at("actions/runs/([0-9]+)/artifacts")[1]
        if run:
            size = len(self.artifacts.get(run, b""))
            return {"artifacts": [{"id": run, "size_in_bytes": size, "expired": False}] if size else []}
        if at("actions/artifacts/([0-9]+)/zip")[1]:
            return known(self.artifacts, at("actions/artifacts/([0-9]+)/zip")[1])
        number = at("issues/comments/([0-9]+)/reactions")[1]
        if number and method == "POST":
            self.reactions.append((number, body["content"]))
            return {}
        number = at("issues/([0-9]+)/comments")[1]
        if number and method == "POST":
            self.comments.append({"id": len(self.comments) + 1, "issue": number, "body": body["body"],
                                  "user": {"login": "github-actions[bot]"}})
            return self.comments[-1]
        if number:
            return [comment for comment in self.comments if comment["issue"] == number]
        number = at("issues/comments/([0-9]+)")[1]
        if number and method == "PATCH":
            self.comments[number - 1].update(body)
            return self.comments[number - 1]
        if at("issues")[1] and method == "POST":
            self.issues.append({"number": len(self.issues) + 1, "state": "open", "user": {"login": "github-actions[bot]"},
                                **body})
            return self.issues[-1]
        if at("issues")[1]:
            label = re.search("labels=([a-z-]+)", query)
            return self.listed([issue for issue in self.issues if not label or label[1] in issue.get("labels", [])])
        number = at("issues/([0-9]+)")[1]
        if number and method == "PATCH":
            self.issues[number - 1].update(body)
            return self.issues[number - 1]
        raise Refused(404)

    def run(self, command, token=WRITE, cwd=None, **variables):
        """Runs a command that finds this GitHub, with a token in its environment or none."""
        environment = {"PATH": self.folder + ":" + os.environ["PATH"], "TMPDIR": self.folder,
                       "SIMULATED_GITHUB": self.url, "GITHUB_REPOSITORY": "o/r", "HOME": self.folder}
        if token:
            environment["GH_TOKEN"] = token
        environment.update(variables)
        return subprocess.run(command, env=environment, cwd=cwd or self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace")


def missing_programs(*names):
    return [name for name in names if not shutil.which(name)]
