import { compactVerify, exportSPKI, importJWK, importX509 } from 'jose';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import { HOUR, SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import type { Jwk } from '../../../../src/protocol/jwk.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { atEndpoint, replacing } = rewire;

/** Other claims are signed, or as another kind of token. */
function claiming(
  change: (claims: JsonObject) => JsonObject,
  type: string = JWT_TYPE.identityAssertion,
): Rewired {
  return ({ assertions, keys }) => ({
    assertions: replacing(assertions, {
      sign: async (facts, times) => {
        const right = decodeJwt(await assertions.sign(facts, times));
        return keys.sign(type, change(right?.payload ?? {}));
      },
    }),
  });
}

interface Shown {
  readonly assertion: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** What is looked at in the place of an assertion: these claims, as if they were signed. */
export function believing(
  claimsOf: (
    shown: Shown,
    mock: ServiceContext,
  ) => JsonObject | undefined | Promise<JsonObject | undefined>,
): Rewired {
  return (mock) => ({
    assertions: replacing(mock.assertions, {
      verify: async (assertion) => {
        const { header = {}, payload: claims = {} } = decodeJwt(assertion) ?? {};
        const believed = await claimsOf({ assertion, header, claims }, mock);
        return mock.assertions.verify(
          believed ? await mock.keys.sign(String(header['typ']), believed) : assertion,
        );
      },
    }),
  });
}

/** What this holds true of needs no other signature. */
function trusting(isTrusted: (shown: Shown, mock: ServiceContext) => boolean | Promise<boolean>) {
  return believing(async (shown, mock) =>
    (await isTrusted(shown, mock)) ? shown.claims : undefined,
  );
}

async function isHmacByPublicKey({ assertion, header }: Shown, { keys }: ServiceContext) {
  const jwk = keys.jwks().keys.find(({ kid }) => kid === header['kid']);
  if (header['alg'] !== 'HS256' || jwk === undefined) return false;
  const key = await importJWK({ ...jwk, ext: true });
  const pem = key instanceof Uint8Array ? '' : await exportSPKI(key);
  const secrets = [pem.trimEnd(), `${pem.trimEnd()}\n`];
  return isAny(secrets.map((text) => compactVerify(assertion, new TextEncoder().encode(text))));
}

async function isByItsOwnKey({ assertion, header }: Shown): Promise<boolean> {
  const alg = String(header['alg']);
  const [certificate] = [header['x5c'] ?? []].flat();
  const key =
    typeof certificate === 'string'
      ? importX509(`-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`, alg)
      : importJWK((header['jwk'] ?? {}) as Jwk, alg);
  return isAny([key.then((trusted) => compactVerify(assertion, trusted))]);
}

async function isAny(verified: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.allSettled(verified)).some(({ status }) => status === 'fulfilled');
}

/** Of several, or out of the JSON serialisation. */
function firstOf(assertion: string): string {
  if (!assertion.startsWith('{')) return assertion.split(/[ ,]/)[0] ?? '';
  const jws = JSON.parse(assertion) as JwsInJson;
  const { protected: header, signature } = jws.signatures?.[0] ?? jws;
  return `${header}.${jws.payload}.${signature}`;
}

interface JwsInJson {
  readonly payload: string;
  readonly protected?: string;
  readonly signature?: string;
  readonly signatures?: readonly { readonly protected: string; readonly signature: string }[];
}

export function withChangedSignature(assertion: string): string {
  const at = assertion.length - 10;
  const letter = assertion[at] === 'A' ? 'B' : 'A';
  return assertion.slice(0, at) + letter + assertion.slice(at + 1);
}

/** Faults of the service's own identity assertions: what is signed, and what is taken for signed. */
export const ASSERTION_FAULTS = {
  wrongAssertionTyp: {
    description: 'gives its assertions the typ of an ID-JAG (RFC 8725 §3.12)',
    parts: claiming((claims) => claims, JWT_TYPE.idJag),
    fails: { 'identity-assertion': ['type'] },
  },
  wrongAssertionIssuer: {
    description: 'spells its issuer differently in assertions and in its metadata',
    parts: claiming((claims) => ({ ...claims, iss: `${claims['iss']}/` })),
    fails: { 'identity-assertion': ['issuer'] },
  },
  wrongAssertionAudience: {
    description: 'names another audience than itself in its assertions',
    parts: claiming((claims) => ({ ...claims, aud: 'everybody' })),
    fails: { 'identity-assertion': ['audience'] },
  },
  wrongAssertionExp: {
    description: 'issues assertions that have already expired',
    parts: claiming((claims) => ({ ...claims, exp: Number(claims['iat']) - 1 })),
    fails: { 'identity-assertion': ['lifetime'] },
  },
  sharedAssertionSubject: {
    description: 'gives all registrations one subject (RFC 9700 §4.15)',
    parts: claiming((claims) => ({ ...claims, sub: 'agent' })),
    fails: { 'identity-assertion': ['subjects'] },
  },
  wrongAssertionSignature: {
    description: 'issues assertions with a wrong signature',
    parts: ({ assertions }) => ({
      assertions: replacing(assertions, {
        sign: async (facts, times) => withChangedSignature(await assertions.sign(facts, times)),
      }),
    }),
    fails: { 'identity-assertion': ['signed'] },
  },
  staleDeliveredAssertion: {
    description: 'delivers an assertion that the claim has superseded',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.token }, ({ assertions }) => ({
        assertions: replacing(assertions, {
          sign: (facts, times) => assertions.sign({ ...facts, version: facts.version - 1 }, times),
        }),
      })),
    fails: { anonymous: ['second-assertion', 'versions'], 'service-auth': ['works'] },
  },
  uncheckedAssertionSignature: {
    description: 'does not verify the signature of its own assertions (RFC 7523 §3)',
    parts: trusting(() => true),
    fails: { 'assertion-attacks': ['unsigned', 'hmac', 'foreign-key', 'header-keys', 'altered'] },
  },
  acceptedAssertionAlgNone: {
    description: 'accepts its assertions with alg none (attack A-01)',
    parts: trusting(({ header }) => String(header['alg']).toLowerCase() === 'none'),
    fails: { 'assertion-attacks': ['unsigned'] },
  },
  acceptedAssertionHmac: {
    description: 'accepts its assertions with an HMAC (attack A-02)',
    parts: trusting(isHmacByPublicKey),
    fails: { 'assertion-attacks': ['hmac'] },
  },
  trustedAssertionKey: {
    description: 'verifies an assertion with the key in its header (attack A-04)',
    parts: trusting(isByItsOwnKey),
    fails: { 'assertion-attacks': ['header-keys'] },
  },
  acceptedMissingAssertionKid: {
    description: 'accepts an assertion without a kid unverified',
    parts: trusting(({ header }) => header['kid'] === undefined),
    fails: { 'assertion-attacks': ['foreign-key'] },
  },
  endlessAssertion: {
    description: 'accepts its assertions after they have expired (RFC 7523 §3, exp)',
    parts: believing(async ({ assertion }, { clock, keys }) => {
      const claims = (await keys.verifyOwn(assertion))?.payload;
      return claims && { ...claims, exp: Math.ceil((clock.now() + HOUR) / SECOND) };
    }),
    fails: { 'token-expiry': ['assertion-over', 'assertion-code'] },
  },
  acceptedSeveralAssertions: {
    description: 'reads the first of several assertions, and JWTs in JSON (RFC 7523 §2.1)',
    parts: ({ assertions }) => ({
      assertions: replacing(assertions, {
        verify: (assertion) => assertions.verify(firstOf(assertion)),
      }),
    }),
    fails: { 'exchange-refusals': ['one-jwt'] },
  },
  acceptedTokenAsAssertion: {
    description: 'accepts an access token as an assertion (RFC 8725 §3.12)',
    parts: ({ assertions, clock, config, registrations, tokens }) => ({
      assertions: replacing(assertions, {
        verify: async (assertion) => {
          const hash = sha256(assertion);
          const live = await tokens.find(hash);
          const facts =
            live?.holder && (await registrations.find({ by: 'id', value: live.holder.id }))?.facts;
          if (facts === undefined) return assertions.verify(assertion);
          const iat = Math.floor(clock.now() / SECOND);
          const { issuer: iss } = config;
          return { iss, aud: iss, sub: facts.id, jti: hash, iat, exp: iat, ver: facts.version };
        },
      }),
    }),
    fails: { 'assertion-attacks': ['other-tokens'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
