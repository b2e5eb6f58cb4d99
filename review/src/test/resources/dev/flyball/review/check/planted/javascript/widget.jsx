import React, { useEffect, useState } from 'react';

const TEMPLATES = { plain: '<b>plain</b>' };

export function Comment({ comment }) {
  return <div className="comment" dangerouslySetInnerHTML={{ __html: comment.body }} />;
}

export function Name({ user }) {
  return <span title={user.name}>{user.name}</span>;
}

export function Toast({ message }) {
  useEffect(() => {
    const node = document.getElementById('toast');
    node.innerHTML = `<p>${message}</p>`;
    node.textContent += message;
  }, [message]);
  return <div id="toast" />;
}

export function Banner() {
  useEffect(() => {
    document.querySelector('#banner').innerHTML = TEMPLATES.plain;
    const query = new URLSearchParams(location.search);
    document.querySelector('#banner')?.insertAdjacentHTML('beforeend', query.get('note') ?? '');
  }, []);
  return <div id="banner" />;
}

export function Chart({ points, formula }) {
  const [values, setValues] = useState([]);
  useEffect(() => {
    const compute = Function('x', 'return ' + formula);
    setValues(points.map((x) => compute(x)));
  }, [points, formula]);
  return (
    <ol>
      {values.map((value) => (
        <li key={value}>{value}</li>
      ))}
    </ol>
  );
}

export function listen(onMessage) {
  window.addEventListener('message', (event) => {
    try {
      onMessage(JSON.parse(event.data));
    } catch {
      console.debug('not for us', event.origin);
    }
  });
}

export function share(frame, data) {
  frame.contentWindow.postMessage(data, 'https://shop.example');
}
