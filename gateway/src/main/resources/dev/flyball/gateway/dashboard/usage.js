// Tokens and money over time, by model, tenant or lens.
import {el, segments, empty, say} from '/ui/dom.js';
import {chart} from '/ui/chart.js';
import {count, short, money, colour, plural} from '/ui/format.js';

const RANGES = [['24h', '24 hours'], ['7d', '7 days'], ['30d', '30 days']];
const GROUPS = [['model', 'Model'], ['tenant', 'Tenant'], ['lens', 'Lens'], ['mode', 'Command']];
const MEASURES = [['cost', 'Cost'], ['tokens', 'Tokens'], ['attempts', 'Attempts']];
const NAMELESS = {tenant: 'no key', lens: 'no lens', model: 'unknown', mode: 'unknown'};
const MOST = 8;

function measure(row, what) {
  return what === 'cost' ? Number(row.costUsd) : row[what];
}

export function usage(link) {
  let range = '24h';
  let by = 'model';
  let what = 'cost';
  let got = null;
  let graph = null;
  const controls = el('div', {class: 'bar end'});
  const sum = el('span', {class: 'dim'});
  const out = el('div');
  const node = el('section', {}, el('div', {class: 'bar'}, el('h2', {}, 'Usage'), sum, controls), out);

  function choose() {
    controls.replaceChildren(
      segments('What', MEASURES, what, value => { what = value; choose(); show(); }),
      segments('By', GROUPS, by, value => { by = value; choose(); load(); }),
      segments('Since', RANGES, range, value => { range = value; choose(); load(); }));
  }

  async function load() {
    got = await link.ask('/admin/usage?range=' + range + '&by=' + by);
    show();
  }

  function show() {
    if (!got) return;
    graph?.end();
    graph = null;
    const groups = new Map();
    for (const row of got.rows) {
      const known = groups.get(row.group) ?? {name: row.group, cost: 0, tokens: 0, attempts: 0, input: 0, output: 0, cached: 0, throttled: 0, unpriced: 0, at: new Map()};
      known.cost += Number(row.costUsd);
      for (const each of ['tokens', 'attempts', 'input', 'output', 'cached', 'throttled', 'unpriced']) known[each] += row[each];
      known.at.set(row.at, measure(row, what));
      groups.set(row.group, known);
    }
    const list = [...groups.values()].sort((one, other) => other[what] - one[what] || one.name.localeCompare(other.name));
    const total = name => list.reduce((all, each) => all + each[name], 0);
    if (!list.length) {
      say(sum, '');
      out.replaceChildren(el('div', {class: 'panel'}, empty('Nothing was used in this period', 'Every run of Flyball with a history, and every call through the gateway, counts here.')));
      return;
    }
    say(sum, money(total('cost')) + ', ' + short(total('tokens')) + ' tokens in ' + plural(total('attempts'), 'attempt') + (got.simulated ? ', simulated' : ''));
    const shown = list.slice(0, MOST);
    const rest = list.slice(MOST);
    const step = got.stepSeconds;
    const x = [];
    for (let at = got.from; at <= got.until; at += step) x.push(at);
    const layer = of => x.map(at => of.reduce((all, each) => all + (each.at.get(at) ?? 0), 0));
    const series = shown.map((each, i) => ({name: each.name || NAMELESS[by], colour: colour(i), values: layer([each])}));
    if (rest.length) series.push({name: plural(rest.length, 'other'), colour: 'var(--c0)', values: layer(rest)});
    graph = chart({label: 'Usage over time', height: innerWidth < 720 ? 200 : Math.max(280, Math.round(innerHeight * 0.36)), kind: 'bars', stacked: true, format: what === 'cost' ? money : short, axis: 62});
    const money_ = what === 'cost';
    const whole = Math.max(1e-12, total(what));
    const rows = [...shown, ...(rest.length ? [rest.reduce((all, each) => {
      for (const name of ['cost', 'tokens', 'attempts', 'input', 'output', 'cached', 'throttled', 'unpriced']) all[name] += each[name];
      return all;
    }, {name: plural(rest.length, 'other'), rest: true, cost: 0, tokens: 0, attempts: 0, input: 0, output: 0, cached: 0, throttled: 0, unpriced: 0})] : [])];
    const cell = (value, label) => el('td', {class: 'num', 'data-label': label}, value);
    out.replaceChildren(
      el('div', {class: 'panel chart'}, graph.node),
      el('div', {class: 'panel scroll section'}, el('table', {class: 'cards'},
        el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, GROUPS.find(([name]) => name === by)[1]), ['Share', 'Attempts', '429s', 'Input', 'Output', 'Cached', 'Cost'].map(name => el('th', {class: 'num', scope: 'col'}, name)))),
        el('tbody', {}, rows.map((each, i) => el('tr', {},
          el('td', {class: 'text wide', title: each.name}, el('i', {class: 'swatch', style: {display: 'inline-block', 'margin-right': '.6rem', background: each.rest ? 'var(--c0)' : colour(i)}}), each.name || NAMELESS[by]),
          cell(Math.round(100 * each[what] / whole) + ' %', 'share'),
          cell(count(each.attempts), 'attempts'),
          cell(count(each.throttled), '429s'),
          cell(short(each.input), 'input'),
          cell(short(each.output), 'output'),
          cell(short(each.cached), 'cached'),
          cell(each.unpriced === each.attempts && each.cost === 0 && each.attempts > 0 ? 'no price' : money(each.cost) + (each.unpriced ? ' +' : ''), 'cost')))))));
    graph.show({x, series, money: money_});
  }

  choose();
  return {node, load, update() {}, every: 15_000, end: () => graph?.end()};
}
