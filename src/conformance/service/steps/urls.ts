import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { challengeParameter } from '../../http/challenge.ts';
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
  throw new CannotTest('No protected URL answered 401: name one with --resource.');
}

/** The `resource_metadata` of a 401. */
export function metadataHint(answer: Answer): string | undefined {
  return challengeParameter(answer.header('www-authenticate'), 'bearer', 'resource_metadata');
}
