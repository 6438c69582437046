import type { Bindings } from '../bindings.ts';
import { type Bind, type Comparison, matchText, matchValue } from '../match/index.ts';
import { namesIn, type RecordedExchange } from '../recording/index.ts';
import type { LiveAnswer } from './live-answer.ts';

const COOKIES = /, *(?=[^;,=\s]+=)/;

/** Takes the names that the recorded answer was the first to have for what the live one has there. */
export function bindAnswer(
  { gives, response }: RecordedExchange,
  live: LiveAnswer,
  bindings: Bindings,
): void {
  const first = new Set(gives);
  const bind: Bind = (name, value) => {
    if (first.has(name) || bindings.get(name) === undefined) bindings.set(name, value);
    return true;
  };
  const ignored: Comparison = { hard: [], soft: 0 };
  matchValue(response.body, live.body, bind, ignored, 'body');
  for (const [name, value] of Object.entries(response.headers)) {
    if (name === 'set-cookie') {
      bindCookies(value, live.headers.getSetCookie(), bind);
    } else if (namesIn(value).length > 0) {
      matchText(value, live.headers.get(name) ?? '', bind);
    }
  }
}

/** By the names of the cookies: their attributes may be others. */
function bindCookies(recorded: string, live: readonly string[], bind: Bind): void {
  const values = new Map(live.map(pairOf));
  for (const cookie of recorded.split(COOKIES)) {
    const [name, template] = pairOf(cookie);
    const value = values.get(name);
    if (value !== undefined && value !== '') matchText(template, value, bind);
  }
}

function pairOf(cookie: string): [string, string] {
  const [pair = ''] = cookie.split(';');
  const at = pair.indexOf('=');
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
