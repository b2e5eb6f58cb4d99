package dev.flyball.review.select;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/** The machine as JGit sees it: no settings of anybody, and none of the variables of Git. */
final class IsolatedSystemReader extends SystemReader.Delegate {
  private IsolatedSystemReader(SystemReader machine) {
    super(machine);
  }

  /** JGit has one machine for a whole process. */
  static void install() {
    var machine = SystemReader.getInstance();
    if (!(machine instanceof IsolatedSystemReader)) {
      SystemReader.setInstance(new IsolatedSystemReader(machine));
    }
  }

  @Override
  public @Nullable String getenv(String variable) {
    return variable.startsWith("GIT_") ? null : super.getenv(variable);
  }

  @Override
  public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  private static final class Empty extends FileBasedConfig {
    private static final Duration GRAIN = Duration.ofSeconds(2);

    Empty(@Nullable Config parent, FS fs) {
      super(parent, new java.io.File("none"), fs);
    }

    @Override
    public void load() {}

    @Override
    public void save() {}

    /**
     * Asked for the grain of a disk's times, which is else measured by writing beside the files.
     */
    @Override
    public long getTimeUnit(
        String section, @Nullable String of, String name, long otherwise, TimeUnit unit) {
      return section.equals("filesystem")
          ? unit.convert(GRAIN)
          : super.getTimeUnit(section, of, name, otherwise, unit);
    }

    @Override
    public boolean isOutdated() {
      return false;
    }
  }
}
