import {
  describeHost,
  displayText,
  hostReach,
  ID_JAG_GRANT_PROFILE,
  isDocumentUrl,
  isJsonObject,
  isLoopbackHost,
  type JsonObject,
  JWT_BEARER_GRANT,
  PRIVATE_KEY_MEMBERS,
  parsedUrl,
  TOKEN_EXCHANGE_GRANT,
  urlProblem,
} from '../../protocol/index.ts';
import type { MemberPath } from '../document.ts';
import { listOf, memberOf, rawText, shown } from '../read.ts';
import { type Draft, isDraft } from './fixes.ts';
import { type Breach, breach, type Fix, type Rule } from './rule.ts';

const DRAFT = 'draft-ietf-oauth-client-id-metadata-document-02';
const LINKS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'];
const GRANT_PAIR = [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT];

/** About the metadata document of a client, whose URL is its `client_id`. */
export const CLIENT_RULES = {
  'client-id-missing': {
    holds: 'The document of a client has its client_id.',
    why: 'It is by this member that servers know it for the document of the client that they were told.',
    source: `${DRAFT} §4`,
    says: 'There is no client_id.',
    instead: '"client_id": the URL of this document',
    find: inClient((json) => (rawText(json, 'client_id') === undefined ? [at('client_id')] : [])),
  },
  'client-id-not-a-place': {
    holds:
      'The client_id is an https URL with a path, without a user, a fragment and dot segments; http on loopback alone.',
    why: 'Servers fetch no other.',
    source: `${DRAFT} §3`,
    find: inClient((json) => {
      const id = rawText(json, 'client_id');
      if (id === undefined) return undefined;
      if (isDocumentUrl(id)) return [];
      return [at('client_id', `${shown(id)} is no URL at which servers read a document.`)];
    }),
  },
  'client-id-differs': {
    holds: 'The client_id is the URL of its document, letter for letter.',
    why: 'Servers compare both as strings, and refuse another: anybody could describe somebody else’s client.',
    source: `${DRAFT} §4`,
    find: inClient((json, url) => {
      const id = rawText(json, 'client_id');
      if (id === undefined || url === undefined) return undefined;
      if (id === url) return [];
      const message = `It was read at ${shown(url, 200)}, but is of ${shown(id, 200)}.`;
      return [at('client_id', message, `"client_id": "${shown(url, 200)}"`)];
    }),
  },
  'client-secret-published': {
    holds: 'The document has no secret.',
    why: 'Everybody reads it. A client proves itself by a key of its own, or is public.',
    source: `${DRAFT} §4.1`,
    fix: dropSecret,
    find: inClient((json) =>
      ['client_secret', 'client_secret_expires_at']
        .filter((name) => name in json)
        .map((name) => at(name, `${name} is for everybody to read.`, 'Leave it out.')),
    ),
  },
  'client-auth': {
    holds: 'The client authenticates by a key of its own, or is public.',
    why: 'A secret cannot be kept in the document, and servers know of the client what stands there. Left out, it is client_secret_basic.',
    source: `${DRAFT} §4.1`,
    find: inClient((json) => {
      const method = memberOf(json, 'token_endpoint_auth_method');
      if (method === 'none' || method === 'private_key_jwt') return [];
      const message =
        method === undefined
          ? 'There is no token_endpoint_auth_method.'
          : `Servers refuse ${shown(method)} here.`;
      const instead =
        '"token_endpoint_auth_method": "none" of a public client, "private_key_jwt" of one with a key';
      return [at('token_endpoint_auth_method', message, instead)];
    }),
  },
  'client-keys-missing': {
    holds: 'A client that signs names its keys, either in jwks or by jwks_uri.',
    why: 'Servers verify its assertions by them, and could not tell which of two sets counts.',
    source: 'RFC 7591 §2',
    find: inClient((json) => {
      const [set, uri] = [memberOf(json, 'jwks'), memberOf(json, 'jwks_uri')];
      if (set !== undefined && uri !== undefined) {
        return [at('jwks', 'There are both jwks and jwks_uri.', 'Leave one of them out.')];
      }
      const keys = keysOf(json);
      if (set !== undefined && !keys?.every(isJsonObject)) {
        return [at('jwks', 'It is no key set.', '"jwks": { "keys": [ … ] }')];
      }
      const isNeeded = rawText(json, 'token_endpoint_auth_method') === 'private_key_jwt';
      if (isNeeded && keys?.length === 0) return [at('jwks', 'It has no key.')];
      if (set !== undefined || uri !== undefined) return [];
      return isNeeded ? [at('jwks_uri', 'private_key_jwt needs jwks or jwks_uri.')] : undefined;
    }),
  },
  'client-keys-private': {
    holds: 'The keys in jwks are public.',
    why: 'Whoever reads a private or a symmetric key can sign as the client.',
    source: `${DRAFT} §4.1`,
    fix: publicKeys,
    find: inClient((json) => {
      const set = memberOf(json, 'jwks');
      if (set === undefined) return undefined;
      const keys = keysOf(json);
      return (keys ?? [set].flat()).flatMap((key, index) => {
        const found = privateIn(key);
        if (found.length === 0) return [];
        const message = `This key is not public: it has ${found.join(', ')}.`;
        const fix = 'Make a new key, and publish its public members alone.';
        return breach('client', keys ? ['jwks', 'keys', index] : ['jwks'], message, fix);
      });
    }),
  },
  'client-redirects': {
    holds: 'A client that sends its users to sign in lists its redirect_uris.',
    why: 'Servers send no code to any other place, and compare them as strings.',
    source: 'RFC 7591 §2',
    find: inClient((json) => {
      const given = memberOf(json, 'redirect_uris');
      const grants = memberOf(json, 'grant_types');
      // RFC 7591 §2: where no grants are listed, the code is the one.
      const isNeeded = grants === undefined || listOf(grants).includes('authorization_code');
      if (given === undefined && !isNeeded) return undefined;
      const listed = listOf(given);
      if (listed.length === 0 && isNeeded) {
        return [
          at('redirect_uris', 'There are no redirect_uris.', '"redirect_uris": ["https://…"]'),
        ];
      }
      return listed.flatMap((uri, index) => {
        const problem = redirectProblem(uri);
        if (problem === undefined) return [];
        return breach('client', ['redirect_uris', index], `${shown(uri)} ${problem}.`);
      });
    }),
  },
  'client-keys-url': {
    holds: 'jwks_uri is of https, and on no address of a private network or of one machine.',
    why: 'Servers fetch it, and nothing that is open to themselves alone; while testing their own loopback.',
    source: `${DRAFT} §8.6`,
    find: inClient((json, url) => badUrls(json, url, ['jwks_uri'])),
  },
  'client-link': {
    severity: 'warning',
    holds: 'What the client links to is of https, and where everybody can read it.',
    why: 'Servers show it to users, and may fetch the logo.',
    source: `${DRAFT} §8.6`,
    find: inClient((json, url) => badUrls(json, url, LINKS)),
  },
  'client-name-missing': {
    severity: 'warning',
    holds: 'The document names the client for people.',
    why: 'Users are asked whether they trust it; MCP requires it.',
    source: 'MCP authorization, Client ID Metadata Documents',
    says: 'There is no client_name.',
    instead: '"client_name": what users call it',
    find: inClient((json) => (rawText(json, 'client_name') ? [] : [at('client_name')])),
  },
  'client-grant-pair': {
    holds: 'With the ID-JAG profile stand the grants token exchange and JWT bearer.',
    why: 'The profile is made of both: one at the provider, one at the service.',
    source: 'draft-ietf-oauth-identity-assertion-authz-grant-04 §8',
    says: 'The ID-JAG profile needs the grants token exchange and JWT bearer.',
    instead: `Add to grant_types: ${GRANT_PAIR.map((grant) => `"${grant}"`).join(', ')}`,
    fix: addGrants,
    find: inClient((json) => {
      const profiles = listOf(memberOf(json, 'authorization_grant_profiles_supported'));
      const grants = listOf(memberOf(json, 'grant_types'));
      if (!profiles.includes(ID_JAG_GRANT_PROFILE)) return undefined;
      return GRANT_PAIR.every((grant) => grants.includes(grant)) ? [] : [at('grant_types')];
    }),
  },
  'client-too-large': {
    severity: 'warning',
    holds: 'The document of a client has at most 5 kB.',
    why: 'Servers may read no more of what strangers name.',
    source: `${DRAFT} §8.7`,
  },
} as const satisfies Readonly<Record<string, Rule>>;

function inClient(
  find: (json: JsonObject, url: string | undefined) => readonly Breach[] | undefined,
): NonNullable<Rule['find']> {
  return ({ client, at: url }) => client && find(client, url);
}

function at(name: string, message?: string, fix?: string): Breach {
  return breach('client', [name] satisfies MemberPath, message, fix);
}

function keysOf(json: JsonObject): readonly unknown[] | undefined {
  const set = memberOf(json, 'jwks');
  const keys = isJsonObject(set) ? memberOf(set, 'keys') : undefined;
  // All of them: what is not looked at could be private.
  return Array.isArray(keys) ? keys : undefined;
}

function privateIn(key: unknown): readonly string[] {
  return PRIVATE_KEY_MEMBERS.filter((name) => isJsonObject(key) && name in key);
}

/** A document on loopback, as of a test, may name what is there. */
function badUrls(
  json: JsonObject,
  place: string | undefined,
  members: readonly string[],
): readonly Breach[] | undefined {
  const given = members.filter((name) => Object.hasOwn(json, name));
  if (given.length === 0) return undefined;
  const home = parsedUrl(place ?? rawText(json, 'client_id') ?? '');
  const isLocal = home !== undefined && isLoopbackHost(home.hostname);
  return given.flatMap((name) => {
    const text = rawText(json, name) ?? '';
    const isUrl = urlProblem(text) === undefined;
    const { hostname = '' } = parsedUrl(text) ?? {};
    const isOpen = hostReach(hostname) === 'world' || (isLocal && isLoopbackHost(hostname));
    if (isUrl && isOpen) return [];
    const what = isUrl ? `is on ${describeHost(hostname)}` : 'is not a URL of https';
    return at(name, `${shown(json[name])} ${what}.`, 'Give another, or leave it out.');
  });
}

/** RFC 6749 §3.1.2, RFC 8252 §7: of https, of http on loopback, or of a scheme of the application's own. */
function redirectProblem(uri: unknown): string | undefined {
  const url = typeof uri === 'string' ? parsedUrl(uri) : undefined;
  if (url === undefined) return 'is no absolute URI';
  if (String(uri).includes('#')) return 'has a fragment';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isLoopbackHost(url.hostname) ? undefined : 'is of http, and not on loopback';
  }
  return url.protocol.includes('.')
    ? undefined
    : `is of ${displayText(url.protocol, 40)}, which anybody may use: a scheme of an application is its domain in reverse`;
}

function dropSecret({ object, name, member }: Parameters<Fix>[0]): string {
  delete object[name];
  return `${member} is gone: change the secret wherever it counts`;
}

/** All keys in their public form. One that is shared has nothing to publish; what is no set is not taken apart. */
function publicKeys({ root }: Parameters<Fix>[0]): string | undefined {
  const keys = keysOf(root);
  if ((keys ?? [root['jwks']].flat()).every((key) => privateIn(key).length === 0)) return undefined;
  const withoutPrivate = (key: unknown) => {
    if (privateIn(key).length === 0 || !isDraft(key)) return [key];
    for (const name of PRIVATE_KEY_MEMBERS) delete key[name];
    return key['kty'] === 'oct' ? [] : [key];
  };
  if (keys === undefined) delete root['jwks'];
  else root['jwks'] = { ...(root['jwks'] as Draft), keys: keys.flatMap(withoutPrivate) };
  return 'jwks has nothing private any more: make a new key, since everybody could read this one';
}

function addGrants({ root }: Parameters<Fix>[0]): string | undefined {
  // RFC 7591 §2: where none are listed, the code is the one.
  const given = root['grant_types'] ?? ['authorization_code'];
  if (!Array.isArray(given)) return undefined;
  root['grant_types'] = [...new Set([...given, ...GRANT_PAIR])];
  return 'grant_types lists what the ID-JAG profile is made of';
}
