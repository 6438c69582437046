import { isSecretName } from '../../exchanges/index.ts';
import { maskPath } from '../../protocol/index.ts';
import { partsOf, type RecordedExchange } from '../recording/index.ts';
import { type Difference, NOTHING } from './difference.ts';
import type { LiveRequest } from './live-request.ts';
import { type Bind, matchText } from './match-text.ts';
import { type Comparison, matchValue, shown } from './match-value.ts';

export interface MatchedRequest {
  /** None: it is the same request. */
  readonly differences: readonly Difference[];
  /** How far it is from it in what need not be the same. */
  readonly distance: number;
}

/** Compares a request with a recorded one: method, path, query, credentials, form of the body, and the body. */
export function matchRequest(
  { request }: RecordedExchange,
  live: LiveRequest,
  bind: Bind,
): MatchedRequest {
  const found: Comparison = { hard: [], soft: 0 };
  if (request.method !== live.method) {
    found.hard.push({ at: 'method', recorded: request.method, got: live.method });
  }
  matchTarget(targetOf(request.url), live.target, bind, found);
  matchHeaders(request.headers, live.headers, bind, found);
  if (request.body_state === undefined) matchValue(request.body, live.body, bind, found, 'body');
  const wantedPage = /\btext\/html\b/.test(request.headers['accept'] ?? '');
  if (wantedPage !== live.wantsPage) found.soft += 1;
  return { differences: found.hard, distance: found.soft };
}

/** Path and query of a recorded URL: all origins of the service are one. */
export function targetOf(url: string): string {
  const [first] = partsOf(url);
  const rest =
    first !== undefined && 'name' in first
      ? url.slice(first.name.length)
      : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [target = ''] = rest.split('#');
  return target.startsWith('/') ? target : `/${target}`;
}

function matchTarget(recorded: string, live: string, bind: Bind, found: Comparison): void {
  const [recordedPath = '', recordedQuery = ''] = splitOnce(recorded);
  const [livePath = '', liveQuery = ''] = splitOnce(live);
  if (!matchText(decoded(recordedPath), decoded(livePath), bind)) {
    found.hard.push({ at: 'path', recorded: recordedPath, got: shown(maskPath(livePath), 'path') });
  }
  const [old, now] = [parameters(recordedQuery), parameters(liveQuery)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    if (was !== undefined && is !== undefined && matchText(was, is, bind)) continue;
    found.hard.push({
      at: `query ${shown(name, '')}`,
      recorded: shown(was, name),
      // In a query, what is secret has many names.
      got: is === undefined ? NOTHING : 'another value',
    });
  }
}

function splitOnce(target: string): readonly string[] {
  const at = target.indexOf('?');
  return at === -1 ? [target] : [target.slice(0, at), target.slice(at + 1)];
}

function parameters(query: string): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(query));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function matchHeaders(
  recorded: Readonly<Record<string, string>>,
  live: Readonly<Record<string, string>>,
  bind: Bind,
  found: Comparison,
): void {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
    const [was, is] = [recorded[name], live[name]];
    if (name === 'cookie') {
      // A browser may have more of them, and others.
      if (was === undefined || is === undefined || !matchText(was, is, bind)) found.soft += 1;
    } else if (name === 'content-type') {
      if (was !== undefined && is !== undefined && mediaType(was) !== mediaType(is)) {
        found.hard.push({
          at: 'header content-type',
          recorded: mediaType(was),
          got: mediaType(is),
        });
      }
    } else if (
      isSecretName(name) &&
      !(was !== undefined && is !== undefined && matchText(caseless(was), caseless(is), bind))
    ) {
      found.hard.push({ at: `header ${name}`, recorded: was ?? NOTHING, got: shown(is, name) });
    }
  }
}

function mediaType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

/** The scheme of credentials is the same in any case (RFC 9110 §11.1). */
function caseless(credentials: string): string {
  return credentials.replace(/^[A-Za-z]+(?= )/, (scheme) => scheme.toLowerCase());
}
