package dev.flyball.review.secret;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user and a password in Base64, as in a header or in the settings of Docker. */
final class CodedLogin {
  private static final int LEAST = 8;

  private CodedLogin() {}

  static boolean is(CharSequence value) {
    if (value.length() < LEAST || value.length() > ValueLook.LONGEST) {
      return false;
    }
    byte[] plain;
    try {
      plain = Base64.getDecoder().decode(value.toString().getBytes(StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException other) {
      return false;
    }
    for (byte each : plain) {
      if (each < ' ' || each == 0x7F) {
        return false;
      }
    }
    var login = new String(plain, StandardCharsets.ISO_8859_1);
    int joint = login.indexOf(':');
    return joint >= 0 && joint < login.length() - 1 && !StandIn.is(login.substring(joint + 1));
  }
}
