'use strict';
(function () {
  var root = document.documentElement;
  root.classList.add('js');
  var findings = Array.prototype.slice.call(document.querySelectorAll('.finding'));
  var files = Array.prototype.slice.call(document.querySelectorAll('.file'));
  var words = document.getElementById('words');
  var category = document.getElementById('category');
  var lens = document.getElementById('lens');
  var known = document.getElementById('known');
  var shown = document.getElementById('shown');
  var boxes = Array.prototype.slice.call(document.querySelectorAll('[name=severity]'));

  function filter() {
    var wanted = words.value.trim().toLowerCase();
    var severities = boxes.filter(function (box) { return box.checked; }).map(function (box) { return box.value; });
    var count = 0;
    findings.forEach(function (finding) {
      var set = finding.dataset;
      var hidden =
        severities.indexOf(set.severity) < 0 ||
        (category.value && set.category !== category.value) ||
        (lens.value && set.lenses.split(' ').indexOf(lens.value) < 0) ||
        (set.known === 'yes' && !known.checked) ||
        (wanted && finding.textContent.toLowerCase().indexOf(wanted) < 0);
      finding.hidden = Boolean(hidden);
      count += hidden ? 0 : 1;
    });
    files.forEach(function (file) {
      file.hidden = !file.querySelector('.finding:not([hidden])');
    });
    shown.textContent = count + ' of ' + findings.length + ' shown';
  }

  function step(by) {
    var visible = findings.filter(function (finding) { return !finding.hidden; });
    var at = visible.indexOf(document.activeElement && document.activeElement.closest('.finding'));
    var next = visible[at < 0 ? (by > 0 ? 0 : visible.length - 1) : Math.min(visible.length - 1, Math.max(0, at + by))];
    if (next) {
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    }
  }

  [words, category, lens, known].concat(boxes).forEach(function (each) {
    each.addEventListener('input', filter);
  });
  document.addEventListener('keydown', function (event) {
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Escape' && event.target === words) {
      words.value = '';
      filter();
      words.blur();
    } else if (!typing && (event.key === 'j' || event.key === 'k')) {
      step(event.key === 'j' ? 1 : -1);
      event.preventDefault();
    } else if (!typing && event.key === '/') {
      words.focus();
      event.preventDefault();
    }
  });
  filter();
})();
