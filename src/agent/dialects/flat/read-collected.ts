import { type Answer, requireJson } from '../../http/answer.ts';
import { readMembers } from '../../http/read-members.ts';
import { readBearerToken } from '../../http/read-token.ts';
import type { AccessToken, Warning } from '../../model.ts';
import { readNames } from '../parts/read-names.ts';
import { collectedAnswer } from './answers.ts';

/** The token of a completed claim. What RFC 6749 §5.1 spells otherwise is read as far as it can be, with a warning. */
export function readCollected(
  answer: Answer,
  who: string,
  now: number,
): { readonly token: AccessToken; readonly warnings: readonly Warning[] } {
  const members = readMembers(answer, who, collectedAnswer);
  const { expires_in: span, scope } = requireJson(answer, who);
  const seconds = readSpan(span);
  const read = readBearerToken(
    answer,
    who,
    { ...members, expires_in: seconds, scope: readNames(scope)?.join(' ') },
    now,
  );
  return { token: read.token, warnings: [...read.warnings, ...misspelt(answer, who)] };
}

/** What RFC 6749 §5.1 spells otherwise in the token of a completed claim, which is given once. */
export function misspelt(answer: Answer, who: string): readonly Warning[] {
  const { expires_in: span, scope } = requireJson(answer, who);
  const odd = [
    ...(span === undefined || span === readSpan(span) ? [] : ['expires_in']),
    ...(scope === undefined || typeof scope === 'string' ? [] : ['scope']),
  ];
  return odd.map((name) => ({
    code: 'token_member_type',
    message: `${who} (${answer.where}) answered with another type of ${name} than it has (RFC 6749 §5.1); it is used as far as it can be read.`,
  }));
}

/** A positive whole number of seconds, also as text. */
function readSpan(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  const isSpan = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return isSpan ? Math.floor(seconds) : undefined;
}
