package dev.flyball.publish;

/** A comment that is to be put beside the code. */
record NewComment(String finding, Anchor at, String body) {}
