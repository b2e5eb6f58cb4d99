package dev.flyball.simulator;

import io.vertx.core.http.HttpServerResponse;

/** How the replies to one request are written: whose words and headers, to whom, and when. */
record Manners(Style style, Organization organization, Settings settings, Clock clock) {

  Complaint.Case about(String request, String model) {
    boolean hints = settings.headers().mode() == Headers.Mode.FULL;
    return new Complaint.Case(style, request, model, organization.in(style), hints, clock);
  }

  /** Who answers, and when. */
  void sign(HttpServerResponse response, String request) {
    boolean anthropic = style == Style.ANTHROPIC;
    response
        .putHeader("date", clock.date())
        .putHeader(anthropic ? "request-id" : "x-request-id", request);
    if (anthropic) {
      response.putHeader("anthropic-organization-id", organization.in(style));
    } else if (style == Style.OPENAI) {
      response
          .putHeader("openai-organization", organization.in(style))
          .putHeader("openai-version", "2020-10-01");
    }
  }

  /** The headers of a whole answer or of an error. */
  void describe(HttpServerResponse response, Serving serving, long wait) {
    Scope.Sight current = serving.scope().sight(clock.micros());
    describe(response, serving, current, wait);
  }

  /** The headers of a stream, which are written before any of its output. */
  void describeStream(HttpServerResponse response, Serving serving) {
    Scope.Sight current = serving.scope().sightBefore(serving, clock.micros());
    describe(response, serving, current, Meter.UNKNOWN);
  }

  private void describe(
      HttpServerResponse response, Serving serving, Scope.Sight current, long wait) {
    Scope.Sight admission = serving.sightOnAdmission();
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
      Scope scope,
      Scope.Sight admission,
      Scope.Sight current,
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
