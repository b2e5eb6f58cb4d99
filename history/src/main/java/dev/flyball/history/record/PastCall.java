package dev.flyball.history.record;

/** An attempt as it is remembered, with the mode of the run that made it. */
public record PastCall(String mode, AttemptRecord attempt) {}
