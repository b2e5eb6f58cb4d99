package dev.flyball.planted.batch;

import dev.flyball.planted.meaning.Meaning;

/** A batch that looks at what answers mean. */
public record UsesMeaning(Meaning meaning) {}
