package dev.flyball.simulator;

import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.Meter;
import dev.flyball.simulator.provider.LimitScope;
import dev.flyball.simulator.provider.Serving;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.SimulatedClock;
import dev.flyball.simulator.wire.Complaint;
import dev.flyball.simulator.wire.RateHeaders;
import io.vertx.core.http.HttpServerResponse;

/** The writer of the headers of all replies to one request, in the style of its provider. */
record ReplyWriter(
    ProviderStyle style, Organization organization, Settings settings, SimulatedClock clock) {

  Complaint.Case about(String request, String model) {
    boolean hints = settings.headers().mode() == Headers.Mode.FULL;
    return new Complaint.Case(style, request, model, organization.in(style), hints, clock);
  }

  /** Who answers, and when. */
  void sign(HttpServerResponse response, String request) {
    boolean anthropic = style == ProviderStyle.ANTHROPIC;
    response
        .putHeader("date", clock.date())
        .putHeader(anthropic ? "request-id" : "x-request-id", request);
    if (anthropic) {
      response.putHeader("anthropic-organization-id", organization.in(style));
    } else if (style == ProviderStyle.OPENAI) {
      response
          .putHeader("openai-organization", organization.in(style))
          .putHeader("openai-version", "2020-10-01");
    }
  }

  /** The headers of a whole answer or of an error. */
  void describe(HttpServerResponse response, Serving serving, long wait) {
    LimitSnapshot current = serving.scope().snapshot(clock.micros());
    describe(response, serving, current, wait);
  }

  /** The headers of a stream, which are written before any of its output. */
  void describeStream(HttpServerResponse response, Serving serving) {
    LimitSnapshot current = serving.scope().snapshotBefore(serving, clock.micros());
    describe(response, serving, current, Meter.UNKNOWN);
  }

  private void describe(
      HttpServerResponse response, Serving serving, LimitSnapshot current, long wait) {
    LimitSnapshot admission = serving.snapshotOnAdmission();
    describe(response, serving.request(), serving.scope(), admission, current, wait);
  }

  /**
   * The headers of any reply.
   *
   * @param wait microseconds to say; {@link Meter#UNKNOWN} for none
   */
  void describe(
      HttpServerResponse response,
      String request,
      LimitScope scope,
      LimitSnapshot admission,
      LimitSnapshot current,
      long wait) {
    sign(response, request);
    scope
        .said(admission, current)
        .map(said -> RateHeaders.of(style, settings.headers(), said, wait, clock))
        .ifPresent(
            headers ->
                headers.forEach(header -> response.headers().add(header.name(), header.value())));
  }
}
