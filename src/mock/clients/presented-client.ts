import type { Form } from '../http/request.ts';

/** RFC 7523 §2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An id with its secret, as a request shows it. */
export interface ClientPair {
  readonly id: string;
  readonly secret: string;
  /** Whether it was not form-encoded, as RFC 6749 §2.3.1 has it. */
  readonly isRaw?: boolean;
}

/** What a request shows of its client (RFC 6749 §2.3, RFC 7523 §2.2). */
export type PresentedClient =
  /** Pairs in the order in which they are tried: decoded, as RFC 6749 §2.3.1 has it, then as many clients send them. */
  | { readonly by: 'basic'; readonly pairs: readonly ClientPair[] }
  | { readonly by: 'post'; readonly pairs: readonly ClientPair[] }
  | { readonly by: 'assertion'; readonly id: string | undefined; readonly assertion: string }
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'nothing' }
  /** More than one way (RFC 6749 §2.3). */
  | { readonly by: 'several' }
  | { readonly by: 'unreadable' };

export function presentedClient(request: Request, form: Form): PresentedClient {
  const authorization = request.headers.get('authorization');
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  const assertion = form.get('client_assertion');
  const ways = [authorization ?? undefined, secret, assertion].filter((way) => way !== undefined);
  if (ways.length > 1) return { by: 'several' };
  if (authorization !== null) {
    const pairs = basicPairs(authorization);
    return pairs === undefined ? { by: 'unreadable' } : { by: 'basic', pairs: namedBy(id, pairs) };
  }
  if (secret !== undefined) {
    return id === undefined ? { by: 'unreadable' } : { by: 'post', pairs: [{ id, secret }] };
  }
  if (assertion !== undefined) {
    const isJwt = form.get('client_assertion_type') === CLIENT_ASSERTION_TYPE;
    return isJwt ? { by: 'assertion', id, assertion } : { by: 'unreadable' };
  }
  return id === undefined ? { by: 'nothing' } : { by: 'id', id };
}

/** A `client_id` beside the header has to be the same. */
function namedBy(id: string | undefined, pairs: readonly ClientPair[]): readonly ClientPair[] {
  return id === undefined ? pairs : pairs.filter((pair) => pair.id === id);
}

function basicPairs(authorization: string): readonly ClientPair[] | undefined {
  const [, encoded] = /^basic +([a-z0-9+/]+=*) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const raw = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const [id, secret] = [formDecoded(raw.id), formDecoded(raw.secret)];
  const decoded = id === undefined || secret === undefined ? [] : [{ id, secret }];
  return [...decoded, { ...raw, isRaw: true }];
}

/** RFC 6749 appendix B. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
