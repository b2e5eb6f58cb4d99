package dev.flyball.planted.review;

import dev.flyball.planted.cli.screen.Screen;

/** A part that knows the command line. */
public record UsesCommands(Screen screen) {}
