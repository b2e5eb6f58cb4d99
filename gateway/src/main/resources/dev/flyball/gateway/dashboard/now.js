// What is going on at this moment: figures, lanes, the last minutes.
import {el, say, mark, keyed, empty} from '/ui/dom.js';
import {chart} from '/ui/chart.js';
import {callsTable} from '/ui/calls.js';
import {count, short, money, time, plural, colour} from '/ui/format.js';

function figure(name) {
  const dd = el('dd', {}, '–');
  const unit = el('small');
  const value = document.createTextNode('–');
  dd.replaceChildren(value, unit);
  const more = el('p');
  const node = el('div', {class: 'figure'}, el('dt', {}, name), dd, more);
  return {
    node,
    set(text, suffix, words, tone) {
      if (value.data !== text) value.data = text;
      say(unit, suffix ?? '');
      say(more, words ?? '');
      mark(node, 'data-tone', tone);
    },
  };
}

function gauge() {
  const name = el('span', {class: 'name'});
  const left = el('b');
  const rest = document.createTextNode('');
  const bar = el('i');
  const node = el('div', {class: 'gauge', role: 'meter', 'aria-valuemin': '0', 'aria-valuemax': '100'},
    name, el('span', {class: 'left'}, left, rest), el('span', {class: 'track'}, bar));
  return {
    node,
    update(it) {
      const words = it.dimension.replaceAll('_', ' ');
      say(name, words);
      const known = it.ceiling !== null;
      say(left, short(Math.round(it.level)));
      const refill = it.perSecond > 0 ? ' · +' + short(it.perSecond) + '/s' : '';
      const next = (known ? ' of ' + short(it.limit ?? it.ceiling) + ' left' : ' left') + refill;
      if (rest.data !== next) rest.data = next;
      const full = Math.round(it.fullness * 1000) / 10;
      bar.style.width = full + '%';
      mark(bar, 'data-tone', it.level < 0 ? 'debt' : it.fullness < 0.1 ? 'low' : '');
      mark(node, 'aria-valuenow', Math.round(full));
      mark(node, 'aria-label', words + ', part that is left');
      mark(node, 'title', it.sighted ? 'as the provider said' : 'not yet confirmed by a reply');
    },
  };
}

function fact(name) {
  const dd = el('dd');
  return {node: el('div', {}, el('dt', {}, name), dd), dd};
}

function lane(actions) {
  const title = el('h3');
  const from = el('p', {class: 'from'});
  const pill = el('span', {class: 'pill'});
  const waits = el('p', {class: 'waits'});
  const gauges = el('div', {class: 'gauges'});
  const fill = keyed(gauges, gauge);
  const queue = el('div', {class: 'queue'});
  const inFlight = fact('In flight');
  const waiting = fact('Waiting');
  const limited = fact('429s');
  const latency = fact('Median');
  const pause = el('button', {type: 'button', class: 'quiet'});
  const node = el('article', {class: 'panel lane'},
    el('header', {}, el('div', {}, title, from), pill, actions ? pause : null),
    waits, gauges, queue,
    el('dl', {class: 'facts'}, inFlight.node, waiting.node, limited.node, latency.node));
  let last = null;
  pause.addEventListener('click', () => actions.pause(last));
  return {
    node,
    update(it) {
      last = it;
      say(title, it.model);
      say(from, [it.provider, it.key && 'key ' + it.key, it.organisation].filter(Boolean).join(' · '));
      const [tone, word] = standing(it);
      say(pill, word);
      mark(pill, 'data-tone', tone);
      waits.replaceChildren(...reason(it));
      fill(it.gauges, each => each.dimension + '/' + (each.period ?? ''));
      if (it.gauges.length === 0) {
        if (!gauges.firstChild) gauges.append(el('p', {class: 'dim'}, it.pacePerSecond > 0
          ? 'No limit is stated. Learned pace: ' + short(it.pacePerSecond) + ' requests/s'
          : 'No limit is known yet. The first replies will say.'));
      }
      say(inFlight.dd, it.inFlight + ' of ' + it.slots);
      say(waiting.dd, count(it.waiting));
      say(limited.dd, count(it.throttled));
      mark(limited.node, 'title', Object.entries(it.throttledBy ?? {}).map(([why, n]) => n + ' by ' + why.replaceAll('_', ' ')).join(', '));
      say(latency.dd, it.latencyMs.p50 > 0 ? time(it.latencyMs.p50) : '–');
      mark(latency.node, 'title', it.latencyMs.p50 > 0 ? '90 % under ' + time(it.latencyMs.p90) + ', 99 % under ' + time(it.latencyMs.p99) : '');
      share(queue, it.queue ?? []);
      say(pause, it.paused ? '▶' : '❚❚');
      mark(pause, 'aria-label', (it.paused ? 'Resume ' : 'Pause ') + it.model);
      mark(pause, 'title', it.paused ? 'Resume' : 'Pause this lane');
    },
  };
}

function standing(it) {
  if (it.paused) return ['warn', 'paused by you'];
  if (it.breaker === 'open') return ['bad', 'resting after failures'];
  if (it.breaker === 'probing') return ['warn', 'probing'];
  if (it.waiting > 0) return ['warn', 'pacing'];
  return it.inFlight > 0 ? ['ok', 'flowing'] : ['', 'idle'];
}

function reason(it) {
  if (it.paused) return ['Calls wait until it is resumed.'];
  if (it.waiting === 0) return [it.inFlight > 0 ? 'Nothing waits.' : 'Nothing to do.'];
  const words = ['Waiting for ', el('b', {}, it.waitingFor ?? 'its turn')];
  if (it.waitLeftMs > 0) words.push(', ' + time(it.waitLeftMs));
  if (it.drainMs > 0) words.push(' · queue empty in about ' + time(it.drainMs));
  return words;
}

function share(node, queue) {
  const all = queue.reduce((sum, each) => sum + each.waiting, 0);
  const now = JSON.stringify(queue);
  if (node.dataset.now === now) return;
  node.dataset.now = now;
  if (all === 0) {
    node.replaceChildren();
    return;
  }
  const shown = queue.length > 6 ? [...queue.slice(0, 5), {tenant: plural(queue.length - 5, 'other'), waiting: queue.slice(5).reduce((sum, each) => sum + each.waiting, 0), rest: true}] : queue;
  const tone = (each, i) => each.rest ? 'var(--c0)' : colour(i);
  node.replaceChildren(
    el('span', {class: 'name'}, 'queue by tenant'),
    el('div', {class: 'track'}, shown.map((each, i) => el('i', {style: {width: 100 * each.waiting / all + '%', background: tone(each, i)}}))),
    el('ul', {class: 'legend', 'aria-label': 'Waiting, by tenant'}, shown.map((each, i) =>
      el('li', {}, el('i', {class: 'swatch', style: {background: tone(each, i)}}), el('span', {}, each.tenant || 'no key'), count(each.waiting)))));
}

/** As many calls as the screen has room for: on a wall nobody scrolls. */
function fitting(node) {
  // Before the first of them is there, by what they will be.
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const row = node.querySelector('tbody tr')?.offsetHeight || 2.55 * rem;
  const head = node.querySelector('thead').offsetHeight || 2.4 * rem;
  const below = parseFloat(getComputedStyle(document.getElementById('main')).paddingBottom);
  const room = innerHeight - (scrollY + node.getBoundingClientRect().top) - head - below - 4;
  return Math.max(innerHeight > 1000 ? 4 : 12, Math.min(40, Math.floor(room / row)));
}

export function now(actions) {
  const flight = figure('In flight');
  const queue = figure('Waiting');
  const rate = figure('Answered');
  const limited = figure('Rate-limited (429)');
  const failed = figure('Failed');
  const cost = figure('Cost today');
  const figures = el('dl', {class: 'panel figures'}, [flight, queue, rate, limited, failed, cost].map(each => each.node));
  const lanes = el('div', {class: 'lanes'});
  const fill = keyed(lanes, () => lane(actions));
  const none = empty('No lane yet', 'Lanes open with the first call. Point a client at this address:', 'export ANTHROPIC_BASE_URL=' + location.origin);
  const pace = chart({label: 'Answers per second and waiting calls over the last minutes', height: innerHeight > 1300 ? 320 : 190, kind: 'lines', format: short, least: 4, axis: 44});
  const table = callsTable({small: true});
  const laneCount = el('span', {class: 'dim'});
  const node = el('div', {}, figures, el('div', {class: 'now'},
    el('section', {class: 'section'}, el('header', {}, el('h2', {}, 'Lanes'), laneCount), none, lanes),
    el('div', {},
      el('section', {class: 'section panel chart'}, el('header', {}, el('h2', {}, 'Last minutes'),
        el('ul', {class: 'legend end'}, [['Answered per second', 'var(--c3)'], ['Waiting', 'var(--c2)'], ['429s a second', 'var(--c6)']].map(([name, tone]) =>
          el('li', {}, el('i', {class: 'swatch', style: {background: tone}}), el('span', {}, name))))), pace.node),
      el('section', {class: 'section'}, el('header', {}, el('h2', {}, 'Last calls'), el('a', {class: 'dim', href: '#/calls'}, 'All calls')), table.node))));
  none.classList.add('panel');
  return {
    node,
    update(state) {
      const sum = state.totals;
      const oldest = Math.max(0, ...state.lanes.map(each => each.waitLeftMs ?? 0));
      flight.set(count(sum.inFlight), '', plural(state.lanes.length, 'lane'));
      queue.set(count(sum.waiting), '', sum.waiting > 0 && oldest > 0 ? 'next in ' + time(oldest) : sum.waiting > 0 ? 'in turn' : 'none waiting');
      rate.set(short(sum.perMinute), 'a minute', count(sum.completed) + ' since the start');
      limited.set(count(sum.throttled), '', sum.throttled > 0 ? 'of ' + plural(sum.attempts, 'attempt') : 'none since the start', sum.throttled > 0 ? 'warn' : '');
      failed.set(count(sum.errored), '', plural(sum.retried, 'retry', 'retries'), sum.errored > 0 ? 'bad' : '');
      cost.set(money(sum.costToday), '', short(sum.tokensToday) + ' tokens' + (sum.unpricedToday > 0 ? ', ' + sum.unpricedToday + ' unpriced' : ''));
      const busy = state.lanes.filter(each => each.waiting + each.inFlight > 0).length;
      say(laneCount, state.lanes.length ? plural(busy, 'busy', 'busy') + ' of ' + state.lanes.length : '');
      none.classList.toggle('gone', state.lanes.length > 0);
      fill(state.lanes, each => each.name);
      const past = state.past ?? [];
      pace.show({x: past.map(each => each[0]), series: [
        {name: 'Answered per second', colour: 'var(--c3)', fill: true, values: past.map(each => each[1])},
        {name: 'Waiting', colour: 'var(--c2)', values: past.map(each => each[2])},
        {name: '429s a second', colour: 'var(--c6)', values: past.map(each => each[3])},
      ]});
      table.update(state.calls.slice(0, fitting(table.node)));
    },
    end() {
      pace.end();
    },
  };
}
