import { isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import { readEnd } from '../../http/read-end.ts';
import { readMembers, readSecret } from '../../http/read-members.ts';
import type { IdentityAssertion, RefreshToken } from '../../model.ts';
import type { IdentityProof, RegistrationGrant } from '../dialect.ts';
import { readDirectCredential } from '../parts/direct-credential.ts';
import { readIdentity } from '../parts/read-identity.ts';
import { readNames } from '../parts/read-names.ts';
import { readTime } from '../parts/read-time.ts';
import { registrationId } from '../parts/registration-id.ts';
import { registrationAnswer } from './answers.ts';
import { attemptBlock, readAttempt } from './read-attempt.ts';

const WHO = 'The identity endpoint';

/**
 * What a registration gives, whatever the type that was asked for: an assertion, in its place a token at once, a
 * claim, or both.
 * @throws AgentError `bad_answer` where it gives none of them.
 */
export function decodeRegistration(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  const json = requireJson(answer, WHO);
  requireMembers(answer, proof);
  const { assertion, ...refresh } = decodeIdentity(answer, WHO, json, now);
  // A token beside an assertion is worth no more than the exchange of it.
  const token = assertion === null ? readDirectCredential(answer, WHO, json, now) : null;
  const claim = decodeClaim(answer, json, now);
  const secret = assertion?.value ?? token?.value ?? claim?.token;
  if (secret === undefined) throw nothingGiven(answer, proof);
  return {
    id: registrationId(json['registration_id'], proof, secret),
    assertion,
    ...refresh,
    ...(token !== null && { token }),
    ...scopesOf(json, proof),
    claim,
  };
}

/** The body of `interaction_required`: nothing before its claim. */
export function decodeInteraction(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  const json = requireJson(answer, WHO);
  requireMembers(answer, proof);
  const claim = decodeClaim(answer, json, now);
  if (claim?.attempt === undefined || claim.attempt === null) {
    throw missing(answer, claim === null ? 'claim_token' : 'claim');
  }
  return {
    id: registrationId(json['registration_id'], proof, claim.token),
    assertion: null,
    preClaimScopes: [],
    postClaimScopes: readNames(json['post_claim_scopes']),
    claim,
  };
}

/** What an answer gives to go on with, as far as it does. */
interface Identity {
  readonly assertion: IdentityAssertion | null;
  readonly refresh?: RefreshToken;
}

/**
 * The assertion, in the member of this family; one that mixes families may have it in an object, and a refresh
 * token beside it. @throws AgentError `bad_answer` for one that cannot be sent.
 */
export function decodeIdentity(
  answer: Answer,
  who: string,
  json: JsonObject,
  now: number,
): Identity {
  const { identity_assertion: given, assertion_expires: end } = json;
  const { assertion: inside, refresh } = readIdentity(answer, who, json, now) ?? {};
  const more = refresh !== undefined && { refresh };
  if (typeof given !== 'string') return { assertion: inside ?? null, ...more };
  const value = readSecret(answer, who, 'identity_assertion', given);
  const time = readTime(answer, who, { name: 'assertion_expires', value: end }, now);
  const expiresAt = time ?? readEnd(answer, { spans: ASSERTION_SPANS, value, now });
  return { assertion: { value, expiresAt }, ...more };
}

/** Members that other services send where the wire contract has `assertion_expires`, `claim_token_expires`. */
const ASSERTION_SPANS = ['assertion_expires_in', 'identity_assertion_expires_in'] as const;
const CLAIM_SPANS = ['claim_token_expires_in'] as const;
/** Members that say where a claim is started. */
const CLAIM_URLS = ['claim_url', 'claim_uri'] as const;

function decodeClaim(answer: Answer, json: JsonObject, now: number): RegistrationGrant['claim'] {
  const { claim } = json;
  // One that mixes families has them in an object: each member is taken where it is.
  const inside: JsonObject = isJsonObject(claim) ? claim : {};
  const given = json['claim_token'] ?? inside['token'];
  if (typeof given !== 'string') return null;
  const url = [...CLAIM_URLS.map((name) => json[name]), inside['url']].find(
    (each) => typeof each === 'string',
  );
  const token = readSecret(answer, WHO, 'claim_token', given);
  const end = inside['token'] === undefined ? undefined : inside['expires_at'];
  const value = json['claim_token_expires'] ?? end;
  const time = readTime(answer, WHO, { name: 'claim_token_expires', value }, now);
  const block = attemptBlock(claim);
  return {
    token,
    url: typeof url === 'string' ? url : null,
    expiresAt: time ?? readEnd(answer, { spans: CLAIM_SPANS, value: token, now }),
    attempt: block === undefined ? null : readAttempt(answer, WHO, 'claim', block, now),
  };
}

/** `null` where a list is missing, which is not the same as an empty one. */
function scopesOf(
  json: JsonObject,
  { type }: IdentityProof,
): Pick<RegistrationGrant, 'preClaimScopes' | 'postClaimScopes'> {
  const pre = readNames(json['pre_claim_scopes']);
  const post = readNames(json['post_claim_scopes']);
  const plain = readNames(json['scopes']);
  switch (type) {
    case 'anonymous':
      return { preClaimScopes: pre ?? plain, postClaimScopes: post };
    case 'service_auth':
      return { preClaimScopes: [], postClaimScopes: post };
    case 'identity_assertion':
      return { preClaimScopes: [], postClaimScopes: plain ?? post };
  }
}

/** The members that are read for their text, each of its type. */
function requireMembers(answer: Answer, { type }: IdentityProof): void {
  switch (type) {
    case 'anonymous':
      readMembers(answer, WHO, registrationAnswer.anonymous);
      return;
    case 'service_auth':
      readMembers(answer, WHO, registrationAnswer.service_auth);
      return;
    case 'identity_assertion':
      readMembers(answer, WHO, registrationAnswer.identity_assertion);
  }
}

function nothingGiven(answer: Answer, { type }: IdentityProof): AgentError {
  return missing(answer, type === 'service_auth' ? 'claim_token' : 'identity_assertion');
}

function missing(answer: Answer, name: string): AgentError {
  return new AgentError(
    `${WHO} (${answer.where}) answered without a usable ${name}: it must be present and of its type.`,
    { code: 'bad_answer' },
  );
}
