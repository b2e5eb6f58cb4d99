"""Says how many functions, counted by another tool, a plan asks about.

Usage: covered.py PLAN.json FUNCTIONS; a line of FUNCTIONS is "path:line". A function is asked about if a symbol of the lens
correctness has its line, or if the code outside of symbols is asked about where it stands; it is named if its file is skipped.
"""
import json
import sys

plan = json.load(open(sys.argv[1]))
skipped = {each["path"]: each["reason"] for each in plan["skipped"]}
parts = {}
for unit in plan["units"]:
    if unit["lenses"] == ["correctness"]:
        for file in unit["files"]:
            parts.setdefault(file["path"], []).append(file)
asked = named = missing = 0
for line in open(sys.argv[2]):
    path, number = line.strip().rsplit(":", 1)
    number = int(number)
    found = False
    for part in parts.get(path, []):
        symbols = part.get("symbols", [])
        inside = part["line"] <= number <= part["endLine"]
        found |= inside and any(it["line"] <= number <= it["endLine"] or it["name"] == "(module level)" for it in symbols)
    asked += found
    named += not found and path in skipped
    if not found and path not in skipped:
        missing += 1
        print("missing", path, number)
print(f"{asked} asked about, {named} named as skipped, {missing} neither, of {asked + named + missing}")
