import { z } from 'zod';

/** What the provider has to know of a service before it mints for it. */
export interface Service {
  readonly audience: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly events: { readonly endpoint: string; readonly type: string } | undefined;
}

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const REVOKED = '/identity/assertion/revoked';
const LARGEST = 64 * 1024;

/** https, or http to this machine; no user, no fragment. */
const address = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(hostname));
  return isSafe && `${username}${password}${hash}` === '';
});

const serverMetadata = z.object({
  issuer: address,
  token_endpoint: address,
  grant_types_supported: z.array(z.string()).min(1),
  scopes_supported: z.array(z.string()).optional(),
  agent_auth: z.object({
    identity_endpoint: address,
    events_endpoint: address.optional(),
    events_supported: z.array(z.string()).optional(),
    identity_types_supported: z.array(z.string()),
    identity_assertion: z.object({ assertion_types_supported: z.array(z.string()) }),
  }),
});

const resourceMetadata = z.object({
  resource: address,
  authorization_servers: z.array(z.string()).min(1),
  scopes_supported: z.array(z.string()).optional(),
});

/** RFC 8414 §3: the issuer and nothing but; a final slash would be another issuer. */
export function isAudience(text: string): boolean {
  return address.safeParse(text).success && !text.includes('?') && !text.endsWith('/');
}

/** @returns undefined where the audience is no service that takes ID-JAGs. */
export async function findService(audience: string): Promise<Service | undefined> {
  const metadata = serverMetadata.safeParse(
    await getJson(inserted(audience, 'oauth-authorization-server')),
  ).data;
  if (metadata === undefined || metadata.issuer !== audience) return undefined;
  const { agent_auth: block } = metadata;
  const { origin, host } = new URL(audience);
  const own = [metadata.token_endpoint, block.identity_endpoint, block.events_endpoint ?? audience];
  if (own.some((url) => new URL(url).origin !== origin)) return undefined;
  if (!block.identity_types_supported.includes('identity_assertion')) return undefined;
  if (!block.identity_assertion.assertion_types_supported.includes(ID_JAG)) return undefined;
  const type = block.events_supported?.find((each) => each.endsWith(REVOKED));
  const takesEvents = block.events_endpoint !== undefined && type !== undefined;
  return {
    audience,
    name: `${host}${new URL(audience).pathname}`.replace(/\/$/, ''),
    scopes: metadata.scopes_supported ?? [],
    events: takesEvents ? { endpoint: block.events_endpoint ?? '', type } : undefined,
  };
}

/** RFC 9728 §3.3: whether the resource itself names the service as its authorization server. */
export async function isProtectedBy(resource: string, audience: string): Promise<boolean> {
  if (!address.safeParse(resource).success) return false;
  const found = resourceMetadata.safeParse(
    await getJson(inserted(resource, 'oauth-protected-resource')),
  ).data;
  return found?.resource === resource && found.authorization_servers.includes(audience);
}

function inserted(base: string, name: string): string {
  const { origin, pathname, search } = new URL(base);
  const path = base.startsWith(`${origin}/`) && pathname !== '/' ? pathname : '';
  return `${origin}/.well-known/${name}${path}${search}`;
}

async function getJson(url: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(3000);
    const answer = await fetch(url, { redirect: 'error', signal });
    const isJson = /^application\/json\b/i.test(answer.headers.get('content-type') ?? '');
    if (answer.status !== 200 || !isJson) return undefined;
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LARGEST) return undefined;
    }
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
