import type { Exchange } from '../../traffic/index.ts';

export type Members = Readonly<Record<string, unknown>>;

const FINGERPRINT = /secret~[\w-]{8}/g;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a body; none where it is no object. */
export function membersOf(body: unknown): Members {
  return isMembers(body) ? body : {};
}

/** The fingerprint of a value that is a secret as a whole, a JWT included. */
export function fingerprintOf(value: unknown): string | undefined {
  if (isMembers(value)) return 'claims' in value ? fingerprintOf(value['jwt']) : undefined;
  return typeof value === 'string' && /^secret~[\w-]{8}$/.test(value) ? value : undefined;
}

/** All fingerprints within a text. */
export function fingerprintsIn(text: string): readonly string[] {
  return text.match(FINGERPRINT) ?? [];
}

/** The fingerprint of the token in `Authorization: Bearer …`. */
export function bearerOf({ request }: Exchange): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  return fingerprintOf(token);
}

/** The status of an answer of the server itself: none where there was no answer, or that of a proxy before it (RFC 9209 §2.1.1). */
export function statusOf({ response, status }: Exchange): number | undefined {
  const isOfProxy = /;\s*error=/.test(response.headers['proxy-status'] ?? '');
  return status === null || isOfProxy ? undefined : status;
}

export function isSuccess(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== undefined && status >= 200 && status < 300;
}

/** The code of a refusal (RFC 6749 §5.2); undefined for anything else. */
export function errorOf(exchange: Exchange): string | undefined {
  const status = statusOf(exchange);
  if (status === undefined || status < 400) return undefined;
  const error = membersOf(exchange.response.body)['error'];
  return typeof error === 'string' ? error : undefined;
}

/** When an answer had begun, on the clock of who answered. */
export function answeredAt({ at, duration }: Exchange): number {
  return at + duration;
}

export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The media type in lower case, without parameters (RFC 9110 §8.3.1). */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The members of a body and of what lies in it, to a depth that answers have. */
export function* eachMember(body: unknown, depth = 0): Generator<readonly [string, unknown]> {
  if (depth > 5) return;
  if (Array.isArray(body)) {
    for (const each of body) yield* eachMember(each, depth + 1);
  } else if (isMembers(body)) {
    for (const entry of Object.entries(body)) {
      yield entry;
      yield* eachMember(entry[1], depth + 1);
    }
  }
}
