package dev.flyball.meaning;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * The model all-MiniLM-L6-v2, quantized, in this process.
 *
 * <p>Its parts would look for newer native code, and report that they are used, over the network;
 * and they would keep their native code in the home folder. All of that is switched off, and what
 * has to be a file to be loaded is one in a temporary folder. Of these ONNX Runtime leaves its own
 * behind, empty.
 */
final class MiniLm {
  private static final EmbeddingModel MODEL = load();

  private MiniLm() {}

  static float[] vector(String text) {
    return MODEL.embed(text).content().vector();
  }

  private static EmbeddingModel load() {
    try {
      var folder = Files.createTempDirectory("flyball-meaning");
      try {
        System.setProperty("ai.djl.offline", "true");
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("RUST_FLAVOR", "cpu");
        System.setProperty("ENGINE_CACHE_DIR", folder.toString());
        System.setProperty("jna.tmpdir", folder.toString());
        OrtEnvironment.getEnvironment().setTelemetry(false);
        return new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);
      } finally {
        delete(folder);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    } catch (OrtException broken) {
      throw new IllegalStateException(broken);
    }
  }

  /** Windows keeps what is loaded; there the rest stays in the temporary folder. */
  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(file -> file.delete());
    }
  }
}
