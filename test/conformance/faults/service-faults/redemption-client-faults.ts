import { on, withStatus } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { tolerated } from '../../../../src/mock-service/faults/cross-app-faults.ts';
import type { ServiceContext } from '../../../../src/mock-service/index.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { type Requested, requestedAs, withoutCredentials } from './redeeming.ts';

const { replacing } = rewire;

const idOf = ({ claims }: Requested) => String(claims['client_id']);

function basicId({ headers }: Requested): string | undefined {
  const [, encoded] = /^Basic (.*)$/.exec(headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return decodeURIComponent(id);
}

/** What a client assertion says, where there is one. */
function assertionOf({ form }: Requested): Readonly<Record<string, unknown>> | undefined {
  const decoded = decodeJwt(form.get('client_assertion') ?? '');
  return decoded === undefined ? undefined : { ...decoded.payload, kid: decoded.header['kid'] };
}

/** A document that describes nobody is believed where this holds. */
function describing(
  isMeant: (document: Readonly<Record<string, unknown>>, url: string) => boolean,
  followed = false,
) {
  return (mock: ServiceContext) => ({
    clientDocuments: replacing(mock.clientDocuments, {
      find: async (url: string, kid?: string) => {
        const right = await mock.clientDocuments.find(url, kid);
        if (typeof right !== 'string') return right;
        const { fetchDocument } = mock.verifier;
        const first = await fetchDocument(url);
        const moved = first.ok ? undefined : first.location;
        const fetched = followed && moved !== undefined ? await fetchDocument(moved) : first;
        if (!fetched.ok || !isMeant(fetched.document, url)) return right;
        const keys = fetched.document['jwks'] as { readonly keys: readonly [] };
        return {
          id: url,
          keys,
          methods: ['private_key_jwt'] as const,
          public: false,
          byDocument: true as const,
        };
      },
    }),
  });
}

/** Faults of who redeems an ID-JAG. */
export const REDEMPTION_CLIENT_FAULTS = {
  acceptedNobodysRedemption: {
    description:
      'takes a request without any client for that of the one in the ID-JAG (ID-JAG §4.4)',
    parts: requestedAs((requested) => {
      const { form, headers } = requested;
      const isNamed = form.has('client_id') || headers.has('authorization');
      return isNamed ? undefined : withoutCredentials(requested, idOf(requested));
    }),
    fails: { 'redemption-client': ['required'] },
  },
  uncheckedClientSecret: {
    description: 'compares no secrets of clients (RFC 6749 §3.2.1)',
    parts: requestedAs((requested) => {
      const id = basicId(requested);
      const isKnown = requested.mock.config.clients.some((each) => each.id === id);
      const isDouble = requested.form.has('client_secret');
      return id && isKnown && !isDouble ? withoutCredentials(requested, id) : undefined;
    }),
    fails: { 'redemption-client': ['wrong-secret'] },
  },
  acceptedUnknownClient: {
    description: 'takes clients that nobody has registered (RFC 6749 §3.2.1)',
    parts: requestedAs((requested) => {
      const id = basicId(requested);
      const isKnown = requested.mock.config.clients.some((each) => each.id === id);
      return id && !isKnown ? withoutCredentials(requested, id) : undefined;
    }),
    fails: { 'redemption-client': ['unknown'] },
  },
  wrongClientErrorStatus: {
    description: 'answers 400 to a client that did not authenticate (RFC 6749 §5.2)',
    answers: on((path, { status }) => path === PATHS.token && status === 401, withStatus(400)),
    fails: { 'redemption-client': ['code'] },
  },
  acceptedFellowClient: {
    description: 'redeems for one client the ID-JAG of another one that it knows (ID-JAG §4.4.1)',
    decisions: tolerated('client', ({ config, idJag }) =>
      config.clients.some(({ id }) => id === idJag.clientId),
    ),
    fails: { 'redemption-client': ['other-client'] },
  },
  shortLifeOfRefusedIdJag: {
    description: 'spends an ID-JAG that it refuses',
    parts: (mock) => {
      const spent = new Set<string>();
      return requestedAs(
        () => undefined,
        (response, { form }) => {
          const isSpent = spent.has(form.get('assertion') ?? '');
          return isSpent ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : response;
        },
        (problem, { form }) => {
          spent.add(form.get('assertion') ?? '');
          return problem;
        },
      )(mock);
    },
    fails: { 'redemption-client': ['not-spent'] },
  },
  acceptedTwoClientMethods: {
    description: 'ignores the secret in the body where there is one in the header (RFC 6749 §2.3)',
    parts: requestedAs(({ form, headers }) => {
      if (headers.has('authorization')) form.delete('client_secret');
      return undefined;
    }),
    fails: { 'redemption-client': ['two-methods'] },
  },
  wrongBasicDecoding: {
    description: 'does not form-decode Basic credentials (RFC 6749 §2.3.1)',
    parts: requestedAs(({ headers }) => {
      const [, encoded = ''] = /^Basic (.*)$/.exec(headers.get('authorization') ?? '') ?? [];
      const raw = Buffer.from(encoded, 'base64').toString();
      if (!raw.includes('%2F')) return undefined;
      const again = raw.split(':').map((each) => encodeURIComponent(each));
      headers.set('authorization', `Basic ${Buffer.from(again.join(':')).toString('base64')}`);
      return undefined;
    }),
    fails: { 'redemption-client': ['form-encoded'] },
  },
  acceptedQueryAssertion: {
    description: 'reads the assertion of a token request from its URL (EMA §7.3)',
    parts: requestedAs(({ form, query }) => {
      for (const [name, value] of query) form.set(name, value);
      return undefined;
    }),
    fails: { 'redemption-client': ['query'] },
  },
  refusedClientDocument: {
    description: 'says that clients may have metadata documents, and takes none',
    parts: ({ clientDocuments }) => ({
      clientDocuments: replacing(clientDocuments, { find: async () => 'None is read.' }),
    }),
    fails: { 'redemption-documents': ['taken'] },
  },
  acceptedForeignDocument: {
    description: 'takes a client by a document that names another URL (client documents §4)',
    parts: describing((document, url) => document['client_id'] !== url),
    fails: { 'redemption-documents': ['mismatch'] },
  },
  acceptedSecretInDocument: {
    description: 'takes a client by a document with a secret (client documents §4.1)',
    parts: describing((document) => 'client_secret' in document),
    fails: { 'redemption-documents': ['secret'] },
  },
  trustedDocumentRedirect: {
    description:
      'follows a redirect in the place of the document of a client (client documents §5)',
    parts: describing(
      (document, url) => document['client_id'] === url && !('client_secret' in document),
      true,
    ),
    fails: { 'redemption-documents': ['redirect'] },
  },
  noClientAssertion: {
    description: 'takes a client with keys without an assertion (RFC 7523 §3)',
    parts: requestedAs((requested) => {
      const id = requested.form.get('client_id');
      const isShown =
        requested.headers.has('authorization') || requested.form.has('client_assertion');
      return id && !isShown ? withoutCredentials(requested, id) : undefined;
    }),
    fails: { 'redemption-documents': ['assertion-needed'] },
  },
  uncheckedClientKey: {
    description: 'does not verify the signature of a client assertion (RFC 7523 §3)',
    parts: requestedAs(async (requested) => {
      const claims = assertionOf(requested);
      const { clientDocuments } = requested.mock;
      if (claims === undefined) return undefined;
      const client = await clientDocuments.find(String(claims['iss']));
      const isUnknown =
        typeof client !== 'string' && client.keys?.keys.every(({ kid }) => kid !== claims['kid']);
      return isUnknown ? withoutCredentials(requested, String(claims['iss'])) : undefined;
    }),
    fails: { 'redemption-documents': ['other-key'] },
  },
  uncheckedClientAudience: {
    description: 'takes a client assertion for another server (RFC 7523 §3, aud)',
    parts: requestedAs((requested) => {
      const claims = assertionOf(requested);
      const isForeign = claims !== undefined && claims['aud'] !== requested.mock.config.issuer;
      return isForeign ? withoutCredentials(requested, String(claims['iss'])) : undefined;
    }),
    fails: { 'redemption-documents': ['audience'] },
  },
  uncheckedClientExpiry: {
    description: 'takes a client assertion that has expired (RFC 7523 §3, exp)',
    parts: requestedAs((requested) => {
      const claims = assertionOf(requested);
      const isOver = claims !== undefined && Number(claims['exp']) < 1_000_000;
      return isOver ? withoutCredentials(requested, String(claims['iss'])) : undefined;
    }),
    fails: { 'redemption-documents': ['expired'] },
  },
  acceptedClientReplay: {
    description: 'takes a client assertion more than once (RFC 7523 §3, jti)',
    parts: ({ clientTokens }) => ({
      clientTokens: replacing(clientTokens, { spend: async () => true }),
    }),
    fails: { 'redemption-documents': ['replay'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
