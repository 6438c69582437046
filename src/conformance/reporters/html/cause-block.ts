import type { Cause, Report } from '../../engine/model.ts';
import type { SourceLink } from '../../engine/source-link.ts';
import * as view from '../report-view.ts';
import { escapeHtml } from './escape-html.ts';
import { exchangeAnchor } from './sequence-diagram.ts';

/** What is wrong or missing, one entry a cause, under the headings that say what it means. */
export function causeList(report: Report): string {
  return view
    .causeSections(report)
    .map(
      (section) => `<section data-group><h2>${section.heading}</h2>${entries(section)}</section>`,
    )
    .join('\n');
}

function entries({ kind, causes }: view.CauseSection): string {
  const isLong = kind === 'warning';
  return causes.map((cause, index) => causeBlock(cause, !isLong && index < MOST_OPEN)).join('\n');
}

/** How many entries of each section are open. */
const MOST_OPEN = 3;

function causeBlock(cause: Cause, isOpen: boolean): string {
  const { status, title, kind, seen, tokens = [], repeat, exchange, known, sources, level } = cause;
  const checks = [...cause.checks, ...cause.resting];
  const expected = view.expectedOf(cause);
  const advice = view.adviceOf(cause);
  const rows = [
    ...(known === undefined ? [] : [row('known', escapeHtml(known || 'No reason is given.'))]),
    ...(expected === undefined ? [] : [row('expected', escapeHtml(expected))]),
    ...(seen === undefined
      ? []
      : [
          kind === 'missing'
            ? row('because', escapeHtml(seen))
            : row('seen', `<code>${escapeHtml(seen)}</code>`),
        ]),
    ...tokens.map((token) => row('token', `<code>${escapeHtml(view.tokenText(token))}</code>`)),
    ...(advice === undefined ? [] : [row('add', `<code>${escapeHtml(advice)}</code>`)]),
    ...(repeat === undefined
      ? []
      : [row('again', `<pre>${escapeHtml(repeat, Number.POSITIVE_INFINITY)}</pre>`)]),
    ...(exchange === undefined ? [] : [row('in', exchangeLink(exchange))]),
    ...(checks.length > 1
      ? [
          row(
            'checks',
            `<details class="ids"><summary>${checks.length}</summary>${checks.map(checkLink).join(', ')}</details>`,
          ),
        ]
      : checks.map((id) => row('check', checkLink(id)))),
    ...(sources.length === 0
      ? []
      : [row('read', `${level} · ${sources.map(sourceLinkHtml).join(', ')}`)]),
  ];
  return `<details class="cause" data-status="${status}"${isOpen ? ' open' : ''}><summary><span class="mark ${status}">${view.SYMBOL[status]}</span><span>${escapeHtml(title)}</span><span class="count">${escapeHtml(countOf(cause))}</span></summary><dl class="finding">${rows.join('')}</dl></details>`;
}

function row(name: string, html: string): string {
  return `<dt>${name}</dt><dd>${html}</dd>`;
}

function countOf(cause: Cause): string {
  const more = cause.checks.length + cause.resting.length;
  return more > 1 ? `${more} checks` : view.checksOf(cause);
}

function exchangeLink({ scenario, number }: NonNullable<Cause['exchange']>): string {
  return `<a href="#${escapeHtml(exchangeAnchor({ id: scenario }, number))}">exchange ${number} of ${escapeHtml(scenario)}</a>`;
}

function checkLink(id: string): string {
  return `<a href="#${escapeHtml(id)}"><code>${escapeHtml(id)}</code></a>`;
}

/** A link to where a source can be read: the web alone, because the pages of `docs/` are not beside a report. */
export function sourceLinkHtml({ text, href }: SourceLink): string {
  return href?.startsWith('https://')
    ? `<a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(text)}</a>`
    : escapeHtml(text);
}
