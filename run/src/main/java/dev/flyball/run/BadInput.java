package dev.flyball.run;

/** Input of a run that must be put right before anything is sent: what is wrong, and where. */
public final class BadInput extends Exception {
  private static final long serialVersionUID = 1;

  public BadInput(String message) {
    super(message);
  }

  public BadInput(String message, Throwable cause) {
    super(message, cause);
  }
}
