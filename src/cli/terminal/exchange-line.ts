import type { State } from '../../protocol/states.ts';
import type { Sink } from './streams.ts';
import type { Style } from './style.ts';

/** An exchange as it is listed; every text is safe to show. */
export interface ListedExchange {
  readonly from: string;
  readonly method: string;
  readonly path: string;
  /** `null`: there was no answer. */
  readonly status: number | null;
  /** The state of the registration afterwards. */
  readonly state: State | undefined;
  readonly meaning: string;
}

/** The width from which on an exchange and its meaning stand on one line. */
const WIDE = 120;
const INDENT = ' '.repeat(10);
const ROUTE_WIDTH = 44;
/** The width from which on they stand on one line if they fit, in columns of these widths. */
const MEDIUM = 96;
const SHORT_ROUTE_WIDTH = 30;
const STATE_WIDTH = 9;

/**
 * Sender, request, status, state of the registration, and what it means: one line, or two where the terminal is
 * too narrow for it.
 */
export function exchangeLines(style: Style, shown: ListedExchange, width: number): string[] {
  const { from, meaning, method, path, state, status } = shown;
  const isMedium = width >= MEDIUM && width < WIDE;
  const route = `${method.padEnd(4)} ${path}`.padEnd(isMedium ? SHORT_ROUTE_WIDTH : ROUTE_WIDTH);
  const head = `  ${style.dim(from.padEnd(8))} ${route} ${statusText(style, status)}  ${stateText(style, state)}`;
  const length = 11 + route.length + 6 + STATE_WIDTH + 2 + meaning.length;
  return width >= WIDE || (isMedium && length <= width)
    ? [`${head}  ${meaning}`]
    : [head, detailLine(meaning)];
}

/** The width for what is no screen: a line that nobody's terminal wraps. */
const PIPED_WIDTH = 140;

/** Columns that an exchange may take there. */
export function lineWidth({ columns, isTTY }: Sink): number {
  return isTTY ? columns : PIPED_WIDTH;
}

/** A line below one. */
export function detailLine(text: string): string {
  return text === '' ? '' : INDENT + text;
}

/** @param status `null`: there was no answer. */
export function statusText(style: Style, status: number | null): string {
  if (status === null) return style.red(' – ');
  const paint = status < 300 ? style.green : status < 400 ? style.cyan : style.yellow;
  return paint(String(status));
}

function stateText(style: Style, state: State | undefined): string {
  if (state === undefined) return ' '.repeat(STATE_WIDTH);
  const text = state.padEnd(STATE_WIDTH);
  if (state === 'claimed') return style.green(text);
  return state === 'revoked' || state === 'expired' ? style.red(text) : style.yellow(text);
}
