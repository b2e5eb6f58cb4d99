-- Moments are milliseconds since 1970, times are milliseconds, money is in millionths of a dollar.
-- An empty text means that there is none; null means that it is not known.

create table runs (
  number ${number},
  id text not null unique,
  command text not null,
  mode text not null,
  repository text not null,
  input text not null,
  simulated smallint not null,
  provider text not null,
  models text not null,
  prices text,
  forecast_p50 bigint,
  forecast_p90 bigint,
  forecast_cost bigint,
  forecast_input bigint,
  forecast_output bigint,
  calibrated_on integer,
  started_at bigint not null,
  ended_at bigint,
  wall bigint,
  exit integer,
  calls bigint,
  completed bigint,
  errored bigint,
  cost bigint
);

-- One row for each attempt; `call` counts those of a run.
create table calls (
  run bigint not null references runs (number),
  call bigint not null,
  lane text not null,
  model text not null,
  lens text not null,
  kind text not null,
  name text not null,
  attempt integer not null,
  outcome smallint not null,
  throttled_by text,
  input bigint not null,
  cache_read bigint not null,
  cache_write bigint not null,
  output bigint not null,
  estimated_input bigint not null,
  max_output bigint not null,
  cost bigint,
  prices text,
  latency bigint not null,
  at bigint not null,
  primary key (run, call)
) ${clustered};

create table waits (
  run bigint not null,
  call bigint not null,
  waited_for text not null,
  millis bigint not null,
  primary key (run, call, waited_for),
  foreign key (run, call) references calls (run, call)
) ${clustered};

-- The sums of `calls` by hours since 1970, kept in the transaction that adds the calls.
create table tallies (
  hour bigint not null,
  simulated smallint not null,
  model text not null,
  mode text not null,
  lens text not null,
  repository text not null,
  lane text not null,
  attempts bigint not null,
  answered bigint not null,
  throttled bigint not null,
  retried bigint not null,
  input bigint not null,
  cache_read bigint not null,
  cache_write bigint not null,
  output bigint not null,
  wasted bigint not null,
  most_tokens bigint not null,
  latency bigint not null,
  longest bigint not null,
  cost bigint not null,
  unpriced bigint not null,
  primary key (hour, simulated, model, mode, lens, repository, lane)
) ${clustered};

-- The sums of a run's answered calls, from which the next run is forecast.
create table run_tallies (
  model text not null,
  lens text not null,
  run bigint not null references runs (number),
  answered bigint not null,
  input bigint not null,
  estimated_input bigint not null,
  output bigint not null,
  output_squares bigint not null,
  latency bigint not null,
  latency_squares bigint not null,
  latency_times_output bigint not null,
  most_output bigint not null,
  max_output bigint not null,
  primary key (model, lens, run)
) ${clustered};

create table reviews (
  number ${number},
  platform text not null,
  repository text not null,
  pr_id text not null,
  pr_updated_at bigint not null,
  sha text not null,
  reviewed_at bigint not null,
  decision text not null,
  summary text not null,
  tokens_used bigint not null,
  token_budget bigint not null,
  execution_mode text not null,
  duration bigint not null,
  unique (platform, repository, pr_id, pr_updated_at)
);

create table findings (
  review bigint not null references reviews (number),
  place integer not null,
  id text not null,
  file text not null,
  line integer not null,
  severity text not null,
  category text not null,
  lens text not null,
  title text not null,
  body text not null,
  confidence double precision not null,
  primary key (review, place)
) ${clustered};
