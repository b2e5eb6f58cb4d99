#!/bin/sh
# Tries what `mvn -Pdist package` made, as a stranger would: `try.sh TARGET VERSION JAVA_HOME`. Unpacks it into an empty
# folder and uses nothing but that and a Java. Says what failed and ends with 1.
set -u

target=$1
version=$2
java=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export HOME="$place/home" JAVA_HOME="$java" FLYBALL_NO_ARCHIVE=
unset XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_HOME FLYBALL_STATE 2> /dev/null
mkdir "$HOME"

fail() {
  printf 'dist: %s\n' "$1" >&2
  exit 1
}

lines() {
  wc -l < "$1" | tr -d ' '
}

cd "$place" || exit 1
tar xzf "$target/flyball-$version.tar.gz" || fail 'the archive cannot be unpacked'
house=$place/flyball-$version
flyball=$house/bin/flyball

"$flyball" --version | grep -q "^flyball $version " || fail 'there is no version'
"$flyball" --help | grep -q '^Usage: flyball COMMAND' || fail 'there is no help'

# The first command, killed in the middle, and the same again.
"$flyball" batch "$house/examples/questions.jsonl" --provider simulated -o answers.jsonl --progress none 2> errors.txt &
run=$!
while [ ! -s answers.jsonl ] && kill -0 $run 2> /dev/null; do
  sleep 0.1
done
kill -9 $run
wait $run 2> /dev/null
before=$(lines answers.jsonl)
[ "$before" -ge 1 ] && [ "$before" -lt 60 ] || fail "a killed run left $before answers: $(cat errors.txt)"
"$flyball" batch "$house/examples/questions.jsonl" --provider simulated --profile unlimited -o answers.jsonl --progress none ||
  fail 'the same command again did not end well'
[ "$(lines answers.jsonl)" = 60 ] || fail "$(lines answers.jsonl) of 60 answers after resuming"

# A review.
mkdir code
printf 'class A {\n  void a() {\n    System.gc();\n  }\n}\n' > code/A.java
"$flyball" review code > review.txt 2> errors.txt || fail "a review failed: $(cat errors.txt)"
grep -q 'A.java:3' review.txt || fail 'a review did not see what is there'

# The archive of classes is made beside the first start, and a moved folder gets its own.
for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
  [ "$(ls "$HOME"/.cache/flyball/*.jsa 2> /dev/null | wc -l)" -eq 1 ] && break
  sleep 5
done
[ "$(ls "$HOME"/.cache/flyball/*.jsa | wc -l)" -eq 1 ] || fail "no class archive after $try looks"
mv "$house" "$place/moved here"
house="$place/moved here"
"$house/bin/flyball" --version > /dev/null || fail 'a moved folder does not start'
ln -s "$house/bin/flyball" linked
./linked --version > /dev/null || fail 'a link to the launcher does not start'

# One jar, with nothing beside it.
mkdir alone
cp "$target/flyball.jar" alone/
(cd alone && "$java/bin/java" -jar flyball.jar batch "$house/examples/questions.jsonl" --provider simulated \
  --profile unlimited -o answers.jsonl --progress none) || fail 'the one jar did not run a batch'
[ "$(lines alone/answers.jsonl)" = 60 ] || fail 'the one jar lost answers'
(cd alone && "$java/bin/java" -jar flyball.jar review ../code) > review2.txt 2> /dev/null || fail 'the one jar did not review'
cmp -s review.txt review2.txt || fail 'the one jar reviews otherwise'

# The launcher for Windows: its lines end as they must there, and its blocks are closed.
mkdir zip
(cd zip && "$java/bin/jar" xf "$target/flyball-$version.zip") || fail 'the zip cannot be unpacked'
cmd=zip/flyball-$version/bin/flyball.cmd
[ "$(grep -c "$(printf '\r')\$" "$cmd")" = "$(lines "$cmd")" ] || fail 'flyball.cmd has lines that end otherwise'
[ "$(tr -cd '(' < "$cmd" | wc -c)" = "$(tr -cd ')' < "$cmd" | wc -c)" ] || fail 'flyball.cmd has an open block'
[ "$(tr -cd '"' < "$cmd" | wc -c | awk '{ print $1 % 2 }')" = 0 ] || fail 'flyball.cmd has an open quotation'
[ -r "zip/flyball-$version/lib/flyball-cli-$version.jar" ] || fail 'the zip has no jars'
[ -r "zip/flyball-$version/THIRD-PARTY.txt" ] || fail 'the zip has no licences'

"$flyball" --version > /dev/null 2>&1 && fail 'the old place still starts'
printf 'dist: the archives and the jar were tried: %s\n' "$version"
exit 0
