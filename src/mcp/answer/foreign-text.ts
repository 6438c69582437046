import type { Discovery } from '../../agent/index.ts';
import { displayLines, displayText } from '../../protocol/index.ts';
import type { SecretMask } from '../secrets/secret-mask.ts';
import type { JsonValue } from './answer.ts';

/** A stranger's text as it may be shown, and how much of it was left out. */
export interface ForeignText {
  readonly text: string;
  /** Characters that are not shown; 0: it is whole. */
  readonly leftOut: number;
}

/** More than any text that is shown: what lies behind is not even cleaned. */
const MOST_READ = 512 * 1024;

/**
 * A text of several lines: without control, bidi and invisible characters, without the secrets of this agent,
 * at most `limit` characters. In this order: an invisible character could hide a secret, a cut could leave
 * half of one.
 */
export function foreignText(given: string, limit: number, mask: SecretMask): ForeignText {
  const text = mask.hide(displayLines(given.slice(0, MOST_READ)));
  const isCut = text.length > limit;
  const shown = isCut ? text.slice(0, limit).toWellFormed() : text;
  const beyond = Math.max(0, given.length - MOST_READ);
  return { text: shown, leftOut: text.length - shown.length + beyond };
}

/** The same for a name or a word: one line. */
export function foreignLine(given: string, limit: number, mask: SecretMask): string {
  const text = mask.hide(displayText(given.slice(0, MOST_READ), Number.POSITIVE_INFINITY));
  return text.length > limit ? `${text.slice(0, limit - 1).toWellFormed()}…` : text;
}

/** The same for an id or a scope, which has no spaces (RFC 6749 §3.3): what is in one stays one word. */
export function foreignToken(given: string, limit: number, mask: SecretMask): string {
  return foreignLine(given, limit, mask).replace(/\s+/gu, '_');
}

/**
 * The same where it stands in a sentence of ours, such as an id or an email address: what could be read as words
 * is left out of it.
 */
export function foreignWord(given: string, limit: number, mask: SecretMask): string {
  return foreignLine(given, limit, mask).replace(/[^\p{L}\p{N}._~:@+/=…-]+/gu, '_');
}

/** Requests on the way to what a service publishes. */
export function hopsJson(hops: Discovery['hops'], mask: SecretMask): JsonValue {
  return hops.slice(0, 20).map(({ step, url, status, learnt }) => ({
    ...{ step, status },
    url: foreignLine(url, 300, mask),
    learnt: foreignLine(learnt, 300, mask),
  }));
}
