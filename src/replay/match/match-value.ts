import { isSecretName } from '../../exchanges/index.ts';
import { decodeJwt, displayText, isJsonObject, maskTokens } from '../../protocol/index.ts';
import { isName, namesIn } from '../recording/index.ts';
import { type Difference, NOTHING } from './difference.ts';
import { type Bind, matchText } from './match-text.ts';

/** What somebody may say otherwise without asking for anything else. */
const FREE =
  /^(?:email|csrf_token|return_to|reason|sub|client_id|iat|exp|nbf|auth_time|jti|nonce|(?:.*_)?(?:name|description|version|hint|purpose|contact))$/;
const MAX_DEPTH = 100;
const LONGEST_SHOWN = 120;

/** What was found where a recorded value was compared with a live one. */
export interface Comparison {
  /** Each makes it another one. */
  readonly hard: Difference[];
  /** How many points differ that need not be the same. */
  soft: number;
}

/** Compares a live body with a recorded one; a JWT is compared with what was recorded of it. */
export function matchValue(
  recorded: unknown,
  live: unknown,
  bind: Bind,
  found: Comparison,
  at: string,
  depth = 0,
): void {
  if (depth > MAX_DEPTH) return;
  const key = /[^.[\]]*$/.exec(at)?.[0] ?? '';
  const differ = () => {
    if (FREE.test(key)) found.soft += 1;
    else found.hard.push({ at, recorded: shown(recorded, key), got: shown(live, key) });
  };
  if (typeof recorded === 'string') {
    const text = typeof live === 'number' ? String(live) : live;
    const isTime = recorded === '{time}' && (typeof live === 'number' || typeof live === 'string');
    if (!isTime && !(typeof text === 'string' && matchText(recorded, text, bind))) differ();
    return;
  }
  if (isJwt(recorded)) {
    matchJwt(recorded, live, bind, found, at, depth);
    return;
  }
  if (Array.isArray(recorded)) {
    if (!Array.isArray(live) || live.length !== recorded.length) {
      differ();
      return;
    }
    for (const [index, each] of recorded.entries()) {
      matchValue(each, live[index], bind, found, `${at}[${index}]`, depth + 1);
    }
    return;
  }
  if (!isJsonObject(recorded)) {
    if (recorded !== live) differ();
    return;
  }
  if (!isJsonObject(live)) {
    differ();
    return;
  }
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
    const where = `${at}.${displayText(name, 60)}`;
    const [old, now] = [ownOf(recorded, name), ownOf(live, name)];
    if (old !== undefined && now !== undefined) {
      matchValue(old, now, bind, found, where, depth + 1);
    } else if (FREE.test(name)) {
      found.soft += 1;
    } else {
      found.hard.push({ at: where, recorded: shown(old, name), got: shown(now, name) });
    }
  }
}

function ownOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

interface RecordedJwt {
  readonly jwt: string;
  readonly header: unknown;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** As a transcript has a JWT: its name, and what is in it. */
export function isJwt(value: unknown): value is RecordedJwt {
  return (
    isJsonObject(value) &&
    typeof value['jwt'] === 'string' &&
    isName(value['jwt']) &&
    isJsonObject(value['claims']) &&
    isJsonObject(value['header'])
  );
}

/** Whom it is for decides; what else it says counts where several were recorded. */
function matchJwt(
  recorded: RecordedJwt,
  live: unknown,
  bind: Bind,
  found: Comparison,
  at: string,
  depth: number,
): void {
  const decoded = typeof live === 'string' ? decodeJwt(live) : undefined;
  if (typeof live !== 'string' || decoded === undefined) {
    found.hard.push({
      at,
      recorded: recorded.jwt,
      got: typeof live === 'string' ? 'no JWT' : shown(live, at),
    });
    return;
  }
  if (!bind(recorded.jwt, live)) {
    found.hard.push({ at, recorded: recorded.jwt, got: 'another JWT' });
    return;
  }
  const inside: Comparison = { hard: [], soft: 0 };
  matchValue(recorded.claims, decoded.payload, bind, inside, `${at}.claims`, depth + 1);
  found.soft += inside.soft;
  for (const difference of inside.hard) {
    if (/\.claims\.aud\b/.test(difference.at)) found.hard.push(difference);
    else found.soft += 1;
  }
}

/** For a message: names as they are recorded, and no value that may be a secret. */
export function shown(value: unknown, name: string): string {
  if (value === undefined || value === null) return NOTHING;
  if (isJwt(value)) return value.jwt;
  const isNamed = typeof value === 'string' && namesIn(value).length > 0;
  if (isSecretName(name) && !isNamed) return 'another value';
  // What lies in it may be secret by its name.
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) {
    return displayText(`an object with ${Object.keys(value).join(', ')}`, LONGEST_SHOWN);
  }
  return displayText(maskTokens(String(value)), LONGEST_SHOWN);
}
