"""Forecasts of reviews, each made before the review began, and what became of them.

Usage: forecast.py REPOSITORY [SEED [COUNT [COMMITS]]]; the command is ./flyball of the working folder, or what FLYBALL names. Of the last
400 commits of a repository fifteen (COUNT) are drawn that change one to twenty files of source, each with the COMMITS - 1 before it (none): up
to COMMITS times as many files; each change is forecast (review --plan) and then reviewed through the simulator (600 ms + 8 ms a token, varied
by 0.3), with one history. The first five only teach.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

repository = os.path.abspath(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 17
count = int(sys.argv[3]) if len(sys.argv) > 3 else 15
commits = int(sys.argv[4]) if len(sys.argv) > 4 else 1
flyball = os.environ.get("FLYBALL", os.path.abspath("flyball"))
source = (".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".c", ".cc", ".cs")


def git(*arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True, check=True).stdout


def changes():
    found = []
    for commit in git("log", "--no-merges", "--format=%H", "-400").split():
        try:
            changed = git("diff", "--numstat", f"{commit}~{commits}", commit)
        except subprocess.CalledProcessError:
            continue
        files = [line for line in changed.splitlines() if line.endswith(source)]
        lines = sum(int(line.split("\t")[0]) for line in files if line[0] != "-")
        if 1 <= len(files) <= 20 * commits and lines >= 10:
            found.append(commit)
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    return drawn


def off(said, was):
    return said / was - 1 if was else 0.0


def run(place, *arguments):
    environment = dict(os.environ, XDG_STATE_HOME=place + "/state", FLYBALL_STATE=place + "/state")
    done = subprocess.run([flyball, "review", *arguments, "--base-url", address, "--model", "claude-sonnet-4-5", "--fast-model",
                           "claude-haiku-4-5", "--format", "json", "--progress", "none"], cwd=repository, env=environment,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout)


place = tempfile.mkdtemp()
port = 18800 + os.getpid() % 100
address = f"http://127.0.0.1:{port}"
simulator = subprocess.Popen([flyball, "simulate", "--profile", "unlimited", "--latency", "600ms+8ms~0.3", "--answers", "review",
                              "--seed", str(seed), "--port", str(port)], stdout=subprocess.DEVNULL)
try:
    time.sleep(3)
    kept = {"time": 0, "tokens": 0, "cost": 0, "p90": 0, "spread": 0}
    print("| run | commit | time | tokens | cost | within p90 | p50 < p90 |\n|---|---|---|---|---|---|---|")
    for number, commit in enumerate(changes(), 1):
        change = f"{commit}~{commits}..{commit}"
        plan = run(place, "--plan", "--diff", change)
        review = run(place, "--diff", change)
        said = plan["time"]["forecastSeconds"]
        usage = review["usage"]
        errors = {
            "time": off(said["p50"], usage["durationMs"] / 1000),
            "tokens": off(plan["inputTokens"] + plan["outputTokens"], usage["usedTokens"]),
            "cost": off(float(plan["consumptionUsd"]), float(usage["costUsd"])),
        }
        held, spread = usage["durationMs"] / 1000 <= said["p90"], said["p50"] < said["p90"]
        if number > 5:
            for name, error in errors.items():
                kept[name] += abs(error) <= 0.25
            kept["p90"] += held
            kept["spread"] += spread
        shown = " | ".join(f"{100 * error:+.0f} %" for error in errors.values())
        print(f"| {number} | {commit[:8]} | {shown} | {'yes' if held else 'no'} | {'yes' if spread else 'no'} |", flush=True)
    print("of the last ten: " + ", ".join(f"{name} {count}" for name, count in kept.items()))
finally:
    simulator.terminate()
