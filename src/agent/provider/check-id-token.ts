import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import {
  ACCEPTED_ALGORITHMS,
  displayText,
  isJwtType,
  JWT_TYPE,
  MEDIA_TYPE,
  MINUTE,
  SECOND,
} from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { requireJson } from '../http/answer.ts';
import { Peer } from '../http/peer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import type { Tools } from '../tools.ts';
import type { Provider } from './provider.ts';

/** What is tolerated between the clocks of a provider. */
const SKEW = MINUTE;

/** What a sign-in was asked for. */
export interface Expected {
  readonly clientId: string;
  /** Left out: none was sent. */
  readonly nonce?: Secret;
  /** Seconds; left out: any sign-in will do. */
  readonly maxAge?: number | undefined;
  /** What came with it. Left out: nothing. */
  readonly accessToken?: string | undefined;
  /** The user of before, where an ID token is renewed (OpenID Connect Core §12.2). */
  readonly subject?: string | undefined;
  /** The time at the provider. */
  readonly now: number;
}

/**
 * The claims of an ID token that is the provider's, for this client and this sign-in (OpenID Connect Core §3.1.3.7).
 * @throws AgentError `bad_id_token` that says what is wrong, or why the keys cannot be had.
 */
export async function checkIdToken(
  tools: Tools,
  provider: Provider,
  idToken: Secret,
  expected: Expected,
): Promise<JWTPayload> {
  const keys = await readKeys(tools, provider);
  const { claims, header } = await verified(provider, keys, idToken, expected);
  const { aud, azp, iat, nonce, auth_time: authTime, at_hash: atHash } = claims;
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForOthers : azp !== expected.clientId) throw bad('azp');
  if (typeof iat !== 'number' || iat * SECOND > expected.now + SKEW) throw bad('iat');
  if (expected.nonce !== undefined && nonce !== expected.nonce.reveal()) throw bad('nonce');
  if (expected.subject !== undefined && claims.sub !== expected.subject) throw bad('sub');
  const { accessToken, maxAge } = expected;
  if (atHash !== undefined && accessToken !== undefined) {
    if (atHash !== (await halfHash(String(header.alg), accessToken))) throw bad('at_hash');
  }
  if (maxAge !== undefined) {
    const isFresh =
      typeof authTime === 'number' && expected.now - authTime * SECOND <= maxAge * SECOND + SKEW;
    if (!isFresh) throw bad('auth_time');
  }
  return claims;
}

async function readKeys(tools: Tools, { issuer, jwksUri: url }: Provider): Promise<JSONWebKeySet> {
  if (url === undefined) throw bad('signature', 'Its metadata names no keys (jwks_uri).');
  const request = { url, method: 'GET', headers: { accept: MEDIA_TYPE.json } } as const;
  const answer = await sendPatiently(tools, new Peer(tools.context), request, {
    repeatAfterLoss: true,
  });
  const { keys } = answer.status === 200 ? requireJson(answer, "The provider's keys") : {};
  if (Array.isArray(keys)) return { keys };
  throw new AgentError(
    `The keys of ${displayText(issuer, 100)} (${answer.where}) cannot be used.`,
    { code: answer.status >= 500 ? 'server_error' : 'bad_answer' },
  );
}

async function verified(
  { issuer, idTokenAlgorithms }: Provider,
  keys: JSONWebKeySet,
  idToken: Secret,
  { clientId, now }: Expected,
) {
  const algorithms = ACCEPTED_ALGORITHMS.filter((alg) => idTokenAlgorithms?.includes(alg) ?? true);
  const options = {
    algorithms,
    issuer,
    audience: clientId,
    currentDate: new Date(now),
    clockTolerance: SKEW / SECOND,
    requiredClaims: ['sub', 'exp', 'iat'],
  };
  try {
    const { payload, protectedHeader } = await jwtVerify(
      idToken.reveal(),
      createLocalJWKSet(keys),
      options,
    );
    if (isJwtType(protectedHeader.typ, JWT_TYPE.idJag)) throw bad('typ');
    return { claims: payload, header: protectedHeader };
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const isClaim =
      error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
    throw bad(isClaim ? error.claim : 'signature');
  }
}

/** The left half of the hash that goes with the algorithm of the signature (OpenID Connect Core §3.1.3.6). */
async function halfHash(alg: string, text: string): Promise<string> {
  const bits = /(?:384|512)$/.exec(alg)?.[0] ?? (alg === 'EdDSA' ? '512' : '256');
  const hash = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(text));
  return Buffer.from(hash.slice(0, hash.byteLength / 2)).toString('base64url');
}

function bad(what: string, why = ''): AgentError {
  return new AgentError(
    `The ID token of the provider is not used: its ${displayText(what, 40)} is missing or wrong. ${why}`.trim(),
    {
      code: 'bad_id_token',
      hint: 'Nothing was sent on. The mistake is the provider’s, or somebody else answered in its place.',
    },
  );
}
