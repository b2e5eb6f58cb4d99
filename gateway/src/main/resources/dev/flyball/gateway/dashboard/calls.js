// The last calls, each with its timeline: what it waited for, and its attempts.
import {el, say, mark, keyed, empty} from '/ui/dom.js';
import {clock, moment, time, money, short, count, plural} from '/ui/format.js';

const TONES = {answered: 'ok', 'rate-limited': 'warn', overloaded: 'warn', broken: 'bad', 'cut short': 'bad', rejected: 'bad', failed: 'bad', refused: 'warn', cancelled: '', 'client left': ''};
const FILLS = {ok: 'var(--ok-fill)', warn: 'var(--warn-fill)', bad: 'var(--bad-fill)'};
const WAITS = ['var(--c2)', 'var(--c7)', 'var(--c5)', 'var(--c8)', 'var(--c4)'];

function parts(call) {
  const waits = call.waits.map((each, i) => ({...each, colour: WAITS[i % WAITS.length], words: 'waited for ' + each.for}));
  return [...waits, {ms: call.tookMs, colour: FILLS[TONES[call.outcome]] ?? 'var(--c0)', words: 'in flight'}];
}

function line(call) {
  const all = parts(call);
  const sum = Math.max(1, all.reduce((total, each) => total + each.ms, 0));
  return el('div', {class: 'timeline', title: all.map(each => each.words + ' ' + time(each.ms)).join(', ')},
    all.map(each => el('i', {style: {width: 100 * each.ms / sum + '%', background: each.colour}})));
}

function story(call) {
  const steps = [];
  let at = 0;
  steps.push([0, 'came in' + (call.tenant ? ' from ' + call.tenant : '') + ' for ' + call.model]);
  for (const each of call.waits) {
    steps.push([at, 'waited ' + time(each.ms) + ' for ' + each.for]);
    at += each.ms;
  }
  steps.push([at, (call.attempt > 1 ? 'attempt ' + call.attempt + ' was sent' : 'was sent') + ' to ' + call.lane]);
  at += call.tookMs;
  const used = call.tokens > 0 ? ', ' + count(call.tokens) + ' tokens' + (call.costUsd !== null ? ' for ' + money(call.costUsd) : '') : '';
  steps.push([at, call.outcome + (call.throttledBy ? ' by ' + call.throttledBy.replaceAll('_', ' ') : '') + used]);
  return el('ol', {class: 'story', 'aria-label': 'Timeline'}, steps.map(([ms, words]) =>
    el('li', {}, el('span', {}, '+' + time(ms)), el('span', {}, words))));
}

export function callsTable({small}) {
  const body = el('tbody');
  const none = empty('No call yet', 'Each call appears here as soon as it has an answer.');
  let open = null;
  const columns = small ? 5 : 9;
  const fill = keyed(body, () => {
    const when = el('td', {class: 'dim'});
    const who = el('td', {class: 'text'});
    const model = el('td', {class: 'text wide'});
    const outcome = el('td');
    const bar = el('td', {class: small ? 'gone' : 'wide'});
    const waited = el('td', {class: 'num', 'data-label': 'waited'});
    const took = el('td', {class: 'num', 'data-label': small ? 'took' : 'took'});
    const tokens = el('td', {class: small ? 'gone' : 'num skip-small'});
    const cost = el('td', {class: small ? 'gone' : 'num skip-small'});
    const cells = small ? [when, model, outcome, waited, took] : [when, who, model, outcome, bar, waited, took, tokens, cost];
    const node = el('tr', {class: small ? '' : 'pick'}, cells);
    let key = '';
    return {
      node,
      update(it) {
        if (it.story) {
          node.className = 'open';
          if (key !== it.id) node.replaceChildren(el('td', {colspan: columns, class: 'wide'}, story(it.call)));
          key = it.id;
          return;
        }
        if (key === it.id) {
          mark(node, 'aria-expanded', small ? '' : String(open === it.id));
          return;
        }
        key = it.id;
        if (small) {
          say(when, clock(it.at));
        } else {
          when.replaceChildren(el('button', {type: 'button', 'aria-label': 'Timeline of the call at ' + moment(it.at)}, moment(it.at)));
          node.onclick = () => {
            open = open === it.id ? null : it.id;
            show();
          };
        }
        say(who, it.tenant || '–');
        mark(who, 'title', it.tenant);
        say(model, it.model);
        mark(model, 'title', it.model + (small && it.tenant ? ', ' + it.tenant : ''));
        outcome.replaceChildren(el('span', {class: 'nowrap tone-' + (TONES[it.outcome] ?? '')}, it.outcome), it.attempt > 1 ? el('span', {class: 'tries', title: 'attempt ' + it.attempt}, '×' + it.attempt) : '');
        if (!small) bar.replaceChildren(line(it));
        const ms = it.waits.reduce((sum, each) => sum + each.ms, 0);
        say(waited, ms > 0 ? time(ms) : '–');
        mark(waited, 'title', it.waits.map(each => time(each.ms) + ' for ' + each.for).join(', '));
        say(took, time(it.tookMs));
        say(tokens, it.tokens > 0 ? short(it.tokens) : '–');
        say(cost, it.costUsd === null ? '–' : money(it.costUsd));
      },
    };
  });
  const heads = small ? ['When', 'Model', 'Outcome', '#Waited', '#Took'] : ['When', 'Tenant', 'Model', 'Outcome', 'Timeline', '#Waited', '#Took', '#Tokens', '#Cost'];
  const table = el('table', {class: 'cards'}, el('thead', {}, el('tr', {}, heads.map(name =>
    el('th', {class: name.startsWith('#') ? 'num' : null, scope: 'col'}, name.replace('#', ''))))), body);
  const node = el('div', {class: 'panel scroll'}, none, table);
  let rows = [];
  function show() {
    none.classList.toggle('gone', rows.length > 0);
    table.classList.toggle('gone', rows.length === 0);
    const items = rows.flatMap(each => each.id === open ? [each, {story: true, id: 'story of ' + each.id, call: each}] : [each]);
    fill(items, each => each.id);
  }
  return {
    node,
    update(next) {
      rows = next;
      show();
    },
    step(by) {
      const at = rows.findIndex(each => each.id === open);
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
      if (next) {
        open = next.id;
        show();
        [...body.children].find(row => row.classList.contains('open'))?.scrollIntoView({block: 'nearest'});
      }
    },
  };
}

export function calls(link) {
  const table = callsTable({small: false});
  const search = el('input', {type: 'search', placeholder: 'Find tenant, model …', 'aria-label': 'Only calls with', autocomplete: 'off', spellcheck: 'false'});
  const note = el('span', {class: 'dim'});
  const hold = el('button', {type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => stop(!held)}, 'Hold');
  const node = el('section', {}, el('div', {class: 'bar'}, el('h2', {}, 'Last calls'), note, el('div', {class: 'end bar'}, search, hold)), table.node);
  let all = [];
  let held = false;
  function stop(it) {
    held = it;
    mark(hold, 'aria-pressed', String(held));
    say(hold, held ? 'Resume' : 'Hold');
    if (!held) show();
  }
  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter(each => words.every(word => [each.tenant, each.model, each.lane, each.outcome, each.name].join(' ').toLowerCase().includes(word)));
    say(note, words.length ? plural(found.length, 'call') + ' of ' + all.length : all.length ? 'the last ' + all.length : '');
    table.update(found);
  }
  search.addEventListener('input', show);
  async function load() {
    all = (await link.ask('/admin/calls')).calls;
    show();
  }
  return {
    node,
    load,
    update(state) {
      if (held || state.mode !== 'live') return;
      const known = new Set(all.map(each => each.id));
      const fresh = state.calls.filter(each => !known.has(each.id));
      if (fresh.length) {
        all = [...fresh, ...all].slice(0, 300);
        show();
      }
    },
    key(name) {
      if (name === '/') search.focus();
      if (name === 'j') table.step(1);
      if (name === 'k') table.step(-1);
      if (name === ' ') stop(!held);
      return '/jk '.includes(name);
    },
  };
}
