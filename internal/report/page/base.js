// Texts of the record are data: they become text nodes, never markup, and are keys of Maps alone.
const $ = (id) => document.getElementById(id);
const report = JSON.parse(document.querySelector('script.report').textContent);
const chunks = [...document.querySelectorAll('script.texts')];
const { sums, calls } = report;
const SIZE = 200; // calls in each of them
const parsed = new Map();
const content = (i) => {
  const at = Math.floor(i / SIZE);
  if (!parsed.has(at)) parsed.set(at, JSON.parse(chunks[at].textContent));
  return parsed.get(at)[i % SIZE];
};

const el = (name, props, ...children) => {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props || {})) {
    if (key === 'class') e.className = value;
    else if (key === 'click') e.addEventListener('click', value);
    else if (value !== undefined && value !== null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
};

// Characters that are not seen, or that reorder a line, are shown by name.
const HIDDEN = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff])\1*/g;
const NAMES = new Map([['\u0000', 'NUL'], ['\u001b', 'ESC'], ['\r', 'CR'], ['\u0007', 'BEL'], ['\b', 'BS'], ['\f', 'FF'], ['\u007f', 'DEL'], ['\ufeff', 'BOM']]);
const MOST_MARKS = 2000;
const put = (into, text) => {
  let from = 0, marks = 0;
  for (const m of text.matchAll(HIDDEN)) {
    if (++marks > MOST_MARKS) break;
    into.append(text.slice(from, m.index));
    const name = NAMES.get(m[1]) || 'U+' + m[1].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
    into.append(el('span', { class: 'ctl' }, m[0].length > 1 ? name + ' \u00d7' + m[0].length : name));
    from = m.index + m[0].length;
  }
  into.append(text.slice(from));
  return into;
};
const shown = (text) => put(el('bdi'), text || '');

const number = (n) => Math.round(n).toLocaleString('en-US');
const bytes = (n) => {
  if (n < 1024) return n + ' B';
  const units = ['KB', 'MB', 'GB', 'TB'];
  let u = -1;
  do { n /= 1024; u++; } while (n >= 1023.95 && u < units.length - 1);
  return n.toFixed(1) + ' ' + units[u];
};
const share = (part, whole) => (whole > 0 ? (100 * part / whole) : 0);
const percent = (part, whole) => {
  const p = share(part, whole);
  return (p > 0 && p < 1 ? '<1' : Math.round(p)) + ' %';
};
const time = (ms) => {
  if (ms < 1000) return (ms < 10 && ms > 0 ? ms.toFixed(1) : Math.round(ms)) + ' ms';
  if (ms < 60000) return (ms / 1000).toFixed(1) + ' s';
  const m = Math.floor(ms / 60000), s = Math.floor(ms / 1000) % 60;
  return m < 60 ? m + 'm ' + String(s).padStart(2, '0') + 's' : Math.floor(m / 60) + 'h ' + String(m % 60).padStart(2, '0') + 'm';
};
const clock = (ms) => {
  const s = Math.floor(ms / 1000), two = (n) => String(n).padStart(2, '0');
  return s < 3600 ? two(Math.floor(s / 60)) + ':' + two(s % 60) : Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
};
const plural = (n, word) => number(n) + ' ' + word + (n === 1 ? '' : 's');
const toolName = (c) => c.tool || '(unknown)';
const zero = (n, text) => (n ? text : el('span', { class: 'zero' }, '0'));
