package dev.flyball.gateway.http;

/** The people for whom a path is. */
public enum Access {
  /** Everybody who reaches the server: health checks, and pages without secrets. */
  EVERYBODY,

  /** Those with a key of a tenant; on loopback without tenants, everybody. */
  CALLERS,

  /** Those with the admin token, on loopback too. */
  ADMINISTRATORS
}
