-- The id of the run that made a review; empty of a review that was kept before this was known.
alter table reviews add column run text not null default '';
