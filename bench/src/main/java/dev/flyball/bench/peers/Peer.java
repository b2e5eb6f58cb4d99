package dev.flyball.bench.peers;

import dev.flyball.worlds.Job;

/** Somebody else who runs jobs. Told of each as it comes, it ends each as answered or lost. */
@FunctionalInterface
public interface Peer {
  void take(Job job);
}
