package dev.flyball.scheduler;

import java.util.List;

/** Everything at one moment, for people: lanes are looked at one after the other. */
public record SchedulerSnapshot(
    List<LaneSnapshot> lanes, List<BudgetSnapshot> budgets, Metrics total, long eventsDropped) {}
