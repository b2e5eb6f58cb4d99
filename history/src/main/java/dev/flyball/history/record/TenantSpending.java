package dev.flyball.history.record;

import dev.flyball.call.Cost;

/**
 * What a tenant used in a day or a month of UTC.
 *
 * @param period {@code 2026-11-18} or {@code 2026-11}
 */
public record TenantSpending(String tenant, String period, long tokens, Cost cost) {}
