/**
 * Runs over the wire: the real command and the official SDKs, each against a simulator of its own,
 * whose ledger is the judge.
 */
@NullMarked
package dev.flyball.bench.wire;

import org.jspecify.annotations.NullMarked;
