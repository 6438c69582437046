import { wireProblem } from '../../../../src/mock/http/problems.ts';
import { raw } from '../../../../src/mock/pages/html.ts';
import { resolveTrust } from '../../../../src/mock-service/config/config.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import type { IdJag } from '../../../../src/mock-service/id-jag/id-jag.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { ClaimView } from '../../../../src/mock-service/pages/claim-view.ts';
import { SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { atEndpoint, replacing } = rewire;

/** A token of another kind is read as if it were an ID-JAG, and checked no further. */
function mistaking(
  claimsOf: (service: ServiceContext, token: string) => Promise<JsonObject | undefined>,
): Rewired {
  return ({ verifyIdJag }) => ({
    verifyIdJag: async (service, token) => {
      const claims = await claimsOf(service, token);
      if (claims === undefined) return verifyIdJag(service, token);
      const { config, decisions, trust } = service;
      const trusted = trust.find(claims['iss']) ?? resolveTrust({ issuer: config.issuer });
      return decisions.readIdJag({ client_id: claims['iss'], ...claims }, { trusted, config });
    },
  });
}

/** What its token endpoint gave an agent, in the words of an ID-JAG. */
async function claimsOfAccessToken(
  { clock, config, registrations, tokens }: ServiceContext,
  token: string,
): Promise<JsonObject | undefined> {
  const live = await tokens.find(sha256(token));
  const holder = live && (await registrations.find({ by: 'id', value: live.holder.id }));
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

const UNVERIFIED: readonly string[] = [
  'invalid_issuer',
  'invalid_signature',
  'temporarily_unavailable',
];

/** Fetches what a claim names, once the signature is known to be good. */
function fetching(claim: string): Rewired {
  return ({ verifyIdJag }) => ({
    verifyIdJag: async (service, assertion) => {
      const result = await verifyIdJag(service, assertion);
      const url = decodeJwt(assertion)?.payload[claim];
      const isVerified = result.ok || !UNVERIFIED.includes(result.refusal.code);
      if (isVerified && typeof url === 'string') {
        await service.keySource.keySet(url, '');
      }
      return result;
    },
  });
}

interface NamedIdJag extends IdJag {
  readonly claimedName?: string;
}

/** The claim page calls a provider what its ID-JAG says. */
function nameFrom(
  claim: string,
  shown: (said: string) => ClaimView['providerName'] = (said) => said,
): Rewired {
  return ({ idJags, verifyIdJag, views }) => {
    /** By the hash of the token of the attempt. */
    const names = new Map<string, string>();
    return {
      verifyIdJag: async (service, assertion) => {
        const result = await verifyIdJag(service, assertion);
        const claimedName = decodeJwt(assertion)?.payload[claim];
        if (!result.ok || typeof claimedName !== 'string') return result;
        const idJag: NamedIdJag = { ...result.idJag, claimedName };
        return { ok: true, idJag };
      },
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
    description: 'fetches the client document that the JWT names (attack A-09)',
    parts: fetching('client_id'),
    fails: { 'client-documents': ['declared'], 'id-jag-issuer': ['client-unfetched'] },
  },
  trustedProviderName: {
    description: 'shows the name that an ID-JAG gives its provider (attack A-16)',
    parts: nameFrom('client_name'),
    fails: { 'provider-name': ['not-from-token'] },
  },
  unescapedProviderName: {
    description: 'shows the name that an ID-JAG gives its provider, unescaped (attack A-30)',
    parts: nameFrom('client_name', raw),
    fails: { 'provider-name': ['not-from-token', 'not-markup'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
