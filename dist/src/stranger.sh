#!/bin/sh
# Puts the library into a repository that has nothing of it, by the README's own command, and builds and runs somebody
# else's project with it: `stranger.sh SOURCES REPOSITORY VERSION JAVA_HOME`. Nothing is written to that repository; a copy of
# links stands in for it. Says what failed and ends with 1.
set -u

sources=$1
repository=$2
version=$3
export JAVA_HOME="$4"
place=$(mktemp -d -p "$(dirname "$repository")" flyball-stranger.XXXXXX)
trap 'rm -rf "$place"' EXIT
mvn=${MAVEN_HOME:+$MAVEN_HOME/bin/}mvn

fail() {
  printf 'dist: %s\n' "$1" >&2
  [ ! -r "$place/log" ] || tail -20 "$place/log" >&2
  exit 1
}

cp -al "$repository" "$place/repository" 2> "$place/log" || fail 'the local repository cannot be copied'
rm -rf "$place/repository/dev/flyball"
mkdir "$place/sources" "$place/project"
(cd "$sources" && tar cf - --exclude=target --exclude=.git .) | (cd "$place/sources" && tar xf -)

command=$(sed -n 's/.*`mvn \(-Dquick [^`]*install\)`.*/\1/p' "$sources/README.md")
[ -n "$command" ] || fail 'the README does not say how to install the library'
# shellcheck disable=SC2086
(cd "$place/sources" && "$mvn" -q -B "-Dmaven.repo.local=$place/repository" $command) > "$place/log" 2>&1 ||
  fail "\`mvn $command\` failed"
for kind in '' -sources -javadoc; do
  for module in scheduler llm; do
    jar=$place/repository/dev/flyball/flyball-$module/$version/flyball-$module-$version$kind.jar
    [ -r "$jar" ] || fail "there is no $jar"
  done
done

cat > "$place/project/pom.xml" << EOF
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>stranger</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>21</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>dev.flyball</groupId>
        <artifactId>flyball-bom</artifactId>
        <version>$version</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
    </dependencies>
  </dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>dev.flyball</groupId>
      <artifactId>flyball-llm</artifactId>
    </dependency>
  </dependencies>
  <build>
    <pluginManagement>
      <plugins>
$(for plugin in compiler resources dependency; do
  sed -n "/<artifactId>maven-$plugin-plugin</{n;s/.*<version>\(.*\)<.*/<plugin><artifactId>maven-$plugin-plugin<\/artifactId><version>\1<\/version><\/plugin>/p;q}" \
    "$sources/pom.xml"
done)
      </plugins>
    </pluginManagement>
  </build>
</project>
EOF
mkdir -p "$place/project/src/main/java"
cat > "$place/project/src/main/java/Stranger.java" << 'EOF'
import dev.flyball.call.*;
import dev.flyball.client.ChatRequest;
import dev.flyball.scheduler.Flyball;

class Stranger {
  public static void main(String[] args) throws InterruptedException {
    var request = ChatRequest.of("gpt-5.4", "Count to three.").maxTokens(50);
    try (var flyball = Flyball.create()) {
      Work<String> work = attempt -> Reply.answered("Hello, " + request.model(), Usage.of(1, 1));
      System.out.println(flyball.answer(Call.to(LaneId.of("openai", "gpt-5.4")), work));
    }
  }
}
EOF
(cd "$place/project" && "$mvn" -q -B "-Dmaven.repo.local=$place/repository" compile \
  dependency:build-classpath -Dmdep.outputFile=classpath) > "$place/log" 2>&1 || fail "a stranger's project does not build"
said=$("$JAVA_HOME/bin/java" -cp "$place/project/target/classes:$(cat "$place/project/classpath")" Stranger 2>&1)
[ "$said" = 'Hello, gpt-5.4' ] || fail "a stranger's program said: $said"
printf "dist: a stranger's project was built with %s\n" "$version"
