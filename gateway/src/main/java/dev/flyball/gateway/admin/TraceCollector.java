package dev.flyball.gateway.admin;

import dev.flyball.run.BadSettings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whoever takes traces, as the variables of OpenTelemetry name it.
 *
 * @param address to which spans are posted
 * @param headers of each request, which may be secrets
 * @param service under which they appear
 */
public record TraceCollector(URI address, Map<String, String> headers, String service) {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String OF_TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
  private static final String SERVICE = "OTEL_SERVICE_NAME";
  private static final String DISABLED = "OTEL_SDK_DISABLED";

  /** The one that an environment names; empty if it names none. */
  public static Optional<TraceCollector> of(Map<String, String> environment) {
    var general = environment.getOrDefault(ENDPOINT, "").strip();
    var exact = environment.getOrDefault(OF_TRACES, "").strip();
    if ((general.isEmpty() && exact.isEmpty())
        || environment.getOrDefault(DISABLED, "").strip().equalsIgnoreCase("true")) {
      return Optional.empty();
    }
    var name = exact.isEmpty() ? ENDPOINT : OF_TRACES;
    var written = exact.isEmpty() ? general.replaceAll("/+$", "") + "/v1/traces" : exact;
    var service = environment.getOrDefault(SERVICE, "").strip();
    return Optional.of(
        new TraceCollector(
            address(name, written),
            headers(environment.getOrDefault(HEADERS, "")),
            service.isEmpty() ? "flyball" : service));
  }

  private static URI address(String variable, String written) {
    try {
      var address = URI.create(written);
      var scheme = String.valueOf(address.getScheme());
      if (address.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return address;
      }
    } catch (IllegalArgumentException garbled) {
      // The same as one that names no host.
    }
    throw new BadSettings(
        variable + ": an address is http://HOST:PORT or https://HOST, and this one is not");
  }

  private static Map<String, String> headers(String written) {
    var all = new LinkedHashMap<String, String>();
    for (var each : written.split(",", -1)) {
      int sign = each.indexOf('=');
      if (sign > 0) {
        var value = URLDecoder.decode(each.substring(sign + 1).strip(), StandardCharsets.UTF_8);
        if (!value.chars().allMatch(c -> c >= ' ' && c < 127)) {
          throw new BadSettings(HEADERS + ": a header is one line of plain letters");
        }
        all.put(each.substring(0, sign).strip(), value);
      }
    }
    return Map.copyOf(all);
  }

  /** Without what may be secrets. */
  @Override
  public String toString() {
    return "TraceCollector[" + address.getHost() + "]";
  }
}
