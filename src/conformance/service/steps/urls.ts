import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { challengeParameter } from '../../http/challenge.ts';
import type { HeaderList } from '../../http/http-client.ts';
import { whyNoResource } from '../service-client.ts';
import type { ServiceWorld } from '../service-world.ts';

/** Absolute, https (http on loopback alone), without user, password and fragment. */
export function isSecureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value) || value.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** RFC 9728 §3.1, RFC 8414 §3.1: the well-known path between host and path. */
export function insertedUrl(url: string, wellKnown: string): string {
  const { origin, pathname } = new URL(url);
  return origin + wellKnown + (pathname === '/' ? '' : pathname);
}

/** @throws CannotTest when none is known. */
export function protectedUrl({ facts }: ServiceWorld): string {
  if (facts.resource !== undefined) return facts.resource;
  throw new CannotTest(whyNoResource(facts).reason);
}

/** The `resource_metadata` of a 401: quoted, or bare as the specification writes it. */
export function metadataHint(answer: Answer): string | undefined {
  const field = answer.header('www-authenticate');
  return challengeParameter(field, 'bearer', 'resource_metadata') ?? bareHint(field ?? '');
}

/** RFC 9110 §11.2 has a URL quoted, so that a bare one follows no grammar. */
function bareHint(field: string): string | undefined {
  return /\bBearer\s(?:.*[\s,])?resource_metadata=([^\s",]+)/i.exec(field)?.[1];
}

/** Header fields that name a foreign host as the one that was asked. */
const forwarded = (evil: string): readonly HeaderList[] => [
  [['x-forwarded-host', evil]],
  [
    ['x-forwarded-host', evil],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '4443'],
    ['x-forwarded-prefix', `/${evil}`],
  ],
  [['forwarded', `host=${evil};proto=https`]],
  [['x-original-host', evil]],
  [['x-host', evil]],
  [
    ['x-original-url', `/${evil}`],
    ['x-rewrite-url', `/${evil}`],
  ],
];

/** The headers that name a host, each with the check that judges it; Host itself last. */
export const namingHost = (evil: string) => [
  ...forwarded(evil).map((headers) => ['forwarded', headers] as const),
  ['host', [['host', evil]]] as const,
  ['host', [['host', `${evil}:4443`]]] as const,
];
