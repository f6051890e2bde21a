// The page Lab: one file without anything from elsewhere. It holds nothing of the lab; what it shows is asked for with the key that
// the person types, which stays in the tab. Its script and style are allowed by their hashes alone.
import { createHash } from 'node:crypto';
import type { AlsoServed } from '../../interface/openapi.ts';

export const LAB_SERVED = [
  {
    name: 'showLab',
    method: 'GET',
    path: '/lab',
    summary: 'A page with every tool that has sent',
    answer: 'text/html',
  },
  {
    name: 'readLab',
    method: 'GET',
    path: '/lab/tools',
    summary: 'Every tool that has sent, as the page shows it',
    answer: 'application/json',
  },
] as const satisfies readonly AlsoServed[];

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.4rem 0.8rem; text-align: left; border-bottom: 1px solid; font-variant-numeric: tabular-nums; }
td.number, th.number { text-align: right; }
tr.late td { font-weight: bold; }
input { font: inherit; width: 24rem; max-width: 100%; }
button { font: inherit; }
`;

const SCRIPT = `
'use strict';
const EVERY_MS = 5000;
const LATE_S = 300;
const AHEAD_S = 2;
const byId = (id) => document.getElementById(id);
const span = (seconds) => {
  const s = Math.max(0, Math.round(seconds));
  if (s < 120) return s + ' s';
  if (s < 7200) return Math.round(s / 60) + ' min';
  return s < 172800 ? Math.round(s / 3600) + ' h' : Math.round(s / 86400) + ' d';
};
const cell = (text, isNumber) => {
  const td = document.createElement('td');
  td.textContent = text;
  if (isNumber) td.className = 'number';
  return td;
};
const row = (tool, nowMs) => {
  const tr = document.createElement('tr');
  const isLate = tool.running > 0 && (nowMs - tool.lastChunkMs > LATE_S * 1000 || tool.behindS > LATE_S);
  const isAhead = tool.aheadS > AHEAD_S;
  if (isLate || isAhead) tr.className = 'late';
  const state = tool.running === 0 ? 'ended or quiet' : isLate ? 'late' : isAhead ? 'clock ahead' : 'sending';
  const gaps = tool.gaps === 0 ? 'none' : tool.gaps + ', longest ' + span(tool.longestGapS);
  const last = new Date(tool.lastPointMs).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
  const ahead = isAhead ? ', ' + span(tool.aheadS) + ' ahead of this clock when heard' : '';
  tr.append(
    cell(tool.tool), cell(state), cell(last + ahead), cell(span((nowMs - tool.lastChunkMs) / 1000) + ' ago', true),
    cell(span(tool.behindS), true), cell(gaps), cell(tool.running + ' of ' + tool.sources, true),
    cell(tool.points.toLocaleString('en'), true), cell(tool.agent || 'not told'),
  );
  return tr;
};
const say = (text) => { if (byId('said').textContent !== text) byId('said').textContent = text; };
let turn = 0;
const look = async () => {
  const mine = ++turn;
  const key = sessionStorage.getItem('key');
  byId('ask').hidden = key !== null;
  byId('forget').hidden = key === null;
  byId('tools').hidden = key === null;
  if (key === null) return say('Type in a key that may read.');
  try {
    const answer = await fetch('/lab/tools', { headers: { 'X-API-KEY': key } });
    if (mine !== turn) return;
    if (answer.status === 401 || answer.status === 403) {
      sessionStorage.removeItem('key');
      await look();
      return say('The service refuses this key: type in one that may read.');
    }
    if (!answer.ok) throw new Error('status ' + answer.status);
    const { nowMs, tools } = await answer.json();
    byId('rows').replaceChildren(...tools.map((tool) => row(tool, nowMs)));
    say(tools.length === 0 ? 'No tool has sent anything yet.' : tools.length + (tools.length === 1 ? ' tool has sent.' : ' tools have sent.'));
  } catch (fault) {
    if (mine === turn) say('The service does not answer; what stands below is from before.');
  }
  if (mine === turn) setTimeout(look, EVERY_MS);
};
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem('key', byId('key').value.trim());
  byId('key').value = '';
  void look();
});
byId('forget').addEventListener('click', () => { sessionStorage.removeItem('key'); byId('rows').replaceChildren(); void look(); });
void look();
`;

export const LAB_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Lab</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Lab</h1>
<p id="said" role="status"></p>
<form id="ask" hidden>
<label for="key">Key</label>
<input id="key" type="password" autocomplete="off" required>
<button>Show the tools</button>
</form>
<p><button id="forget" type="button" hidden>Forget the key</button></p>
<table id="tools" hidden>
<caption>Every tool that has sent, the last one first. Gaps are those of the hour before the newest point.</caption>
<thead><tr>
<th scope="col">Tool</th><th scope="col">State</th><th scope="col">Newest point</th>
<th scope="col" class="number">Last heard</th><th scope="col" class="number">Behind when heard</th><th scope="col">Gaps</th>
<th scope="col" class="number">Sources sending</th><th scope="col" class="number">Points of their streams</th>
<th scope="col">Sent by</th>
</tr></thead>
<tbody id="rows"></tbody>
</table>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const LAB_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};
