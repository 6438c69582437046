import type { Exchange } from '../http/exchange.ts';
import { steadyText } from './steady-text.ts';

/** The same step of a scenario in two runs; one side is absent where only one run had it. */
export interface Step {
  readonly a?: Exchange;
  readonly b?: Exchange;
}

/** The exchanges of one scenario, and what was judged by it. */
export interface Side {
  readonly exchanges: readonly Exchange[];
  readonly target: string;
}

/** Beyond this many pairs the exchanges are paired by their order alone. */
const MOST_PAIRS = 4_000_000;

const SAME_PATH = 8;
const SAME_SHAPE = 4;
const SAME_PEERS = 2;
const SAME_STATUS = 1;

/**
 * Pairs the exchanges of two runs of a scenario, in their order: as many as possible of those with the same
 * path, shape of request and status, and beyond them those between the same two peers (Needleman–Wunsch).
 */
export function align(a: Side, b: Side): readonly Step[] {
  const left = a.exchanges.map((exchange) => outline(exchange, a.target));
  const right = b.exchanges.map((exchange) => outline(exchange, b.target));
  if (left.length * right.length > MOST_PAIRS) return byOrder(a, b);
  const width = right.length + 1;
  // best[i * width + j]: the most that the exchanges from i and j on are alike.
  const best = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const gain = likeness(left[i], right[j]);
      const paired = gain > 0 ? gain + at(i + 1, j + 1) : 0;
      best[i * width + j] = Math.max(paired, at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const gain = likeness(left[i], right[j]);
    const [first, second] = [a.exchanges[i], b.exchanges[j]];
    if (first && second && gain > 0 && at(i, j) === gain + at(i + 1, j + 1)) {
      steps.push({ a: first, b: second });
      i += 1;
      j += 1;
    } else if (first && (second === undefined || at(i, j) === at(i + 1, j))) {
      steps.push({ a: first });
      i += 1;
    } else {
      if (second) steps.push({ b: second });
      j += 1;
    }
  }
  return steps;
}

function byOrder(a: Side, b: Side): readonly Step[] {
  const length = Math.max(a.exchanges.length, b.exchanges.length);
  return Array.from({ length }, (_, index) => {
    const [first, second] = [a.exchanges[index], b.exchanges[index]];
    return { ...(first && { a: first }), ...(second && { b: second }) };
  });
}

interface Outline {
  readonly peers: string;
  readonly path: string;
  readonly shape: string;
  readonly status: number | undefined;
}

function outline({ from, to, request, response }: Exchange, target: string): Outline {
  return {
    peers: `${from} ${to} ${request.method}`,
    path: pathOf(request.url, target),
    shape: shapeOf(request.body),
    status: response?.status,
  };
}

function likeness(a: Outline | undefined, b: Outline | undefined): number {
  if (a === undefined || b === undefined || a.peers !== b.peers) return 0;
  const path = a.path === b.path ? SAME_PATH : 0;
  const shape = a.shape === b.shape ? SAME_SHAPE : 0;
  return SAME_PEERS + path + shape + (a.status === b.status ? SAME_STATUS : 0);
}

/** Where a request goes, without origin and query, and without what differs from run to run. */
export function pathOf(url: string, target: string): string {
  if (!URL.canParse(url)) return steadyText(url, target);
  // The parser writes marks as percent codes.
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return steadyText(path === '' ? '/' : path, target);
}

/** The names in a request body, and the values that say what it asks for. */
function shapeOf(body: string | undefined): string {
  if (body === undefined) return '';
  try {
    const document: unknown = JSON.parse(body);
    if (typeof document !== 'object' || document === null) return 'json';
    const { type, identity_type: identityType } = document as Readonly<Record<string, unknown>>;
    return [...Object.keys(document), type, identityType].join(' ');
  } catch {
    const form = new URLSearchParams(body.slice(0, 4096));
    return [...form.keys(), form.get('grant_type'), form.get('decision')].join(' ');
  }
}
