package dev.flyball.simulator;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.setting.Settings;

/**
 * The organisation whose limits a key uses, as replies name it.
 *
 * @param fingerprint sixteen hexadecimal digits
 */
record Organization(String fingerprint) {
  private static final Organization ALL = new Organization(CallAttempt.fingerprint("all keys"));

  static Organization of(String key, Settings settings) {
    return settings.keysShareOrganization() ? ALL : new Organization(key);
  }

  /** As this provider writes it. */
  String in(ProviderStyle style) {
    return style == ProviderStyle.ANTHROPIC
        ? "%s-%s-4%s-8%s-%s"
            .formatted(
                fingerprint.substring(0, 8),
                fingerprint.substring(8, 12),
                fingerprint.substring(12, 15),
                fingerprint.substring(0, 3),
                fingerprint.substring(4))
        : "org-" + fingerprint;
  }
}
