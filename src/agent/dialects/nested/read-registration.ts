import { isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import { readSecret } from '../../http/read-members.ts';
import type { IdentityProof, RegistrationGrant } from '../dialect.ts';
import { readDirectCredential } from '../parts/direct-credential.ts';
import { readIdentity } from '../parts/read-identity.ts';
import { readNames } from '../parts/read-names.ts';
import { readTime } from '../parts/read-time.ts';
import { registrationId } from '../parts/registration-id.ts';
import { readAttempt } from './read-attempt.ts';

const WHO = 'The identity endpoint';

/** What a registration gives, or the body of `interaction_required`: an identity, a claim, or both. */
export function readRegistration(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  const json = requireJson(answer, WHO);
  const identity = readIdentity(answer, WHO, json, now);
  // An access token beside an assertion is worth nothing more than the exchange of it.
  const token = identity === undefined ? readDirectCredential(answer, WHO, json, now) : null;
  const claim = readClaim(answer, json, now);
  const secret = identity?.assertion.value ?? token?.value ?? claim?.token;
  if (secret === undefined) {
    throw new AgentError(
      `${WHO} (${answer.where}) answered without anything to use: no identity, no claim.`,
      { code: 'bad_answer' },
    );
  }
  return {
    id: registrationId(json['id'] ?? json['registration_id'], proof, secret),
    assertion: identity?.assertion ?? null,
    ...(identity?.refresh && { refresh: identity.refresh }),
    token,
    ...readScopes(json, proof),
    claim,
  };
}

/** A list where no claim follows, else an object of two lists. */
function readScopes(
  { scopes, pre_claim_scopes: pre, post_claim_scopes: post }: JsonObject,
  { type }: IdentityProof,
): Pick<RegistrationGrant, 'preClaimScopes' | 'postClaimScopes'> {
  // Nothing is allowed before the claim of the other types.
  const none = type === 'anonymous' ? null : [];
  if (isJsonObject(scopes)) {
    return {
      preClaimScopes: readNames(scopes['pre_claim']) ?? none,
      postClaimScopes: readNames(scopes['post_claim']),
    };
  }
  const names = readNames(scopes);
  return type === 'anonymous'
    ? { preClaimScopes: names ?? readNames(pre), postClaimScopes: readNames(post) }
    : { preClaimScopes: [], postClaimScopes: names ?? readNames(post) };
}

function readClaim(answer: Answer, json: JsonObject, now: number): RegistrationGrant['claim'] {
  const claim = isJsonObject(json['claim']) ? json['claim'] : {};
  const given = claim['token'] ?? json['claim_token'];
  if (typeof given !== 'string') return null;
  const url = [claim['url'], json['claim_url']].find((each) => typeof each === 'string');
  const [name, value] =
    claim['expires_at'] === undefined
      ? ['claim_token_expires', json['claim_token_expires']]
      : ['claim.expires_at', claim['expires_at']];
  const block = attemptIn(claim);
  return {
    token: readSecret(answer, WHO, 'claim.token', given),
    url: typeof url === 'string' ? url : null,
    expiresAt: readTime(answer, WHO, { name: String(name), value }, now),
    attempt: block && readAttempt(answer, WHO, block, now),
  };
}

/** The attempt of a claim; one that mixes families has its members in the claim itself. */
export function attemptIn(claim: JsonObject): JsonObject | null {
  const { attempt, verification_uri: page, complete_url: submit } = claim;
  if (isJsonObject(attempt)) return attempt;
  return typeof page === 'string' || typeof submit === 'string' ? claim : null;
}
