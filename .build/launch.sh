# shellcheck shell=sh disable=SC2034,SC2154
# What ./flyball and bench/run have in common. They set `house`, the folder of the project, and `me`, their name in
# messages, and call `prepare MODULE`: it finds a JDK, builds the module if that is needed, and sets
#   jdk        the folder of the JDK
#   app        the folder of the build
#   classpath  what to run

die() {
  printf '%s: %s\n' "$me" "$1" >&2
  exit 2
}

# Sets `version` to the major version of the JDK in folder $1, or to 0 if there is none.
look_at() {
  version=0
  [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS='=' read -r key value; do
      [ "$key" != JAVA_VERSION ] || version=${value#\"}
    done < "$1/release"
  fi
  if [ "$version" = 0 ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  fi
  version=${version%%[!0-9]*}
  version=${version:-0}
}

# JAVA_HOME or the java on the PATH if they will do, else the newest in the usual folders.
find_jdk() {
  jdk=${JAVA_HOME-}
  look_at "$jdk"
  [ "$version" -lt 21 ] || return 0

  jdk=$(readlink -f "$(command -v java)")
  jdk=${jdk%/bin/java}
  look_at "$jdk"
  # The java in /usr/bin of macOS only stands for one elsewhere.
  [ "$version" -lt 21 ] || [ "$jdk" = /usr ] || return 0

  jdk=
  newest=20
  for folder in /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/*; do
    look_at "$folder"
    if [ "$version" -gt "$newest" ]; then
      newest=$version
      jdk=$folder
    fi
  done
  [ -n "$jdk" ] || die "Flyball needs a JDK 21 or newer, and none was found: \
install one (from adoptium.net, or by your package manager) or point JAVA_HOME at it"
}

# The last build of module $1. Fails if there is none, or if it is not whole any more.
open_app() {
  app=$house/$1/target/app
  [ -r "$app/current" ] || return 1
  read -r id < "$app/current"
  app=$app/$id
  [ -r "$app/libraries" ] || return 1
  IFS= read -r libraries < "$app/libraries"

  classpath=
  for jar in "$app"/*.jar; do
    classpath=$classpath$jar:
  done
  classpath=$classpath$libraries
  # The libraries are in Maven's repository, which may have been cleared since.
  whole=yes
  ifs=$IFS
  IFS=:
  for jar in $libraries; do
    [ -r "$jar" ] || whole=no
  done
  IFS=$ifs
  [ $whole = yes ]
}

# Whether the build in `app` of module $1 is not older than what it was made from.
is_fresh() {
  module=$1
  # Folders are looked at too: a file that is deleted changes the time of its folder.
  set -- "$house/pom.xml" "$house/.mvn"
  for pom in "$house"/*/pom.xml "$house"/*/*/pom.xml; do
    part=${pom%/pom.xml}
    case $module:$part in
      *'*') ;;
      # Worlds, which are among the tests, are measured too.
      bench:*) set -- "$@" "$pom" "$part/src/main" "$part/src/test" ;;
      *:"$house/bench") ;;
      *) set -- "$@" "$pom" "$part/src/main" ;;
    esac
  done
  [ -z "$(find "$@" -newer "$app/started" -print -quit 2> /dev/null)" ]
}

# Says what the build of process `maven` is at, by its log: over one line on a terminal, else a line for each module.
show_progress() {
  begun=$(date +%s)
  last=
  while kill -0 "$maven" 2> /dev/null; do
    at=$(sed -n 's/^\[INFO\] Building Flyball *\(.*\) [^ ][^ ]*  *\[\([0-9]*\)\/\([0-9]*\)\]$/\2 of \3: \1/p' "$log" | tail -1)
    case $at in
      '') at='starting Maven' ;;
    esac
    if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
      spent=$(($(date +%s) - begun))
      printf '\r\033[K%s: building %s, %d:%02d' "$me" "$at" $((spent / 60)) $((spent % 60)) >&2
    elif [ "$at" != "$last" ]; then
      printf '%s: building %s\n' "$me" "$at" >&2
    fi
    last=$at
    sleep 0.2 2> /dev/null || sleep 1
  done
  if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    printf '\r\033[K' >&2
  fi
}

# Builds module $1 into a folder of its own, so that whatever runs meanwhile keeps its jars.
build() {
  target=$house/$1/target
  log=$target/build.log
  command -v mvn > /dev/null || die "Maven builds Flyball on first use, and there is no mvn on the PATH: \
install it (from maven.apache.org, or by your package manager)"
  if [ -r "$target/app/current" ]; then
    why='sources changed'
  else
    why='first use'
  fi
  printf '%s: building (%s)\n' "$me" "$why" >&2

  id=$(date +%Y%m%d-%H%M%S)-$$
  app=$target/app/$id
  mkdir -p "$app" || die "cannot write to $target"
  : > "$app/started"
  case $1 in
    bench) tests=-DskipTests ;;
    *) tests=-Dmaven.test.skip=true ;;
  esac
  : > "$log"
  # The checks that are for contributors are left to them.
  (cd "$house" && JAVA_HOME=$jdk exec mvn -B -Dquick -pl "$1" -am $tests package) > "$log" 2>&1 < /dev/null &
  maven=$!
  trap 'kill $maven 2> /dev/null; rm -rf "$app"; exit 130' INT TERM
  show_progress
  if ! wait "$maven"; then
    trap - INT TERM
    rm -rf "$app"
    sed -n '/^\[ERROR\] -> /q; /^\[WARNING\]/p; /^\[ERROR\]/p' "$log" | head -20 >&2
    die "the build failed; its log is $log"
  fi

  trap - INT TERM

  cp "$target/flyball-$1.jar" "$app/"
  IFS= read -r jars < "$target/classpath" || [ -n "$jars" ] || die "the build left no class path; its log is $log"
  libraries=
  ifs=$IFS
  IFS=:
  for jar in $jars; do
    case $jar in
      "$house"/*) cp "$jar" "$app/" ;;
      *) libraries=$libraries$jar: ;;
    esac
  done
  IFS=$ifs
  printf '%s\n' "${libraries%:}" > "$app/libraries"
  printf '%s\n' "$id" > "$app/current"
  mv "$app/current" "$target/app/current"

  # Something may still run from an older build, though hardly for more than a day.
  find "$target/app" -mindepth 1 -maxdepth 1 -type d -mtime +0 -exec rm -rf {} +
}

# Waits until nobody else builds module $1. The system frees a flock by itself, whatever happens; where there is none,
# a folder has to do.
lock() {
  mkdir -p "$house/$1/target" || die "cannot write to $house/$1"
  lock=$house/$1/target/build.lock
  waiting="$me: waiting for another start that is building..."
  if command -v flock > /dev/null; then
    exec 9> "$lock"
    flock -n 9 || {
      printf '%s\n' "$waiting" >&2
      flock 9
    }
    return
  fi
  lock=$lock.d
  until mkdir "$lock" 2> /dev/null; do
    owner=
    [ ! -r "$lock/owner" ] || read -r owner < "$lock/owner"
    if [ -n "$owner" ] && ! kill -0 "$owner" 2> /dev/null; then
      # Where it cannot be taken away, somebody has to; until then this waits without haste.
      rm -rf "$lock" 2> /dev/null || sleep 1
      continue
    fi
    [ -z "$waiting" ] || printf '%s\n' "$waiting" >&2
    waiting=
    sleep 1
  done
  echo $$ > "$lock/owner"
  trap 'rm -rf "$lock"' EXIT
}

unlock() {
  if [ -d "$lock" ]; then
    rm -rf "$lock"
    trap - EXIT
  else
    exec 9>&-
  fi
}

prepare() {
  find_jdk
  if open_app "$1" && is_fresh "$1"; then
    return
  fi
  lock "$1"
  if ! open_app "$1" || ! is_fresh "$1"; then
    build "$1"
    open_app "$1" || die "the build left nothing to run; its log is $log"
  fi
  unlock
}
