package dev.flyball.bench.peers;

/**
 * One run of jobs, and how it went.
 *
 * @param seconds until the last job ended
 * @param throttles attempts that a limit turned away
 * @param lost jobs that ended without an answer
 */
public record PeerTrial(double seconds, int throttles, int attempts, int lost) {}
