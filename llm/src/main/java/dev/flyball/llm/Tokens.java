package dev.flyball.llm;

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
 * How many tokens prompts will be.
 *
 * <p>A first count comes from the model's own encoding where it is public, else from the number of
 * characters. Every reply says what it really was, so each model has a factor between the two that
 * follows the truth, and the error that the estimates still have is known.
 */
public final class Tokens {
  /** What was learned of one model's tokens. */
  public record Learned(double factor, double error, long samples) {
    static final Learned NOTHING = new Learned(1, 0, 0);

    /** What makes no sense, in a file that somebody edited, is never believed. */
    boolean sane() {
      return factor > 0.05 && factor < 20 && error >= 0 && error < 100 && samples > 0;
    }
  }

  /**
   * What a prompt was counted as, and what that is thought to be in tokens.
   *
   * @param name the model, and its encoding if it was counted by that
   */
  public record Count(String name, double first, long tokens) {}

  private static final Pattern O200K =
      Pattern.compile("gpt-4o|gpt-4\\.|gpt-5|gpt-6|chatgpt-|o[1-9](-|$)|codex-");
  private static final Pattern CL100K = Pattern.compile("gpt-4|gpt-3\\.5|text-embedding-");
  private static final Map<EncodingType, CompletableFuture<Encoding>> LOADING =
      new ConcurrentHashMap<>();
  private static final double CHARACTERS_A_TOKEN = 4;
  private static final double CHARACTERS_A_TOKEN_OF_CLAUDE = 3.5;
  private static final int TOKENS_AN_IMAGE = 1_500;
  private static final int TOKENS_AROUND = 8;
  private static final double SLOWEST = 0.05;
  private static final double LEAST_FACTOR = 0.1;
  private static final double MOST_FACTOR = 10;

  private final ConcurrentHashMap<String, Learned> learned = new ConcurrentHashMap<>();

  /** Starts with what an earlier run has learned. */
  public Tokens(Map<String, Learned> earlier) {
    earlier.forEach(
        (model, known) -> {
          if (known.sane()) {
            learned.put(model, known);
          }
        });
  }

  /** How many input tokens a prompt will be counted as, to the best of what is known. */
  public Count estimate(Prompt prompt) {
    var encoding = encoding(prompt.model());
    var name = prompt.model() + encoding.map(each -> " (" + each.getName() + ")").orElse("");
    double counted =
        encoding
            .map(each -> (double) each.countTokensOrdinary(prompt.text()))
            .orElseGet(() -> prompt.text().length() / charactersAToken(prompt.model()));
    double first = counted + TOKENS_AROUND + (double) prompt.images() * TOKENS_AN_IMAGE;
    var known = learned.getOrDefault(name, Learned.NOTHING);
    return new Count(name, first, Math.max(1, Math.round(first * known.factor())));
  }

  private static double charactersAToken(String model) {
    return model.startsWith("claude-") ? CHARACTERS_A_TOKEN_OF_CLAUDE : CHARACTERS_A_TOKEN;
  }

  /** Takes in what a prompt really was. */
  public void learn(Count count, Usage usage) {
    double real = (double) usage.input() + usage.cacheRead() + usage.cacheWrite();
    if (real <= 0) {
      return;
    }
    double first = count.first();
    // One absurd usage may pull a little, and not undo all that was learned.
    double ratio = Math.clamp(real / first, LEAST_FACTOR, MOST_FACTOR);
    learned.compute(
        count.name(),
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

  /** Loading takes a second, in which nobody should wait: characters will do until it is there. */
  private static Optional<Encoding> encoding(String model) {
    return encodingOf(model)
        .map(Tokens::loading)
        .filter(CompletableFuture::isDone)
        .map(CompletableFuture::join);
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

  /** Waits until a model's encoding is there, if it has one. */
  static void load(String model) {
    encodingOf(model).map(Tokens::loading).ifPresent(CompletableFuture::join);
  }

  private static Optional<EncodingType> encodingOf(String model) {
    if (O200K.matcher(model).lookingAt()) {
      return Optional.of(EncodingType.O200K_BASE);
    }
    return CL100K.matcher(model).lookingAt()
        ? Optional.of(EncodingType.CL100K_BASE)
        : Optional.empty();
  }
}
