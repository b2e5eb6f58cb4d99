package dev.flyball.run;

/** Something in the files or settings of a run that must be put right before anything is sent. */
public final class BadInput extends Exception {
  private static final long serialVersionUID = 1;

  public BadInput(String message) {
    super(message);
  }
}
