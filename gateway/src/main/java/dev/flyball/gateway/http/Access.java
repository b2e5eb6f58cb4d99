package dev.flyball.gateway.http;

/** The people for whom a path is. */
public enum Access {
  /** Everybody who reaches the server: health checks, and pages without secrets. */
  EVERYBODY,

  /** Those with a key of a tenant; on loopback without tenants, everybody. */
  CALLERS,

  /** The same, and those with the admin token: each about what is theirs, or about all. */
  CALLERS_AND_ADMINISTRATORS,

  /** Those with the admin token, on loopback too. */
  ADMINISTRATORS
}
