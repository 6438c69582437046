import { wireProblem } from '../../../../src/mock/http/response.ts';
import { raw } from '../../../../src/mock/pages/html.ts';
import { resolveTrust } from '../../../../src/mock-service/config/config.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { atServerMetadata } from '../../../../src/mock-service/faults/discovery-faults.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { verifying } from '../../../../src/mock-service/faults/trust-faults.ts';
import type { IdJag } from '../../../../src/mock-service/id-jag/id-jag-checks.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { ClaimView } from '../../../../src/mock-service/pages/claim-view.ts';
import { SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { NO_KEYS } from './key-set-faults.ts';
import { sentMembers } from './sent-members.ts';

const { atEndpoint, atHandler, on, replacing, withMembers } = rewire;

/** A token of another kind is read as if it were an ID-JAG, and checked no further. */
function mistaking(
  claimsOf: (service: ServiceContext, token: string) => Promise<JsonObject | undefined>,
): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.identity, method: 'POST' }, (service, right) => async (c) => {
      const { config, decisions, trust, verifier } = service;
      const { assertion } = await sentMembers(c);
      const claims = typeof assertion === 'string' ? await claimsOf(service, assertion) : undefined;
      if (claims === undefined) return right(c);
      const payload = { client_id: claims['iss'], ...claims };
      const trusted = trust.find(claims['iss']) ?? resolveTrust({ issuer: config.issuer });
      return right(c, {
        decisions: { ...decisions, idJagChecks: [] },
        verifier: {
          ...verifier,
          read: (token) => ({ header: {}, payload, token }),
          headerChecks: [],
          issuerOf: async () => trusted,
          keySet: async () => NO_KEYS,
          signatureProblem: async () => undefined,
        },
      });
    });
}

/** What its token endpoint gave an agent, in the words of an ID-JAG. */
async function claimsOfAccessToken(
  { clock, config, registrations, tokens }: ServiceContext,
  token: string,
): Promise<JsonObject | undefined> {
  const live = await tokens.find(sha256(token));
  const holder = live?.holder && (await registrations.find({ by: 'id', value: live.holder.id }));
  if (holder === undefined) return undefined;
  const { facts, issuer, subject } = holder;
  const now = Math.floor(clock.now() / SECOND);
  return {
    iss: issuer ?? config.issuer,
    sub: subject ?? facts.id,
    aud: config.issuer,
    jti: token,
    iat: now,
    exp: now,
  };
}

/** Fetches what a claim names, once the signature is known to be good. */
function fetching(claim: string): Rewired {
  return verifying(({ fetchDocument, signatureProblem }) => ({
    signatureProblem: async (jwt, keySet) => {
      const problem = await signatureProblem(jwt, keySet);
      const url = jwt.payload[claim];
      if (problem === undefined && typeof url === 'string') await fetchDocument(url);
      return problem;
    },
  }));
}

interface NamedIdJag extends IdJag {
  readonly claimedName?: string;
}

/** What an ID-JAG calls its provider is kept. */
const keepingName: Redecided = (right) => ({
  ...right,
  readIdJag: (claims, context) => {
    const result = right.readIdJag(claims, context);
    const claimedName = claims['client_name'];
    if (!result.ok || typeof claimedName !== 'string') return result;
    const idJag: NamedIdJag = { ...result.idJag, claimedName };
    return { ok: true, idJag };
  },
});

/** The claim page calls a provider what its ID-JAG says. */
function naming(shown: (said: string) => ClaimView['providerName'] = (said) => said): Rewired {
  return ({ idJags, views }) => {
    /** By the hash of the token of the attempt. */
    const names = new Map<string, string>();
    return {
      idJags: replacing(idJags, {
        accept: (idJag: NamedIdJag, fresh, gate) => {
          if (idJag.claimedName !== undefined)
            names.set(fresh.attempt.tokenHash, idJag.claimedName);
          return idJags.accept(idJag, fresh, gate);
        },
      }),
      views: {
        ...views,
        claim: (view) => {
          const said = names.get(sha256(view.attemptToken));
          return views.claim(said === undefined ? view : { ...view, providerName: shown(said) });
        },
      },
    };
  };
}

/** Faults of what is done with an ID-JAG around its verification. */
export const ID_JAG_PRESENTING_FAULTS = {
  refusedMissingAssertionType: {
    description: 'refuses an ID-JAG without assertion_type (wire contract §3)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.identity }, ({ reader }) => ({
        reader: {
          ...reader,
          json: (text) => {
            const result = reader.json(text);
            const { type, assertion_type: kind } = result.ok ? result.value : {};
            if (type === 'identity_assertion' && kind === undefined) {
              throw wireProblem('identity', 'invalid_request');
            }
            return result;
          },
        },
      })),
    fails: { 'id-jag-request': ['type-optional'] },
  },
  acceptedAssertionAsIdJag: {
    description: 'accepts its own assertion as an ID-JAG (RFC 8725 §3.12)',
    parts: mistaking(({ assertions }, token) => assertions.verify(token)),
    fails: { 'id-jag-kinds': ['own-assertion'] },
  },
  acceptedTokenAsIdJag: {
    description: 'accepts an access token as an ID-JAG (RFC 8725 §3.12)',
    parts: mistaking(claimsOfAccessToken),
    fails: { 'id-jag-kinds': ['access-token'] },
  },
  trustedJwksUri: {
    description: 'fetches the key set that a claim of the JWT names (attack A-09)',
    parts: fetching('jwks_uri'),
    fails: { 'id-jag-issuer': ['client-unfetched'] },
  },
  trustedClientIdUrl: {
    description:
      'fetches the client document that the JWT names (attack A-09), and does not advertise it',
    parts: fetching('client_id'),
    answers: on(
      atServerMetadata,
      withMembers({ client_id_metadata_document_supported: undefined }),
    ),
    fails: { 'client-documents': ['declared'], 'id-jag-issuer': ['client-unfetched'] },
  },
  trustedProviderName: {
    description: 'shows the name that an ID-JAG gives its provider (attack A-16)',
    decisions: keepingName,
    parts: naming(),
    fails: { 'provider-name': ['not-from-token'] },
  },
  unescapedProviderName: {
    description: 'shows the name that an ID-JAG gives its provider, unescaped (attack A-30)',
    decisions: keepingName,
    parts: naming(raw),
    fails: { 'provider-name': ['not-from-token', 'not-markup'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
