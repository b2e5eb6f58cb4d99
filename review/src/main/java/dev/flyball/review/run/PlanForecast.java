package dev.flyball.review.run;

import dev.flyball.forecast.Survey;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.run.Estimation;

/**
 * The plan of a review with what it would take and cost: one computation, whoever asks for it.
 *
 * @param survey the same in round figures, every lens on every file
 */
public record PlanForecast(ReviewPlan plan, Estimation estimation, Survey survey) {}
