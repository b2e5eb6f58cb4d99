package dev.flyball.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The findings of a program: a page of sentences and tables, to be read on a screen or kept. */
final class BenchReport {
  private static final Pattern NUMBER = Pattern.compile("[-±\\d.,/ %]+( [a-zA-Z]+)?");

  private final String title;
  private final StringBuilder page = new StringBuilder();

  BenchReport(String title) {
    this.title = title;
  }

  BenchReport say(String sentences) {
    page.append(sentences).append("\n\n");
    return this;
  }

  /** Columns are as wide as they need to be; those of numbers are aligned to the right. */
  BenchReport table(List<String> head, List<List<String>> rows) {
    var all = new ArrayList<List<String>>();
    all.add(head);
    all.addAll(rows);
    int[] width = new int[head.size()];
    boolean[] numbers = new boolean[head.size()];
    for (int i = 0; i < width.length; i++) {
      int column = i;
      width[i] = all.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      numbers[i] = rows.stream().allMatch(row -> NUMBER.matcher(row.get(column)).matches());
    }
    line(head, width, numbers);
    for (int i = 0; i < width.length; i++) {
      page.append('|').append("-".repeat(width[i] + 1)).append(numbers[i] ? ':' : '-');
    }
    page.append("|\n");
    rows.forEach(row -> line(row, width, numbers));
    page.append('\n');
    return this;
  }

  private void line(List<String> cells, int[] width, boolean[] numbers) {
    for (int i = 0; i < width.length; i++) {
      page.append(String.format("| %" + (numbers[i] ? "" : "-") + width[i] + "s ", cells.get(i)));
    }
    page.append("|\n");
  }

  void save(String program) throws IOException {
    var folder = Path.of(System.getProperty("flyball.results", "bench/results"));
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(program + ".md"), this.toString());
  }

  @Override
  public String toString() {
    return String.format(
        "# %s%n%n%s; %d cores, JDK %s, %s %s.%n%n%s",
        title,
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        page.toString().stripTrailing() + "\n");
  }
}
