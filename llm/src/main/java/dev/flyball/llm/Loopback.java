package dev.flyball.llm;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The hosts that are this machine: 127.0.0.0/8 and ::1 as they are usually written, and the name
 * {@code localhost} where it leads nowhere else. Whatever could mean another host to somebody
 * (127.1, 0177.0.0.1, 2130706433, a dot at the end, a zone) is not among them.
 */
final class Loopback {
  private static final String PART = "(0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])";
  private static final Pattern FOUR =
      Pattern.compile("127\\." + PART + "\\." + PART + "\\." + PART);
  private static final Pattern SIX = Pattern.compile("\\[?([0-9a-f:.]*:[0-9a-f:.]*)]?");

  private Loopback() {}

  /** Whether a host of an address, with or without brackets, is this machine. */
  static boolean is(String host) {
    return is(host, InetAddress::getAllByName);
  }

  static boolean is(String host, HostLookup.Lookup lookup) {
    var name = host.toLowerCase(Locale.ROOT);
    if (FOUR.matcher(name).matches()) {
      return true;
    }
    var six = SIX.matcher(name);
    try {
      // An address of six is not looked up: its text says it.
      return six.matches()
          ? InetAddress.getByName(six.group(1)).isLoopbackAddress()
          : name.equals("localhost")
              && Arrays.stream(lookup.of(name)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException none) {
      return false;
    }
  }
}
