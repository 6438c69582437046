import { createHash } from 'node:crypto';
import type { CheckResult, Finding, Report, ScenarioResult } from '../../engine/model.ts';
import { sourceLink } from '../../engine/source-link.ts';
import type { Exchange } from '../../http/recorder.ts';
import * as view from '../report-view.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { causeList, sourceLinkHtml } from './cause-block.ts';
import { escapeHtml } from './escape-html.ts';
import { exchangeAnchor, sequenceDiagram } from './sequence-diagram.ts';

/**
 * Renders a page that loads nothing: no font, no image, and one script and one style of its own. Its policy allows
 * those two alone, by their hashes, because most of its text was written by the judged peer.
 */
export function renderHtml(report: Report): string {
  const scenarios = view.inCauseOrder(report);
  const remarks = view.remarksOf(report).map((text) => `\n<p>${escapeHtml(text)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'">
<title>${view.headline(report)}: ${escapeHtml(report.target, 200)}</title>
<style>${STYLE}</style></head><body><main>
<header>
<p class="soft">agent-auth ${escapeHtml(report.version)} · conformance of ${article(report.role)}${view.inDialect(report)}</p>
<h1>${escapeHtml(report.target, 200)}</h1>
<p><strong class="verdict ${view.isGood(report) ? 'pass' : 'fail'}">${view.headline(report)}</strong> ${view.verdictLine(report)}</p>
<p>${view.scoreLine(report)}</p>${remarks.join('')}
<p class="soft"><time>${escapeHtml(report.startedAt)}</time> · ${view.seconds(report.duration)} · seed ${report.seed}</p>
</header>
${FILTER}
${causeList(report)}
<h2>Every check</h2>
${levels(report)}
${scenarios.map((scenario) => scenarioBlock(scenario)).join('\n')}
</main><script>${SCRIPT}</script></body></html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const COLUMNS = ['pass', 'fail', 'untestable', 'warn', 'skip'] as const;

const FILTER = `<form class="filter" hidden><input type="search" placeholder="words of a check" aria-label="Show what has these words">${COLUMNS.map(
  (status) =>
    `<label><input type="checkbox" value="${status}"><span class="${status}">${view.SYMBOL[status]} ${status}</span></label>`,
).join('')}<output class="soft"></output></form>`;

function article(role: Report['role']): string {
  return role === 'agent' ? 'an agent' : `a ${role}`;
}

function levels(report: Report): string {
  const rows = view.levelRows(report).map(({ level, counts }) => {
    const cells = COLUMNS.map(
      (status) => `<td class="${counts[status] === 0 ? 'zero' : status}">${counts[status]}</td>`,
    );
    return `<tr><td>${level}</td>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr><th>level</th><th>passed</th><th>failed</th><th>untestable</th><th>warned</th><th>skipped</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function scenarioBlock(scenario: ScenarioResult): string {
  const status = view.worst(scenario);
  const checks = view.ORDER.flatMap((each) => view.withStatus(scenario, each));
  return `<details id="${escapeHtml(scenario.id)}" data-group><summary><span class="mark ${status}">${view.SYMBOL[status]}</span><span>${escapeHtml(scenario.title)}</span><span class="count">${view.tally(scenario)}</span></summary><div class="body">
${checks.map((check) => checkBlock(scenario, check)).join('\n')}
${exchanges(scenario)}</div></details>`;
}

function checkBlock(scenario: ScenarioResult, check: CheckResult): string {
  const { id, status, title, level, known, reason, moreFindings, findings } = check;
  const isPassed = status === 'pass';
  const sources = check.sources.map((source) =>
    sourceLinkHtml(isPassed ? { text: source } : sourceLink(source)),
  );
  const label = `<p class="soft"><code>${escapeHtml(id)}</code> · ${level} · ${sources.join(', ')}</p>`;
  const why = reason === undefined ? '' : `<p class="${status}">${escapeHtml(reason)}</p>`;
  const excuse = known === undefined ? '' : `<p>Known: ${escapeHtml(known)}</p>`;
  const more = moreFindings === 0 ? '' : `<p class="soft">and ${moreFindings} more like it</p>`;
  return `<div class="check" data-status="${status}" id="${escapeHtml(id)}"><p class="title"><span class="mark ${status}">${view.SYMBOL[status]}</span><span>${escapeHtml(title)}</span></p>${label}${excuse}${why}${findings.map((finding) => findingBlock(scenario, check, finding)).join('')}${more}</div>`;
}

function findingBlock(scenario: ScenarioResult, check: CheckResult, finding: Finding): string {
  const beyond = view.expectedBeyond(check, finding);
  const expected = beyond === undefined ? '' : `<dt>expected</dt><dd>${escapeHtml(beyond)}</dd>`;
  const link =
    finding.exchange === undefined
      ? ''
      : `<dt>in</dt><dd><a href="#${escapeHtml(exchangeAnchor(scenario, finding.exchange))}">exchange ${finding.exchange}</a></dd>`;
  return `<dl class="finding">${expected}<dt>seen</dt><dd><code>${escapeHtml(finding.seen)}</code></dd>${link}</dl>`;
}

/** How many exchanges before the end are shown of a scenario that could not be judged to its end. */
const LAST = 3;

/** The exchanges that show what is wrong, with the way there; of checks that passed, none. */
function exchanges(scenario: ScenarioResult): string {
  const marked = new Set(
    scenario.checks.flatMap(({ findings }) => findings.flatMap(({ exchange }) => exchange ?? [])),
  );
  const isOpen = view.withStatus(scenario, 'untestable').length > 0;
  const shown = scenario.exchanges.filter(
    ({ number }, index) =>
      marked.has(number) || (isOpen && index >= scenario.exchanges.length - LAST),
  );
  if (shown.length === 0) return '';
  const last = shown.at(-1)?.number ?? 0;
  const drawn = scenario.exchanges.filter(({ number }) => number <= last).slice(-MOST_ROWS);
  const numbers = new Set(shown.map(({ number }) => number));
  const title = `${shown.length} ${shown.length === 1 ? 'exchange' : 'exchanges'} of ${scenario.exchanges.length}`;
  return `<details class="exchange"><summary>${title}</summary><div class="body">${sequenceDiagram({ ...scenario, exchanges: drawn }, marked, numbers)}${shown.map((exchange) => exchangeBlock(scenario, exchange)).join('')}</div></details>`;
}

/** The way to a finding that is longer than this begins in its middle. */
const MOST_ROWS = 40;

function exchangeBlock(scenario: ScenarioResult, exchange: Exchange): string {
  const anchor = exchangeAnchor(scenario, exchange.number);
  const tokens = (exchange.tokens ?? []).map((token) => `\n\n${view.tokenText(token)}`).join('');
  return `<details class="exchange"><summary><span class="soft">${exchange.number}</span><span>${escapeHtml(view.exchangeLine(exchange))}</span></summary><pre id="${escapeHtml(anchor)}">${escapeHtml(view.exchangeText(exchange) + tokens, Number.POSITIVE_INFINITY)}</pre></details>`;
}
