package dev.flyball.llm.token;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.flyball.call.Usage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The counter of the tokens that prompts will be.
 *
 * <p>A first count comes from the model's own encoding where it is public, for Claude from one that
 * is like its own, else from the number of characters. Every reply says what it really was, so each
 * model has a factor between the two that follows the truth, and the error that the estimates still
 * have is known. No text takes more than about n log n, however odd it is.
 */
public final class TokenCounter {
  /** The correction that was learned for one model's tokens. */
  public record Learned(double factor, double error, long samples) {
    static final Learned NOTHING = new Learned(1, 0, 0);

    /** What makes no sense, in a file that somebody edited, is never believed. */
    boolean sane() {
      return factor > 0.05 && factor < 20 && error >= 0 && error < 100 && samples > 0;
    }
  }

  /**
   * The first count of a prompt, and what that is thought to be in tokens.
   *
   * @param name the model, and its encoding if it was counted by that
   * @param plain what its characters alone suggest
   */
  public record Count(String name, double first, double plain, long tokens) {}

  private static final Pattern O200K =
      Pattern.compile("gpt-4o|gpt-4\\.|gpt-5|gpt-6|gpt-oss-|chatgpt-|o[1-9](-|$)|codex-");
  private static final Pattern CL100K = Pattern.compile("gpt-4|gpt-3\\.5|text-embedding-");
  private static final Map<EncodingType, CompletableFuture<Encoding>> LOADING =
      new ConcurrentHashMap<>();
  private static final Pattern CLAUDE = Pattern.compile("(.*[/.])?claude-");

  /** Those who compared found a fifth to a third more than in OpenAI's encodings. */
  private static final double OF_CLAUDE = 1.25;

  private static final int CHARACTERS_A_TOKEN = 4;
  private static final int MOST_KEPT = 4_096;
  private static final double TOKENS_A_BYTE = 0.25;
  private static final String BY_BYTES = " (bytes)";
  private static final int TOKENS_AN_IMAGE = 1_500;
  private static final int TOKENS_AROUND = 8;
  private static final double UNIT = 1e9;
  private static final int TRIED = 10;
  private static final double SLOWEST = 0.05;
  private static final double LEAST_FACTOR = 0.1;
  private static final double MOST_FACTOR = 10;

  private final ConcurrentHashMap<String, Learned> learned = new ConcurrentHashMap<>();
  private final CountCache counts = new CountCache(MOST_KEPT);

  /** Starts with what an earlier run has learned. */
  public TokenCounter(Map<String, Learned> earlier) {
    earlier.forEach(
        (model, known) -> {
          if (known.sane()) {
            learned.put(model, known);
          }
        });
  }

  /**
   * How many input tokens a prompt will be counted as, to the best of what is known at once: until
   * an encoding is loaded, its characters will do.
   */
  public Count estimate(PromptSize prompt) {
    return count(prompt, encodingOf(prompt.model()).flatMap(TokenCounter::loaded));
  }

  /** The same, exactly rather than at once: it waits until the encoding is loaded. */
  public Count count(PromptSize prompt) {
    return count(prompt, encodingOf(prompt.model()).map(type -> loading(type).join()));
  }

  /**
   * The same by the number of bytes alone, for those who have no time to read them: what a byte is
   * to a model, replies say. Neither pictures nor files are text.
   */
  public Count estimate(String model, long textBytes, int images) {
    double first = TOKENS_AROUND + (double) images * TOKENS_AN_IMAGE + textBytes * TOKENS_A_BYTE;
    return corrected(model + BY_BYTES, model, first, first);
  }

  /** How many tokens a text is to a model; it waits until the encoding is loaded. */
  public Count count(String model, String text) {
    var encoding = encodingOf(model).map(type -> loading(type).join());
    return corrected(model, encoding, first(model, text, encoding), characters(text));
  }

  /** How texts are counted for a model at first: all models of one way count the same. */
  public static String way(String model) {
    return encodingOf(model).map(EncodingType::getName).orElse("characters")
        + (isClaude(model) ? " of Claude" : "");
  }

  /**
   * The factor from first counts to a model's tokens, by what has been learned so far.
   *
   * @param factor of what was counted, or of what its characters suggest
   */
  public record Scale(double factor, boolean byCharacters) {
    /** Of a text that was counted before. */
    public long tokens(double first, int characters) {
      double base = byCharacters ? Math.ceilDiv(characters, CHARACTERS_A_TOKEN) : first;
      return Math.max(1, Math.round(base * factor));
    }
  }

  /** For many texts at once, whose first counts are known. */
  public Scale scale(String model) {
    var name = named(model, encodingOf(model).map(EncodingType::getName));
    var counted = corrected(name, model, UNIT, 0);
    var guessed = corrected(name, model, 0, UNIT);
    return guessed.tokens() > counted.tokens()
        ? new Scale(guessed.tokens() / UNIT, true)
        : new Scale(counted.tokens() / UNIT, false);
  }

  private Count count(PromptSize prompt, Optional<Encoding> encoding) {
    var model = prompt.model();
    double first = TOKENS_AROUND + (double) prompt.images() * TOKENS_AN_IMAGE;
    double plain = first;
    for (var piece : prompt.pieces()) {
      first += first(model, piece, encoding);
      plain += characters(piece);
    }
    return corrected(model, encoding, first, plain);
  }

  private double first(String model, String text, Optional<Encoding> encoding) {
    return encoding
        .map(each -> counts.of(text, each) * (isClaude(model) ? OF_CLAUDE : 1))
        .orElseGet(() -> characters(text));
  }

  private static double characters(String text) {
    return Math.ceilDiv(text.length(), CHARACTERS_A_TOKEN);
  }

  /** An encoding is believed, unless only the characters have been held against the truth. */
  private Count corrected(String model, Optional<Encoding> encoding, double first, double plain) {
    return corrected(named(model, encoding.map(Encoding::getName)), model, first, plain);
  }

  private static String named(String model, Optional<String> encoding) {
    return model + encoding.map(each -> " (" + each + ")").orElse("");
  }

  private Count corrected(String name, String model, double first, double plain) {
    var byEncoding = learned.getOrDefault(name, Learned.NOTHING);
    var byCharacters = learned.getOrDefault(model, Learned.NOTHING);
    boolean untried = byEncoding.samples() < TRIED && byCharacters.samples() >= TRIED;
    double tokens = untried ? plain * byCharacters.factor() : first * byEncoding.factor();
    return new Count(name, first, plain, Math.max(1, Math.round(tokens)));
  }

  private static boolean isClaude(String model) {
    return CLAUDE.matcher(model).lookingAt();
  }

  /** Takes in what a prompt really was. */
  public void learn(Count count, Usage usage) {
    double real = (double) usage.input() + usage.cacheRead() + usage.cacheWrite();
    if (real <= 0) {
      return;
    }
    learn(count.name(), real / count.first());
    var model = count.name().replaceFirst(" \\(.*", "");
    if (!model.equals(count.name())) {
      learn(model, real / count.plain());
    }
  }

  private void learn(String counted, double found) {
    // One absurd usage may pull a little, and not undo all that was learned.
    double ratio = Math.clamp(found, LEAST_FACTOR, MOST_FACTOR);
    learned.compute(
        counted,
        (name, old) -> {
          var known = old == null ? Learned.NOTHING : old;
          double weight = Math.max(SLOWEST, 1.0 / (known.samples() + 1));
          double missed = Math.abs(known.factor() - ratio) / ratio;
          double factor = known.factor() + weight * (ratio - known.factor());
          double error = known.error() + weight * (missed - known.error());
          return new Learned(factor, error, known.samples() + 1);
        });
  }

  public Map<String, Learned> learned() {
    return Map.copyOf(learned);
  }

  /** Loading takes a second, in which nobody who sends should wait. */
  private static Optional<Encoding> loaded(EncodingType type) {
    var encoding = loading(type);
    return encoding.isDone() ? Optional.of(encoding.join()) : Optional.empty();
  }

  private static CompletableFuture<Encoding> loading(EncodingType type) {
    return LOADING.computeIfAbsent(
        type,
        name -> {
          var encoding = new CompletableFuture<Encoding>();
          Thread.ofPlatform()
              .daemon()
              .name("flyball-encoding")
              .start(
                  () -> encoding.complete(Encodings.newLazyEncodingRegistry().getEncoding(name)));
          return encoding;
        });
  }

  private static Optional<EncodingType> encodingOf(String model) {
    var bare = model.substring(model.lastIndexOf('/') + 1);
    if (O200K.matcher(bare).lookingAt()) {
      return Optional.of(EncodingType.O200K_BASE);
    }
    return isClaude(model) || CL100K.matcher(bare).lookingAt()
        ? Optional.of(EncodingType.CL100K_BASE)
        : Optional.empty();
  }
}
