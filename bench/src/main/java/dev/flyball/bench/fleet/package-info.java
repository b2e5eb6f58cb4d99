/** Processes and replicas that share one limit, judged by the simulator or by a bucket. */
@NullMarked
package dev.flyball.bench.fleet;

import org.jspecify.annotations.NullMarked;
