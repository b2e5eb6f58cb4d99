package dev.flyball.planted.review;

import dev.flyball.planted.cli.screen.Terminal;

/** A report that asks how wide the screen is. */
public record UsesTerminal(Terminal terminal) {}
