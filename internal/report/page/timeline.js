/* The time line */
const span = Math.max(1, calls.reduce((m, c) => Math.max(m, c.at + c.ms), 0), (report.jobs || []).reduce((m, j) => Math.max(m, j.at + j.ms), 0));
const line = { from: 0, to: span, hits: [], drag: null };
const MOST_ROWS = 9, MOST_JOBS = 12;
const lanes = report.tools.slice(0, MOST_ROWS).map((t) => t.name);
const laneOf = new Map(lanes.map((name, i) => [name, i]));
const more = calls.some((c) => !laneOf.has(c.tool));
if (more) lanes.push('others');
// Steps of how many calls ran at once: [time, number] in order.
const steps = (() => {
  const events = [];
  for (const c of calls) events.push([c.at, 1], [c.at + c.ms, -1]);
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let n = 0;
  return events.map(([at, by]) => [at, n += by]);
})();
const jobLanes = (() => {
  const ends = [], list = [];
  for (const j of (report.jobs || []).slice().sort((a, b) => a.at - b.at)) {
    let lane = ends.findIndex((end) => end <= j.at);
    if (lane < 0) lane = ends.length;
    if (lane >= MOST_JOBS) continue;
    ends[lane] = j.at + j.ms;
    list.push({ job: j, lane });
  }
  return { list, count: ends.length };
})();
const zoom = (from, to) => {
  const width = Math.max(Math.min(to - from, span), Math.min(20, span));
  line.from = Math.max(0, Math.min(from, span - width));
  line.to = line.from + width;
  const all = line.from <= 0 && line.to >= span;
  state.from = all ? null : line.from;
  state.to = all ? null : line.to;
  $('range').hidden = all;
  $('range').firstElementChild.textContent = clock(line.from) + ' \u2013 ' + clock(line.to) + ' (' + time(line.to - line.from) + '). The table shows the calls of this time.';
  drawLine();
};

const geometry = () => {
  const canvas = $('line'), width = canvas.clientWidth, small = width < 560;
  const left = small ? 64 : 96, right = 8, once = 40, lane = 20, jobs = jobLanes.count ? jobLanes.count * 12 + 14 : 0;
  const top = 8, laneTop = top + once + 14, jobTop = laneTop + lanes.length * lane + 8;
  return { canvas, width, left, right, once, lane, top, laneTop, jobTop, jobs, small, height: jobTop + jobs + 22,
    x: (at) => left + (at - line.from) / (line.to - line.from) * (width - left - right),
    time: (x) => line.from + (x - left) / (width - left - right) * (line.to - line.from) };
};

function drawLine() {
  const g = geometry(), { canvas } = g;
  if (!g.width) return;
  const ratio = devicePixelRatio || 1, css = getComputedStyle(document.documentElement);
  canvas.style.height = g.height + 'px';
  canvas.width = Math.round(g.width * ratio);
  canvas.height = Math.round(g.height * ratio);
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  // Custom properties keep light-dark() as it is written; a color property has the result.
  const probe = el('i');
  document.body.append(probe);
  const colour = (name) => { probe.style.color = 'var(--' + name + ')'; return getComputedStyle(probe).color; };
  const ink = { text: colour('muted'), faint: colour('faint'), line: colour('line'), bar: colour('bar'), mark: colour('muted'), error: colour('error'), select: colour('select'), soft: colour('soft') };
  probe.remove();
  c.font = '11.5px ' + css.getPropertyValue('--sans');
  c.textBaseline = 'middle';
  const label = (text, x, y, align, color) => { c.fillStyle = color || ink.text; c.textAlign = align || 'left'; c.fillText(text, x, y); };
  const fit = (text, room) => {
    if (c.measureText(text).width <= room) return text;
    while (text && c.measureText(text + '\u2026').width > room) text = text.slice(0, -1);
    return text + '\u2026';
  };
  drawGrid(c, g, ink, label);
  drawOnce(c, g, ink, label);
  lanes.forEach((name, i) => {
    const y = g.laneTop + i * g.lane + g.lane / 2;
    label(fit((name || '(unknown)').replace(HIDDEN, ' '), g.left - 12), 0, y);
  });
  drawCalls(c, g, ink);
  drawJobs(c, g, ink, label);
  if (line.drag && Math.abs(line.drag.x - line.drag.from) > 3) {
    const [a, b] = [line.drag.from, line.drag.x].sort((x, y) => x - y);
    c.globalAlpha = .18;
    c.fillStyle = ink.select;
    c.fillRect(Math.max(a, g.left), g.top, Math.min(b, g.width - g.right) - Math.max(a, g.left), g.height - g.top - 20);
    c.globalAlpha = 1;
  }
}
const drawGrid = (c, g, ink, label) => {
  const nice = [10, 50, 100, 250, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 144e5, 432e5, 864e5];
  const wanted = (line.to - line.from) / ((g.width - g.left) / (g.small ? 70 : 110));
  const every = nice.find((n) => n >= wanted) || Math.ceil(wanted / 864e5) * 864e5;
  for (let at = Math.ceil(line.from / every) * every; at <= line.to; at += every) {
    const x = Math.round(g.x(at)) + .5;
    c.strokeStyle = ink.line;
    c.beginPath(); c.moveTo(x, g.top); c.lineTo(x, g.height - 20); c.stroke();
    label(every < 1000 ? (at / 1000).toFixed(2) + ' s' : clock(at), Math.min(x, g.width - 18), g.height - 9, at === 0 ? 'left' : 'center');
  }
  c.setLineDash([2, 4]);
  c.strokeStyle = ink.faint;
  for (const gap of report.gaps || []) {
    if (gap < line.from || gap > line.to) continue;
    const x = Math.round(g.x(gap)) + .5;
    c.beginPath(); c.moveTo(x, g.top); c.lineTo(x, g.height - 20); c.stroke();
  }
  c.setLineDash([]);
};
// At most one step a pixel is drawn: the highest. The whole height is for FULL calls or more, so that one alone is low.
const FULL = 4;
const drawOnce = (c, g, ink, label) => {
  const most = steps.reduce((m, s) => Math.max(m, s[1]), 1), base = g.top + g.once, one = g.once / Math.max(most, FULL);
  label('at once', 0, base - g.once / 2);
  label(String(most), g.left - 6, base - most * one + 4, 'right', ink.faint);
  const high = new Uint16Array(Math.ceil(g.width) + 1);
  for (let i = 0; i + 1 < steps.length; i++) {
    if (!steps[i][1] || steps[i + 1][0] < line.from || steps[i][0] > line.to) continue;
    const a = Math.max(Math.floor(g.x(steps[i][0])), g.left), b = Math.min(Math.floor(g.x(steps[i + 1][0])), g.width - g.right);
    for (let x = a; x <= b; x++) high[x] = Math.max(high[x], steps[i][1]);
  }
  c.fillStyle = ink.bar;
  for (let x = 0; x < high.length; x++) if (high[x]) c.fillRect(x, base - one * high[x], 1, one * high[x]);
  c.strokeStyle = ink.line;
  c.beginPath(); c.moveTo(g.left, base + .5); c.lineTo(g.width - g.right, base + .5); c.stroke();
};
const drawCalls = (c, g, ink) => {
  line.hits = [];
  for (const bad of [false, true]) { // errors last, so that nothing hides them
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i];
      if (!!call.code !== bad || call.at + call.ms < line.from || call.at > line.to) continue;
      const lane = laneOf.has(call.tool) ? laneOf.get(call.tool) : lanes.length - 1;
      const x = Math.max(g.x(call.at), g.left), w = Math.max(Math.min(g.x(call.at + call.ms), g.width - g.right) - x, 2);
      const y = g.laneTop + lane * g.lane + 4;
      c.fillStyle = bad ? ink.error : ink.mark;
      c.globalAlpha = bad ? 1 : .75;
      c.fillRect(x, y, w, g.lane - 8);
      line.hits.push({ x, w, y: y - 4, h: g.lane, i });
    }
  }
  c.globalAlpha = 1;
};
const drawJobs = (c, g, ink, label) => {
  if (!jobLanes.count) return;
  label('jobs', 0, g.jobTop + 8);
  for (const { job, lane } of jobLanes.list) {
    if (job.at + job.ms < line.from || job.at > line.to) continue;
    const x = Math.max(g.x(job.at), g.left), w = Math.max(Math.min(g.x(job.at + job.ms), g.width - g.right) - x, 3);
    const y = g.jobTop + lane * 12 + 3;
    c.fillStyle = ink.bar;
    c.fillRect(x, y, w, 8);
    line.hits.push({ x, w, y: y - 2, h: 12, job });
  }
};
const hitAt = (x, y) => {
  let best = null;
  for (const h of line.hits) {
    if (y < h.y || y >= h.y + h.h || x < h.x - 3 || x > h.x + h.w + 3) continue;
    const far = Math.abs(x - Math.max(h.x, Math.min(x, h.x + h.w)));
    if (!best || far <= best.far) best = { far, h };
  }
  return best && best.h;
};
const timeline = () => {
  const canvas = $('line'), tip = $('tip');
  canvas.addEventListener('pointerdown', (e) => { if (e.button === 0) { line.drag = { from: e.offsetX, x: e.offsetX }; canvas.setPointerCapture(e.pointerId); } });
  canvas.addEventListener('pointermove', (e) => {
    if (line.drag) { line.drag.x = e.offsetX; drawLine(); tip.hidden = true; return; }
    const h = hitAt(e.offsetX, e.offsetY);
    canvas.style.cursor = h ? 'pointer' : 'crosshair';
    tip.hidden = !h;
    if (!h) return;
    const c = h.job ? null : calls[h.i];
    tip.replaceChildren(shown(c ? toolName(c) + ' ' + c.n + ' \u00b7 ' + time(c.ms) + ' \u00b7 ' + number(c.tokens) + ' tokens \u00b7 ' + c.brief
      : 'job ' + h.job.number + ' \u00b7 ' + h.job.state + ' \u00b7 ' + time(h.job.ms)));
    tip.style.top = h.y + h.h + 4 + 'px';
    tip.style.left = Math.max(0, Math.min(e.offsetX, canvas.clientWidth - tip.offsetWidth)) + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('pointercancel', () => { line.drag = null; drawLine(); });
  canvas.addEventListener('pointerup', (e) => {
    const d = line.drag;
    if (!d) return;
    line.drag = null;
    if (Math.abs(d.x - d.from) > 3) {
      const g = geometry(), [a, b] = [d.from, d.x].sort((x, y) => x - y);
      zoom(g.time(Math.max(a, g.left)), g.time(b));
      apply();
      return;
    }
    const h = hitAt(e.offsetX, e.offsetY);
    if (h && h.job) { if (h.job.call) openCall(h.job.call - 1); } else if (h) openCall(h.i);
    drawLine();
  });
  canvas.addEventListener('keydown', (e) => {
    const width = line.to - line.from, middle = (line.to + line.from) / 2;
    const to = { ArrowLeft: [line.from - width / 4, line.to - width / 4], ArrowRight: [line.from + width / 4, line.to + width / 4], '+': [middle - width / 4, middle + width / 4],
      '=': [middle - width / 4, middle + width / 4], '-': [middle - width, middle + width], 0: [0, span] };
    if (!Object.hasOwn(to, e.key)) return;
    zoom(...to[e.key]);
    apply();
    e.preventDefault();
    e.stopPropagation();
  });
  $('range').querySelector('button').addEventListener('click', () => { zoom(0, span); apply(); canvas.focus(); });
  canvas.setAttribute('aria-label', 'Time line of ' + plural(calls.length, 'call') + (sums.jobs ? ' and ' + plural(sums.jobs, 'job') : '') + ', at most ' + steps.reduce((m, s) => Math.max(m, s[1]), 0) + ' at once');
  new ResizeObserver(() => { drawLine(); render(); }).observe($('grid'));
};
