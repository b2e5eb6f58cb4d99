// Elements made of values. Text is only ever set as text, so what strangers wrote stays words.

export function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (name === 'style') {
      for (const [property, is] of Object.entries(value)) {
        made.style.setProperty(property, is);
      }
    } else {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.flat().filter(child => child !== undefined && child !== null && child !== false));
  return made;
}

/** Sets a text, and touches the page only if it is another. */
export function say(node, text) {
  const now = String(text);
  if (node.textContent !== now) {
    node.textContent = now;
  }
}

export function mark(node, name, value) {
  if (value === undefined || value === null || value === '') {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, String(value));
  }
}

/**
 * Keeps the children of a node in step with a list: each item has a part that is made once and
 * then told of changes, so that focus, selection and what is under the pointer stay.
 */
export function keyed(node, make) {
  const parts = new Map();
  return (items, key) => {
    const wanted = new Set();
    let at = 0;
    for (const item of items) {
      const id = key(item);
      wanted.add(id);
      let part = parts.get(id);
      if (!part) {
        part = make(item);
        parts.set(id, part);
      }
      part.update(item);
      if (node.children[at] !== part.node) {
        node.insertBefore(part.node, node.children[at] ?? null);
      }
      at++;
    }
    for (const [id, part] of parts) {
      if (!wanted.has(id)) {
        part.node.remove();
        parts.delete(id);
      }
    }
  };
}

export function empty(title, words, command) {
  return el('div', {class: 'empty'}, el('strong', {}, title), words ?? '',
    command ? el('div', {}, el('code', {}, command)) : null);
}

/** A choice of one among a few. */
export function segments(label, choices, chosen, pick) {
  return el('div', {class: 'segments', role: 'group', 'aria-label': label}, choices.map(([value, text]) =>
    el('button', {type: 'button', 'aria-pressed': String(value === chosen), onclick: () => pick(value)}, text)));
}
