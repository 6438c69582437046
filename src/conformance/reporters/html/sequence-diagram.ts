import type { ScenarioResult } from '../../engine/model.ts';
import type { Exchange } from '../../http/recorder.ts';
import { escapeHtml } from './escape-html.ts';

const COLUMN = 230;
const ROW = 46;
const TOP = 50;
const MARGIN = 92;

/**
 * The exchanges of a scenario, top to bottom: who asked whom, and what came back.
 * @param marked Numbers of those that show what is wrong.
 * @param linked Numbers of those that the page shows in full.
 */
export function sequenceDiagram(
  scenario: ScenarioResult,
  marked: ReadonlySet<number>,
  linked: ReadonlySet<number>,
): string {
  const { exchanges } = scenario;
  if (exchanges.length === 0) return '';
  const lanes = participants(exchanges);
  const x = (name: string) => MARGIN + lanes.indexOf(name) * COLUMN;
  const width = 2 * MARGIN + (lanes.length - 1) * COLUMN;
  const height = TOP + exchanges.length * ROW + 16;
  const columns = lanes.map(
    (name) =>
      `<line class="life" x1="${x(name)}" y1="34" x2="${x(name)}" y2="${height - 8}"/>` +
      `<rect class="who" x="${x(name) - 52}" y="6" width="104" height="26" rx="13"/>` +
      `<text class="name" x="${x(name)}" y="24">${escapeHtml(name)}</text>`,
  );
  const rows = exchanges.map((exchange, index) =>
    row(exchange, {
      y: TOP + index * ROW + 20,
      from: x(exchange.from),
      to: x(exchange.to),
      anchor: linked.has(exchange.number) ? exchangeAnchor(scenario, exchange.number) : undefined,
      isMarked: marked.has(exchange.number),
    }),
  );
  const label = `Sequence of ${exchanges.length} exchanges`;
  return `<div class="diagram"><svg role="img" aria-label="${label}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${columns.join('')}${rows.join('')}</svg></div>`;
}

/** The id of an exchange's details on the page. */
export function exchangeAnchor(scenario: Pick<ScenarioResult, 'id'>, number: number): string {
  return `${scenario.id}-${number}`;
}

function participants(exchanges: readonly Exchange[]): readonly string[] {
  const order = ['user', 'agent', 'suite', 'provider', 'service'];
  const names = new Set(exchanges.flatMap(({ from, to }) => [from, to]));
  return [...names].sort((a, b) => rank(order, a) - rank(order, b) || (a < b ? -1 : 1));
}

function rank(order: readonly string[], name: string): number {
  const at = order.indexOf(name);
  return at < 0 ? order.length : at;
}

interface Place {
  readonly y: number;
  readonly from: number;
  readonly to: number;
  readonly anchor: string | undefined;
  readonly isMarked: boolean;
}

function row(exchange: Exchange, { y, from, to, anchor, isMarked }: Place): string {
  const { request, response, number } = exchange;
  const status = response === undefined ? '×' : String(response.status);
  const kind = response === undefined ? 'none' : `s${Math.floor(response.status / 100)}`;
  const isSelf = from === to;
  const end = isSelf ? from + 60 : to;
  const direction = end > from ? -1 : 1;
  const middle = (from + end) / 2;
  const path = `${request.method} ${shortPath(request.url)}`;
  const drawn =
    `<g${isMarked ? ' class="marked"' : ''}>` +
    `<title>${escapeHtml(`${number}. ${request.method} ${request.url}`)}</title>` +
    `<rect class="hit" x="0" y="${y - 22}" width="100%" height="${ROW}" rx="6"/>` +
    `<text class="number" x="16" y="${y + 4}">${number}</text>` +
    `<text class="label" x="${middle}" y="${y - 6}">${escapeHtml(path)}</text>` +
    `<line class="arrow" x1="${from}" y1="${y}" x2="${end}" y2="${y}"/>` +
    `<path class="head" d="M${end} ${y}l${7 * direction}-4v8z"/>` +
    `<rect class="badge ${kind}" x="${middle - 17}" y="${y + 4}" width="34" height="16" rx="4"/>` +
    `<text class="status" x="${middle}" y="${y + 16}">${escapeHtml(status)}</text>` +
    '</g>';
  return anchor === undefined ? drawn : `<a href="#${escapeHtml(anchor)}">${drawn}</a>`;
}

const LONGEST = 30;

function shortPath(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return path.length > LONGEST ? `…${path.slice(1 - LONGEST)}` : path;
}
