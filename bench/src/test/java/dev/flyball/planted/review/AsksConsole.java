package dev.flyball.planted.review;

import java.io.Console;

/** A review that expects somebody at the keyboard. */
public record AsksConsole(Console console) {}
