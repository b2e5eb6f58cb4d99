// The runs of a history, for a page that has no server to look at.
import {el, empty} from '/ui/dom.js';
import {moment, time, money, count, plural} from '/ui/format.js';

export function runs(link) {
  const out = el('div');
  const node = el('section', {}, el('div', {class: 'bar'}, el('h2', {}, 'Runs')), out);
  function row(run) {
    const cell = (text, label) => el('td', {class: 'num', 'data-label': label}, text);
    const ended = run.endedAt !== null;
    const tone = !ended ? 'warn' : run.exit === 0 ? 'ok' : run.exit === 3 ? 'warn' : 'bad';
    return el('tr', {},
      el('td', {class: 'dim'}, moment(run.startedAt)),
      el('td', {}, run.command),
      el('td', {class: 'text wide', title: [run.repository, run.input, run.models].filter(Boolean).join(' · ')}, run.repository || run.input || run.models || '–'),
      el('td', {}, el('span', {class: 'tone-' + tone}, !ended ? 'not ended' : run.exit === 0 ? 'done' : run.exit === 3 ? 'incomplete' : 'exit ' + run.exit)),
      cell(ended ? count(run.completed) + ' of ' + count(run.calls) : '–', 'answered'),
      cell(ended ? time(run.tookMs) : '–', 'took'),
      cell(run.forecastMs !== null ? time(run.forecastMs) : '–', 'forecast'),
      cell(ended ? money(run.costUsd) : '–', 'cost'));
  }
  async function load() {
    const all = (await link.ask('/admin/runs')).runs;
    out.replaceChildren(all.length
      ? el('div', {class: 'panel scroll'}, el('table', {class: 'cards'}, el('thead', {}, el('tr', {},
        ['When', 'Command', 'About', 'Outcome'].map(name => el('th', {scope: 'col'}, name)), ['Answered', 'Took', 'Forecast', 'Cost'].map(name => el('th', {class: 'num', scope: 'col'}, name)))), el('tbody', {}, all.map(row))))
      : el('div', {class: 'panel'}, empty('No run yet', 'Batches and reviews that keep a history appear here.', 'flyball batch requests.jsonl')));
  }
  return {node, load, update() {}, every: 10_000};
}
