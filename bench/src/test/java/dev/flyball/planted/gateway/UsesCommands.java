package dev.flyball.planted.gateway;

import dev.flyball.planted.cli.screen.Screen;

/** A server that knows the command line. */
public record UsesCommands(Screen screen) {}
