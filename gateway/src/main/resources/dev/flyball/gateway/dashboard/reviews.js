// Reviews, with what was found beside the code that it is about.
import {el, empty, mark} from '/ui/dom.js';
import {moment, time, short, plural} from '/ui/format.js';

const TONES = {critical: 'bad', major: 'warn', minor: ''};

export function reviews(link) {
  const list = el('ul', {class: 'panel picks', 'aria-label': 'Reviews'});
  const one = el('article', {class: 'panel review'});
  const both = el('div', {class: 'reviews'}, list, one);
  const none = el('div', {class: 'panel'}, empty('No review yet', 'Reviews of changes and repositories appear here with their findings.', 'flyball review --diff main...HEAD'));
  const node = el('section', {}, el('div', {class: 'bar'}, el('h2', {}, 'Reviews')), none, both);
  let all = [];
  let chosen = null;

  async function load() {
    all = (await link.ask('/admin/reviews')).reviews;
    none.classList.toggle('gone', all.length > 0);
    both.classList.toggle('gone', all.length === 0);
    chosen = all.find(each => each.id === chosen?.id) ?? all[0];
    list.replaceChildren(...all.map(each => el('li', {}, el('button', {type: 'button', 'data-id': each.id, onclick: () => pick(each)},
      el('span', {}, each.repository || 'a patch'),
      el('span', {class: 'dim'}, each.subject),
      el('span', {class: 'dim'}, moment(each.at) + ' · ' + each.decision + ' · ' + plural(each.findings.length, 'finding'))))));
    if (chosen) pick(chosen);
  }

  function pick(review) {
    chosen = review;
    for (const button of list.querySelectorAll('button')) mark(button, 'aria-pressed', String(button.dataset.id === review.id));
    one.replaceChildren(
      el('header', {}, el('h3', {}, review.repository || 'a patch', review.subject ? ': ' + review.subject : ''),
        el('p', {class: 'dim'}, [review.decision, review.summary, time(review.tookMs), short(review.tokens) + ' tokens', review.sha && review.sha.slice(0, 10)].filter(Boolean).join(' · '))),
      ...(review.findings.length ? review.findings.map(finding) : [empty('No findings', 'Nothing was found in what was reviewed.')]));
  }

  function finding(each) {
    return el('section', {class: 'finding'},
      el('div', {}, el('h3', {}, each.title),
        el('div', {class: 'tags'}, el('span', {class: 'pill', 'data-tone': TONES[each.severity]}, each.severity), el('span', {class: 'pill'}, each.category), each.lens && each.lens !== each.category ? el('span', {class: 'pill', title: 'lens'}, each.lens.replaceAll(',', ', ')) : null),
        each.text && each.text !== each.title ? el('p', {}, each.text) : null),
      el('div', {}, el('div', {class: 'place mono'}, each.file.slice(each.file.lastIndexOf('/') + 1) + (each.line > 0 ? ':' + each.line : ''),
        each.file.includes('/') ? el('small', {}, each.file.slice(0, each.file.lastIndexOf('/') + 1)) : null),
        each.code ? el('pre', {tabindex: '0', 'aria-label': 'Code'}, each.code) : el('p', {class: 'dim'}, 'No code was saved with it.')));
  }

  return {
    node, load, update() {}, every: 20_000,
    key(name) {
      const at = all.indexOf(chosen);
      if (name === 'j' && all[at + 1]) pick(all[at + 1]);
      if (name === 'k' && all[at - 1]) pick(all[at - 1]);
      return 'jk'.includes(name);
    },
  };
}
