import { createHash } from 'node:crypto';
import type { CheckResult, Finding, Report, ScenarioResult } from '../../engine/model.ts';
import type { Exchange } from '../../http/exchange.ts';
import {
  byReason,
  byUrgency,
  exchangeLine,
  exchangeText,
  expectedBeyond,
  headline,
  isGood,
  levelRows,
  ORDER,
  SYMBOL,
  scoreLine,
  seconds,
  tally,
  verdictLine,
  verdictReasons,
  withStatus,
  worst,
} from '../report-view.ts';
import { escapeHtml } from './escape-html.ts';
import { exchangeAnchor, sequenceDiagram } from './sequence-diagram.ts';
import { STYLE } from './style.ts';

/**
 * One page that loads nothing else, no script, no font, no image, and its policy allows
 * none, because most of its text was written by the judged peer.
 */
export function renderHtml(report: Report): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const bad = byUrgency(report.scenarios).filter((scenario) => !isQuiet(scenario));
  const good = report.scenarios.filter(isQuiet);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<title>${headline(report)}: ${escapeHtml(report.target, 200)}</title>
<style>${STYLE}</style></head><body><main>
<header>
<p class="soft">agent-auth ${escapeHtml(report.version)} · conformance of ${article(report.role)}</p>
<h1>${escapeHtml(report.target, 200)}</h1>
<p><strong class="verdict ${isGood(report) ? 'pass' : 'fail'}">${headline(report)}</strong> ${verdictLine(report)}</p>
<p>${[scoreLine(report), ...verdictReasons(report)].map((text) => escapeHtml(text)).join('<br>')}</p>
<p class="soft"><time>${escapeHtml(report.startedAt)}</time> · ${seconds(report.duration)} · seed ${report.seed}</p>
</header>
${levels(report)}
${list('Needs attention', bad, true)}
${list('Passed or skipped', good, false)}
${reasons(report)}
</main></body></html>
`;
}

function article(role: Report['role']): string {
  return role === 'agent' ? 'an agent' : `a ${role}`;
}

function isQuiet(scenario: ScenarioResult): boolean {
  return ['pass', 'skip'].includes(worst(scenario));
}

const COLUMNS = ['pass', 'fail', 'untestable', 'warn', 'skip'] as const;

function levels(report: Report): string {
  const rows = levelRows(report).map(({ level, counts }) => {
    const cells = COLUMNS.map(
      (status) => `<td class="${counts[status] === 0 ? 'zero' : status}">${counts[status]}</td>`,
    );
    return `<tr><td>${level}</td>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr><th>level</th><th>passed</th><th>failed</th><th>untestable</th><th>warned</th><th>skipped</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function list(title: string, scenarios: readonly ScenarioResult[], isOpen: boolean): string {
  if (scenarios.length === 0) return '';
  return `<h2>${title}</h2>${scenarios.map((scenario) => scenarioBlock(scenario, isOpen)).join('\n')}`;
}

function scenarioBlock(scenario: ScenarioResult, isOpen: boolean): string {
  const status = worst(scenario);
  const checks = ORDER.flatMap((each) => withStatus(scenario, each));
  const marked = new Set(
    checks.flatMap(({ findings }) => findings.flatMap(({ exchange }) => exchange ?? [])),
  );
  const exchanges =
    scenario.exchanges.length === 0
      ? ''
      : `<details class="exchange"><summary>${scenario.exchanges.length} ${scenario.exchanges.length === 1 ? 'exchange' : 'exchanges'}</summary><div class="body">${sequenceDiagram(scenario, marked)}${scenario.exchanges.map((exchange) => exchangeBlock(scenario, exchange)).join('')}</div></details>`;
  return `<details id="${escapeHtml(scenario.id)}"${isOpen ? ' open' : ''}><summary><span class="mark ${status}">${SYMBOL[status]}</span><span>${escapeHtml(scenario.title)}</span><span class="count">${tally(scenario)}</span></summary><div class="body">
${checks.map((check) => checkBlock(scenario, check)).join('\n')}
${exchanges}</div></details>`;
}

function checkBlock(scenario: ScenarioResult, check: CheckResult): string {
  const label = `<p class="soft"><code>${escapeHtml(check.id)}</code> · ${check.level} · ${escapeHtml(check.sources.join(', '))}</p>`;
  const more =
    check.moreFindings === 0 ? '' : `<p class="soft">and ${check.moreFindings} more like it</p>`;
  const reason =
    check.reason === undefined ? '' : `<p class="${check.status}">${escapeHtml(check.reason)}</p>`;
  return `<div class="check"><p class="title"><span class="mark ${check.status}">${SYMBOL[check.status]}</span><span>${escapeHtml(check.title)}</span></p>${label}${reason}${check.findings.map((finding) => findingBlock(scenario, check, finding)).join('')}${more}</div>`;
}

function findingBlock(scenario: ScenarioResult, check: CheckResult, finding: Finding): string {
  const beyond = expectedBeyond(check, finding);
  const expected = beyond === undefined ? '' : `<dt>expected</dt><dd>${escapeHtml(beyond)}</dd>`;
  const link =
    finding.exchange === undefined
      ? ''
      : `<dt>in</dt><dd><a href="#${escapeHtml(exchangeAnchor(scenario, finding.exchange))}">exchange ${finding.exchange}</a></dd>`;
  return `<dl class="finding">${expected}<dt>seen</dt><dd><code>${escapeHtml(finding.seen)}</code></dd>${link}</dl>`;
}

function exchangeBlock(scenario: ScenarioResult, exchange: Exchange): string {
  const anchor = exchangeAnchor(scenario, exchange.number);
  return `<details class="exchange"><summary><span class="soft">${exchange.number}</span><span>${escapeHtml(exchangeLine(exchange))}</span></summary><pre id="${escapeHtml(anchor)}">${escapeHtml(exchangeText(exchange), Number.POSITIVE_INFINITY)}</pre></details>`;
}

function reasons(report: Report): string {
  const skipped = report.scenarios.flatMap((scenario) => withStatus(scenario, 'skip'));
  if (skipped.length === 0) return '';
  const rows = [...byReason(skipped)].map(
    ([reason, checks]) => `<tr><td>${escapeHtml(reason)}</td><td>${checks.length}</td></tr>`,
  );
  return `<h2>Skipped</h2><table><thead><tr><th>because</th><th>checks</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
