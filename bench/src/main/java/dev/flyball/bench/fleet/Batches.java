package dev.flyball.bench.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.bench.wire.Command;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Some real processes of {@code flyball batch} with one key, each with its part of the calls. */
final class Batches implements AutoCloseable {
  private final Path folder;
  private final URI account;
  private final String fleet;
  private final List<Process> processes = new ArrayList<>();

  Batches(Path folder, URI account, String fleet, int processes, int calls) throws IOException {
    this.folder = folder;
    this.account = account;
    this.fleet = fleet;
    for (int i = 0; i < processes; i++) {
      Files.createDirectories(place(i));
      var lines = new ArrayList<String>();
      for (int call = i; call < calls; call += processes) {
        lines.add(line(call));
      }
      Files.write(place(i).resolve("in.jsonl"), lines);
    }
    for (int i = 0; i < processes; i++) {
      this.processes.add(start(i));
    }
  }

  private static String line(int call) {
    return """
    {"custom_id":"call-%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-5.4",\
    "max_tokens":50,"messages":[{"role":"user","content":"Question %d?"}]}}\
    """
        .formatted(call, call);
  }

  private Path place(int number) {
    return folder.resolve("p" + number);
  }

  private Process start(int number) throws IOException {
    return new Command(place(number))
        .start(
            Map.of("XDG_STATE_HOME", folder.resolve("state").toString()),
            "batch",
            "in.jsonl",
            "-o",
            "out.jsonl",
            "--base-url",
            account.toString(),
            "--progress",
            "none",
            "--fleet",
            fleet);
  }

  /** How often it was started again. */
  private int restarts;

  int restarts() {
    return restarts;
  }

  /** Kills one, as kill -9 does, and starts it again; does nothing if it has ended. */
  boolean killAndStart(int number) throws IOException, InterruptedException {
    var process = processes.get(number);
    if (!process.isAlive()) {
      return false;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    processes.set(number, start(number));
    restarts++;
    return true;
  }

  int count() {
    return processes.size();
  }

  boolean running() {
    return processes.stream().anyMatch(Process::isAlive);
  }

  /** Waits until all have ended; says what those did not like that ended badly. */
  List<String> complaints() throws IOException, InterruptedException {
    var complaints = new ArrayList<String>();
    for (int i = 0; i < processes.size(); i++) {
      int exit = processes.get(i).waitFor();
      if (exit != 0) {
        complaints.add("process " + i + " ended with " + exit + ": " + said(i));
      }
    }
    return complaints;
  }

  private String said(int number) throws IOException {
    return new Command(place(number)).said().strip();
  }

  /** What they said of the fleet. */
  List<String> news() throws IOException {
    var news = new ArrayList<String>();
    for (int i = 0; i < processes.size(); i++) {
      said(i).lines().filter(line -> line.contains("share")).forEach(news::add);
    }
    return news;
  }

  /** How often each line is in an output. */
  Map<String, Integer> recorded() throws IOException {
    var recorded = new HashMap<String, Integer>();
    var json = new ObjectMapper();
    for (int i = 0; i < processes.size(); i++) {
      for (var line : Files.readAllLines(place(i).resolve("out.jsonl"))) {
        recorded.merge(json.readTree(line).path("custom_id").asText(), 1, Integer::sum);
      }
    }
    return recorded;
  }

  @Override
  public void close() {
    processes.forEach(
        process -> {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        });
  }
}
