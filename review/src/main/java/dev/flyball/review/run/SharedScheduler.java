package dev.flyball.review.run;

import dev.flyball.call.Account;
import dev.flyball.call.Tenant;
import dev.flyball.scheduler.Flyball;

/**
 * A scheduler that a review shares with others, as in a server: it stays open when the review is
 * over, and what it has learned is kept by whoever owns it.
 *
 * @param tenant whose share of the lanes the review takes
 * @param payer who pays for this review and for nothing else; may be part of another account
 * @param journal reviews of the same subject under different names keep their answers apart
 */
public record SharedScheduler(Flyball flyball, Tenant tenant, Account payer, String journal) {}
