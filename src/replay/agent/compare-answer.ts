import { decodeJwt, isJsonObject } from '../../protocol/index.ts';
import { type Difference, isJwt, NOTHING, shown } from '../match/index.ts';
import { isPage, type RecordedExchange } from '../recording/index.ts';
import type { LiveAnswer } from './live-answer.ts';

const MAX_DEPTH = 40;
/** Headers that tell an agent what to do next. */
const TELLING = ['location', 'www-authenticate'];

/** In what an answer is another than the recorded one: status, error code, kind of body, members. */
export function compareAnswer(
  { response }: RecordedExchange,
  live: LiveAnswer,
): readonly Difference[] {
  const found: Difference[] = [];
  const note = (at: string, recorded: string, got: string) => {
    if (recorded !== got) found.push({ at, recorded, got });
  };
  note('status', String(response.status ?? 'no answer'), String(live.status));
  for (const name of TELLING) {
    note(`header ${name}`, presence(response.headers[name]), presence(live.headers.get(name)));
  }
  if (isPage(response)) {
    note(
      'body',
      'a page',
      /\bhtml\b/.test(live.headers.get('content-type') ?? '') ? 'a page' : kindOf(live.body),
    );
    return found;
  }
  if (response.body_state === undefined) compare(response.body, live.body, 'body', 0);
  return found;

  function compare(recorded: unknown, got: unknown, at: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (isJwt(recorded)) {
      const jwt = typeof got === 'string' ? decodeJwt(got) : undefined;
      if (jwt === undefined) note(at, 'a JWT', kindOf(got));
      else compare(recorded.claims, jwt.payload, `${at}.claims`, depth + 1);
      return;
    }
    if (!isJsonObject(recorded) || !isJsonObject(got)) {
      const isTime = recorded === '{time}' && typeof got === 'number';
      if (!isTime) note(at, kindOf(recorded), kindOf(got));
      return;
    }
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(got)])) {
      const where = `${at}.${shown(name, '')}`;
      const isThere = [Object.hasOwn(recorded, name), Object.hasOwn(got, name)];
      if (!isThere[0] || !isThere[1]) {
        note(
          where,
          isThere[0] ? kindOf(recorded[name]) : NOTHING,
          isThere[1] ? kindOf(got[name]) : NOTHING,
        );
      } else if (/^(?:error|code)$/.test(name) && typeof recorded[name] === 'string') {
        note(where, shown(recorded[name], ''), shown(got[name], ''));
      } else {
        compare(recorded[name], got[name], where, depth + 1);
      }
    }
  }
}

function presence(value: string | null | undefined): string {
  return value === null || value === undefined ? NOTHING : 'there';
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (Array.isArray(value)) return 'a list';
  if (isJwt(value)) return 'a JWT';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
