-- Who shares a gateway: their keys, what they may use, and what they have used of it.

-- A key is kept as its hash; a key that was revoked stays, so that it is known when it comes again.
create table tenant_keys (
  number ${number},
  tenant text not null,
  hash text not null unique,
  hint text not null,
  weight double precision not null,
  priority text not null,
  models text not null,
  requests_a_minute bigint,
  tokens_a_minute bigint,
  in_flight bigint,
  day_tokens bigint,
  day_cost bigint,
  month_tokens bigint,
  month_cost bigint,
  created_at bigint not null,
  revoked_at bigint
);

-- What a tenant used in a day (2026-11-18) or a month (2026-11) of UTC.
create table tenant_spending (
  tenant text not null,
  period text not null,
  tokens bigint not null,
  cost bigint not null,
  primary key (tenant, period)
) ${clustered};

alter table calls add column tenant text not null default '';

-- The lines that a finding is about, as they were when it was made.
alter table findings add column code text not null default '';

-- The sums of `calls` by hours, with the tenant among what they are grouped by.
create table tallies_by_tenant (
  hour bigint not null,
  simulated smallint not null,
  model text not null,
  mode text not null,
  lens text not null,
  repository text not null,
  lane text not null,
  tenant text not null,
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
  primary key (hour, simulated, model, mode, lens, repository, lane, tenant)
) ${clustered};

insert into tallies_by_tenant
select hour, simulated, model, mode, lens, repository, lane, '', attempts, answered, throttled,
  retried, input, cache_read, cache_write, output, wasted, most_tokens, latency, longest, cost,
  unpriced
from tallies;

drop table tallies;

alter table tallies_by_tenant rename to tallies;
