// Who shares the gateway, and how much of their budgets is left.
import {el, say, mark, keyed, empty} from '/ui/dom.js';
import {count, short, money, time} from '/ui/format.js';

function budget(name) {
  const label = el('span', {class: 'name'});
  const left = el('span', {class: 'left'});
  const bar = el('i');
  const held = el('i', {style: {background: 'var(--c0)'}});
  const node = el('div', {class: 'gauge', role: 'meter', 'aria-valuemin': '0', 'aria-valuemax': '100'}, label, left, el('span', {class: 'track'}, bar, held));
  return {
    node,
    update(it) {
      const form = it.unit === 'dollars' ? money : short;
      const part = it.limit > 0 ? Math.min(1, it.spent / it.limit) : 1;
      const when = it.period === 'day' ? ' today' : ' this month';
      say(label, it.unit + when);
      left.replaceChildren(el('b', {}, form(it.spent)), ' of ' + form(it.limit) + (it.held > 0 ? ', ' + form(it.held) + ' held' : ''));
      bar.style.width = 100 * part + '%';
      held.style.width = 100 * Math.min(1 - part, it.limit > 0 ? it.held / it.limit : 0) + '%';
      mark(bar, 'data-tone', part >= 1 ? 'debt' : part >= it.softAt ? 'low' : '');
      mark(node, 'aria-valuenow', Math.round(100 * part));
      mark(node, 'aria-label', it.unit + when + ', part that is spent');
    },
  };
}

function tenant(actions) {
  const title = el('h3');
  const from = el('p', {class: 'from'});
  const pill = el('span', {class: 'pill'});
  const budgets = el('div', {class: 'gauges'});
  const fill = keyed(budgets, budget);
  const unlimited = el('p', {class: 'dim'}, 'No budget.');
  const facts = ['Weight', 'In flight', 'Waiting', 'Calls'].map(name => ({name, dd: el('dd')}));
  const models = el('p', {class: 'dim'});
  const revoke = el('button', {type: 'button', class: 'quiet danger act'}, 'Revoke key');
  let last = null;
  revoke.addEventListener('click', () => actions.revoke(last));
  const node = el('article', {class: 'panel lane'},
    el('header', {}, el('div', {}, title, from), pill), models, budgets, unlimited,
    el('dl', {class: 'facts'}, facts.map(each => el('div', {}, el('dt', {}, each.name), each.dd))),
    actions ? el('div', {}, revoke) : null);
  return {
    node,
    update(it) {
      last = it;
      say(title, it.name || 'Without a key');
      say(from, it.hint ? 'key ' + it.hint + '… · ' + it.priority : it.priority);
      const [tone, word] = it.revoked ? ['bad', 'revoked'] : it.blocked ? ['bad', 'budget spent'] : it.slowed ? ['warn', 'slowed'] : it.inFlight + it.waiting > 0 ? ['ok', 'active'] : ['', 'idle'];
      say(pill, word);
      mark(pill, 'data-tone', tone);
      const limits = [it.requestsPerMinute && count(it.requestsPerMinute) + ' requests/min', it.tokensPerMinute && short(it.tokensPerMinute) + ' tokens/min', it.mostInFlight && it.mostInFlight + ' at once'].filter(Boolean);
      say(models, [it.models.length ? 'models ' + it.models.join(', ') : 'all models', ...limits].join(' · '));
      fill(it.budgets, each => each.unit + each.period);
      unlimited.classList.toggle('gone', it.budgets.length > 0);
      [count(it.weight), count(it.inFlight), count(it.waiting), count(it.calls)].forEach((text, i) => say(facts[i].dd, text));
      revoke.classList.toggle('gone', !it.hint || it.revoked);
    },
  };
}

export function tenants(actions) {
  const cards = el('div', {class: 'lanes'});
  const fill = keyed(cards, () => tenant(actions));
  const none = el('div', {class: 'panel'}, empty('No tenant yet', 'Give each team or program a key of its own, with a weight and a budget.', 'flyball keys add alice --weight 2 --day-usd 5'));
  const node = el('section', {}, el('div', {class: 'bar'}, el('h2', {}, 'Tenants')), none, cards);
  return {
    node,
    update(state) {
      none.classList.toggle('gone', state.tenants.length > 0);
      fill(state.tenants, each => each.name + each.hint);
    },
  };
}
