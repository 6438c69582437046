import { plainText } from '../../engine/plain-text.ts';
import type { PassiveRule, Seen } from '../passive-rule.ts';
import { errorOf, isMembers, isSuccess, membersOf } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/;

export const metadataAgrees: PassiveRule = {
  id: 'metadata-agrees',
  requirements: [
    { id: 'ASM-02', level: 'must', by: 'service' },
    { id: 'W2-02', level: 'must', by: 'service' },
    { id: 'W2-09', level: 'must', by: 'service' },
  ],
  finds:
    'publishes metadata that disagrees: an `issuer` or a `resource` that is not what its URL was made from, or an issuer that `authorization_servers` spells in another way',
  spares:
    'a `resource` that is a path prefix of what was asked for, and other names of this machine',
  watch: () => {
    /** The issuer as `authorization_servers` spells it, by its spelling without a final slash. */
    const named = new RecentMap<string, string>(1_000);
    return ({ exchange, step }) => {
      if (!isSuccess(exchange) || !URL.canParse(exchange.url)) return [];
      const {
        issuer,
        authorization_servers: servers,
        resource,
      } = membersOf(exchange.response.body);
      const url = new URL(exchange.url);
      if (step === 'resource_metadata') {
        if (Array.isArray(servers)) {
          for (const server of servers) named.set(unslashed(String(server)), String(server));
        }
        if (typeof resource !== 'string' || !url.pathname.startsWith(RESOURCE)) return [];
        const derived = url.origin + url.pathname.slice(RESOURCE.length);
        if (covers(resource, derived)) return [];
        const message = `The metadata for ${shown(derived)} is about another resource: ${shown(resource)}.`;
        return [{ requirement: 'W2-02', message }];
      }
      if (step !== 'server_metadata' || typeof issuer !== 'string') return [];
      if (!SERVER.test(url.pathname)) return [];
      const derived = url.origin + url.pathname.replace(SERVER, '');
      if (unslashed(onThisMachine(issuer)) !== unslashed(onThisMachine(derived))) {
        if (exchange.to === 'provider') return [];
        const message = `The metadata at ${shown(derived)} is of another issuer: ${shown(issuer)}.`;
        return [{ requirement: 'ASM-02', message }];
      }
      const spelled = named.get(unslashed(issuer));
      if (spelled === undefined || spelled === issuer) return [];
      const message = `\`authorization_servers\` spells it ${shown(spelled)}, the server itself ${shown(issuer)}: agents compare letter by letter.`;
      return [{ requirement: 'W2-09', message }];
    };
  },
};

/** The same, or a path prefix of it that ends at a segment (X-01: judged so, and no more). */
function covers(resource: string, asked: string): boolean {
  const wide = unslashed(onThisMachine(resource));
  const narrow = unslashed(onThisMachine(asked));
  return narrow === wide || narrow.startsWith(`${wide}/`);
}

/** The names of this machine are one: whoever looks on may have used another than the service does. */
function onThisMachine(url: string): string {
  return url.replace(
    /^(https?:\/\/)(?:localhost|\[::1\]|127(?:\.\d+){3})(?=[:/]|$)/i,
    '$1127.0.0.1',
  );
}

function shown(url: string): string {
  return plainText(url, 120);
}

export const listedGrants: PassiveRule = {
  id: 'listed-grants',
  requirements: [{ id: 'ASM-06', level: 'must', by: 'service' }],
  finds: 'refuses a grant that its metadata lists as unsupported',
  spares: 'servers whose metadata was not seen',
  sees: ({ exchange }, { documents }) => {
    const grant = membersOf(exchange.request.body)['grant_type'];
    if (exchange.to !== 'service' || typeof grant !== 'string') return [];
    if (errorOf(exchange) !== 'unsupported_grant_type') return [];
    if (documents.serverAt(exchange.url)?.grants?.includes(grant) !== true) return [];
    const message =
      'The token endpoint does not support a grant that `grant_types_supported` lists.';
    return [{ requirement: 'ASM-06', message }];
  },
};

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

export const mintedGrants: PassiveRule = {
  id: 'minted-grants',
  requirements: [
    { id: 'IDJ-12', level: 'must', by: 'provider' },
    { id: 'IDJ-03', level: 'must', by: 'provider' },
  ],
  finds: 'mints an ID-JAG for another audience than was asked for, or does not say what it is',
  spares: 'an audience that differs in a final slash alone',
  sees: ({ exchange, step }) => {
    const { audience, requested_token_type: wanted } = membersOf(exchange.request.body);
    if (step !== 'mint' || !isSuccess(exchange) || wanted !== ID_JAG) return [];
    const body = membersOf(exchange.response.body);
    const found: Seen[] = [];
    const type = String(body['token_type'] ?? '').toUpperCase();
    if (body['issued_token_type'] !== ID_JAG || type !== 'N_A') {
      const message =
        'The answer with an ID-JAG is to have its URN as `issued_token_type`, and `token_type` N_A.';
      found.push({ requirement: 'IDJ-12', message });
    }
    const minted = body['access_token'];
    const claims = isMembers(minted) ? membersOf(minted['claims']) : {};
    const audiences = [claims['aud']].flat().map(unslashed);
    if (
      typeof audience === 'string' &&
      'aud' in claims &&
      (audiences.length !== 1 || audiences[0] !== unslashed(audience))
    ) {
      const message = 'The `aud` of the ID-JAG is not the one audience that was asked for.';
      found.push({ requirement: 'IDJ-03', message });
    }
    return found;
  },
};

function unslashed(value: unknown): string {
  return String(value).replace(/\/$/, '');
}
