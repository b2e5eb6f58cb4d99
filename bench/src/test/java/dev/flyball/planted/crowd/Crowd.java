package dev.flyball.planted.crowd;

/** One more than a package may have. */
public final class Crowd {
  private Crowd() {}
}

record Member1() {}

record Member2() {}

record Member3() {}

record Member4() {}

record Member5() {}

record Member6() {}

record Member7() {}

record Member8() {}

record Member9() {}

record Member10() {}

record Member11() {}

record Member12() {}

record Member13() {}

record Member14() {}

record Member15() {}

record Member16() {}

record Member17() {}

record Member18() {}

record Member19() {}

record Member20() {}

record Member21() {}

record Member22() {}

record Member23() {}

record Member24() {}

record Member25() {}
