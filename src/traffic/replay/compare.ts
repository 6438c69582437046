import {
  decodeJwt,
  displayText,
  isJsonMediaType,
  isJsonObject,
  MEDIA_TYPE,
  maskPath,
  maskTokens,
  mediaTypeOf,
} from '../../protocol/index.ts';
import { readBody } from '../../runtime/index.ts';
import { isSecretName } from '../secret-names.ts';
import type { TranscribedExchange } from '../transcript.ts';
import { matchText, type Names, namesIn } from './names.ts';

/** What a request says, point by point: `method`, `path`, `query x`, `header authorization`, `body.grant_type`. */
export type Points = ReadonlyMap<string, string>;

/** A point in which a request is not as it was recorded. It quotes no secret. */
export interface Difference {
  readonly at: string;
  readonly recorded: string;
  readonly got: string;
}

const MAX_BODY = 1024 * 1024;
const MAX_DEPTH = 100;
/** What somebody may say otherwise without asking for anything else; of a JWT, all but whom it is for. */
const FREE =
  /^header cookie$|\.claims\.(?!aud\b)|\.(?:email|csrf_token|return_to|reason|client_id|(?:[^.]*_)?(?:name|description|version|hint|purpose|contact))$/;

export function recordedPoints({ request }: TranscribedExchange): Points {
  const { body, body_state: state, headers, method, url } = request;
  // All origins of the service are one.
  const target = url.replace(/^\{\w+\}/, '').replace(/#.*/, '');
  return pointsOf(method, target, headers, state === undefined ? body : null);
}

/** `undefined` for a body that is too long, or broke off. */
export async function livePoints(request: Request): Promise<Points | undefined> {
  const read = await readBody(request, MAX_BODY).catch(() => undefined);
  if (read?.ok !== true) return undefined;
  const { pathname, search } = new URL(request.url);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const headers = Object.fromEntries(request.headers);
  return pointsOf(method, pathname + search, headers, decode(read.text, mediaTypeOf(request)));
}

function decode(text: string, type: string): unknown {
  if (type === MEDIA_TYPE.form) return Object.fromEntries(new URLSearchParams(text));
  if (!isJsonMediaType(type) && !/^\s*[[{]/.test(text)) return text === '' ? null : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pointsOf(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Points {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const points = new Map([
    ['method', method],
    ['path', path.startsWith('/') ? path : `/${path}`],
  ]);
  for (const [name, value] of new URLSearchParams(query)) points.set(`query ${name}`, value);
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'content-type') points.set(`header ${name}`, value.replace(/\s*;.*/, ''));
    // The scheme of credentials is the same in any case (RFC 9110 §11.1).
    else if (isSecretName(name)) {
      points.set(
        `header ${name}`,
        value.replace(/^\w+(?= )/, (scheme) => scheme.toLowerCase()),
      );
    }
  }
  collect(body, 'body', points, 0);
  return points;
}

function collect(value: unknown, at: string, points: Map<string, string>, depth: number): void {
  if (value === null || value === undefined || depth > MAX_DEPTH) return;
  if (typeof value !== 'object') {
    points.set(at, String(value));
    const claims = decodeJwt(String(value))?.payload;
    if (claims !== undefined) collect(claims, `${at}.claims`, points, depth + 1);
  } else if (isRecordedJwt(value)) {
    points.set(at, value.jwt);
    collect(value.claims, `${at}.claims`, points, depth + 1);
  } else {
    for (const [name, each] of Object.entries(value)) {
      collect(each, `${at}.${displayText(name, 60)}`, points, depth + 1);
    }
  }
}

/** A JWT as a transcript has it: its name, and what is in it. */
export interface RecordedJwt {
  readonly jwt: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

export function isRecordedJwt(value: unknown): value is RecordedJwt {
  if (!isJsonObject(value)) return false;
  const { claims, header, jwt } = value;
  return typeof jwt === 'string' && isJsonObject(header) && isJsonObject(claims);
}

/** The points in which a request is not the recorded one; what somebody may say otherwise is none. */
export function compare(recorded: Points, live: Points, names: Names): readonly Difference[] {
  const differences: Difference[] = [];
  for (const at of new Set([...recorded.keys(), ...live.keys()])) {
    const [was, is] = [recorded.get(at), live.get(at)];
    const isThere = was !== undefined && is !== undefined;
    if (isThere && matchText(was, is, names)) continue;
    // A body may come without its type, but not of another one.
    if (FREE.test(at) || (at === 'header content-type' && !isThere)) continue;
    differences.push({ at, recorded: shown(was, at), got: shown(is, at) });
  }
  return differences;
}

/** A value for a message: names as they are recorded, and no value that may be a secret. */
function shown(value: string | undefined, at: string): string {
  if (value === undefined) return 'nothing';
  const isNamed = namesIn(value).length > 0;
  const name = at.replace(/^.*[ .]/, '');
  if (!isNamed && (isSecretName(name) || at.startsWith('query '))) return 'another value';
  return displayText(at === 'path' ? maskPath(value) : maskTokens(value), 120);
}
