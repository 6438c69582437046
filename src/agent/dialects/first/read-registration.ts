import { isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import { readEnd } from '../../http/read-end.ts';
import { readSecret } from '../../http/read-members.ts';
import type { IdentityAssertion } from '../../model.ts';
import type { IdentityProof, RegistrationGrant } from '../dialect.ts';
import { readDirectCredential } from '../parts/direct-credential.ts';
import { readNames } from '../parts/read-names.ts';
import { readTime } from '../parts/read-time.ts';
import { registrationId } from '../parts/registration-id.ts';
import { readAttempt } from './read-attempt.ts';

const WHO = 'The identity endpoint';

/**
 * What a registration of the first versions gives. The mail of a registration by email is on its way already,
 * so that its claim has an attempt open; `start` is for an anonymous one alone.
 */
export function readRegistration(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  const json = requireJson(answer, WHO);
  const assertion = readAssertion(answer, WHO, json, now);
  const token = readDirectCredential(answer, WHO, json, now);
  const claim = readClaim(answer, json, proof, now);
  const secret = assertion?.value ?? token?.value ?? claim?.token;
  if (secret === undefined) {
    throw new AgentError(
      `${WHO} (${answer.where}) answered without anything to use: no credential, no assertion, no claim.`,
      { code: 'bad_answer' },
    );
  }
  const scopes = readNames(json['scopes']);
  const after = readNames(json['post_claim_scopes']);
  return {
    id: registrationId(json['registration_id'], proof, secret),
    assertion,
    token,
    preClaimScopes: readNames(json['pre_claim_scopes']) ?? (claim === null ? null : scopes),
    postClaimScopes: after ?? (claim === null ? scopes : null),
    claim,
  };
}

/** The service's own assertion; any text that fits a form, since only the service reads it. */
export function readAssertion(
  answer: Answer,
  who: string,
  { identity_assertion: given, assertion_expires: end }: JsonObject,
  now: number,
): IdentityAssertion | null {
  if (typeof given !== 'string') return null;
  const value = readSecret(answer, who, 'identity_assertion', given);
  const expiresAt = readTime(answer, who, { name: 'assertion_expires', value: end }, now);
  return { value, expiresAt: expiresAt ?? readEnd(answer, { spans: SPANS, value, now }) };
}

const SPANS = ['assertion_expires_in', 'identity_assertion_expires_in'] as const;

/** Members that name where a claim is started. */
const CLAIM_URLS = ['claim_url', 'claim_uri', 'claim_endpoint'] as const;

function readClaim(
  answer: Answer,
  json: JsonObject,
  proof: IdentityProof,
  now: number,
): RegistrationGrant['claim'] {
  const { claim_token: given, claim_token_expires: end, claim: block } = json;
  if (typeof given !== 'string') return null;
  const url = CLAIM_URLS.map((name) => json[name]).find((each) => typeof each === 'string');
  const time = { name: 'claim_token_expires', value: end };
  const expiresAt = readTime(answer, WHO, time, now);
  const shown = isJsonObject(block) ? block : proof.type === 'anonymous' ? null : {};
  return {
    token: readSecret(answer, WHO, 'claim_token', given),
    url: typeof url === 'string' ? url : null,
    expiresAt,
    attempt: shown && readAttempt(answer, WHO, shown, now, expiresAt),
  };
}
