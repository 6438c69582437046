import {
  anonymousRegistration,
  identityAssertionRegistration,
  isJsonObject,
  type JsonObject,
  serviceAuthRegistration,
} from '../../protocol/index.ts';
import type { Answer } from '../http/answer.ts';
import { readEnd, readMembers, readSecret } from '../http/read-members.ts';
import type { DialectId } from '../model.ts';
import type { IdentityProof, RegistrationGrant } from './dialect.ts';
import { registrationId } from './id-jag-user.ts';
import { attemptBlock, readAttempt } from './read-claim.ts';
import { readCredential } from './read-credential.ts';
import {
  badAnswer,
  firstText,
  type Reading,
  readIdentity,
  readingOf,
  readNames,
  readTime,
} from './reading.ts';

/**
 * The members of the wire contract, by the type that was asked for. The specification names few of them: the rest are
 * taken when they come and missed when they do not, but never taken in another type (ASM-09). Times and claim
 * blocks are read apart: services write both in several ways.
 */
const TIMES = { claim_token_expires: true } as const;
const CONTRACT = {
  anonymous: anonymousRegistration.omit({ ...TIMES, assertion_expires: true }).partial(),
  service_auth: serviceAuthRegistration
    .omit({ ...TIMES, claim: true })
    .extend({ identity_assertion: anonymousRegistration.shape.identity_assertion })
    .partial(),
  identity_assertion: identityAssertionRegistration
    .omit({ assertion_expires: true })
    .extend(
      serviceAuthRegistration.pick({ claim_url: true, claim_token: true, post_claim_scopes: true })
        .shape,
    )
    .partial(),
} as const;

/**
 * What a registration gives, or the body of `interaction_required`, in whichever family: an assertion, a credential,
 * a claim, or several of them. One that mixes families has each member where it is.
 * @throws AgentError `bad_answer` where it gives none.
 */
export function readRegistration(
  dialect: DialectId,
  answer: Answer,
  proof: IdentityProof,
): RegistrationGrant {
  const reading = readingOf(answer, 'The identity endpoint');
  const { json, who } = reading;
  const { type } = proof;
  if (dialect === 'flat') readMembers<unknown>(answer, who, CONTRACT[type]);
  const { assertion = null, ...refresh } = readIdentity(reading) ?? {};
  // A token beside an assertion is worth no more than the exchange of it; the first versions give an API key there.
  const isAlone = assertion === null || dialect === 'first';
  const token = isAlone ? readCredential(reading) : null;
  const claim = readClaim(reading, dialect, type);
  const secret = assertion?.value ?? token?.value ?? claim?.token;
  if (secret === undefined) {
    const missed = type === 'service_auth' ? 'claim_token' : 'identity_assertion';
    throw badAnswer(
      reading,
      `without anything to use: no credential, no claim, no usable ${missed}`,
    );
  }
  const given = json['registration_id'] ?? json['id'];
  const id = registrationId(given, proof, secret);
  return { id, assertion, ...refresh, token, ...readScopes(json, type), claim };
}

/** Scopes in one object, in two lists, or in one that counts where no claim follows. `null`: not given, not empty. */
function readScopes(
  { scopes, pre_claim_scopes, post_claim_scopes }: JsonObject,
  type: IdentityProof['type'],
): Pick<RegistrationGrant, 'preClaimScopes' | 'postClaimScopes'> {
  const { pre_claim, post_claim } = isJsonObject(scopes)
    ? scopes
    : { pre_claim: pre_claim_scopes, post_claim: post_claim_scopes };
  const before = readNames(pre_claim);
  const after = readNames(post_claim);
  return type === 'anonymous'
    ? { preClaimScopes: before ?? readNames(scopes), postClaimScopes: after }
    : { preClaimScopes: before ?? [], postClaimScopes: after ?? readNames(scopes) };
}

function readClaim(
  reading: Reading,
  dialect: DialectId,
  type: IdentityProof['type'],
): RegistrationGrant['claim'] {
  const { answer, json, now, who } = reading;
  const inside: JsonObject = isJsonObject(json['claim']) ? json['claim'] : {};
  const given = json['claim_token'] ?? inside['token'];
  if (typeof given !== 'string') return null;
  const url = firstText(
    inside['url'],
    json['claim_url'],
    json['claim_uri'],
    json['claim_endpoint'],
  );
  const token = readSecret(answer, who, 'claim_token', given);
  const insideEnd = inside['token'] === undefined ? undefined : inside['expires_at'];
  const end = readTime(reading, 'claim_token_expires', json['claim_token_expires'] ?? insideEnd);
  const spans = ['claim_token_expires_in'];
  const expiresAt = end ?? readEnd(answer, { spans, value: token, now });
  // The mail of a registration by email is on its way already in the first versions: its claim has an attempt open.
  const mailed = dialect === 'first' && type !== 'anonymous' ? {} : undefined;
  const block = attemptBlock(json['claim']) ?? mailed;
  const place = {
    dialect,
    member: 'claim',
    end: dialect === 'first' ? expiresAt : undefined,
  } as const;
  const attempt = block === undefined ? null : readAttempt(reading, block, place);
  return { token, url: url ?? null, expiresAt, attempt };
}
