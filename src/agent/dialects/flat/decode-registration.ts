import { displayText } from '../../../protocol/index.ts';
import { Secret } from '../../../runtime/index.ts';
import type { Answer } from '../../http/answer.ts';
import { type CodeMembers, readCeremony } from '../../http/read-ceremony.ts';
import { readEnd } from '../../http/read-end.ts';
import { readMembers, readSecret } from '../../http/read-members.ts';
import type { ClaimAttempt, IdentityAssertion } from '../../model.ts';
import type { IdentityProof, RegistrationGrant } from '../dialect.ts';
import { idJagUser } from '../id-jag-user.ts';
import {
  anonymousAnswer,
  identityAssertionAnswer,
  interactionAnswer,
  serviceAuthAnswer,
} from './answers.ts';
import { endBeside } from './end-beside.ts';

const WHO = 'The identity endpoint';

export function decodeRegistration(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  switch (proof.type) {
    case 'anonymous': {
      const members = readMembers(answer, WHO, anonymousAnswer);
      const assertion = decodeAssertion(answer, WHO, members, now);
      return {
        id: registrationId(members.registration_id, proof, assertion.value),
        assertion,
        preClaimScopes: cleanList(members.pre_claim_scopes),
        postClaimScopes: cleanList(members.post_claim_scopes),
        claim: decodeClaim(answer, members, undefined, now),
      };
    }
    case 'service_auth':
      return waiting(answer, proof, readMembers(answer, WHO, serviceAuthAnswer), now);
    case 'identity_assertion': {
      const members = readMembers(answer, WHO, identityAssertionAnswer);
      const assertion = decodeAssertion(answer, WHO, members, now);
      return {
        id: registrationId(members.registration_id, proof, assertion.value),
        assertion,
        preClaimScopes: [],
        postClaimScopes: cleanList(members.scopes),
        claim: null,
      };
    }
  }
}

export function decodeInteraction(
  answer: Answer,
  proof: IdentityProof,
  now: number,
): RegistrationGrant {
  return waiting(answer, proof, readMembers(answer, WHO, interactionAnswer), now);
}

export function decodeAssertion(
  answer: Answer,
  who: string,
  members: {
    readonly identity_assertion: string;
    readonly assertion_expires?: string | undefined;
  },
  now: number,
): IdentityAssertion {
  const value = readSecret(answer, who, 'identity_assertion', members.identity_assertion);
  const time = members.assertion_expires;
  return { value, expiresAt: readEnd(answer, { time, spans: ASSERTION_SPANS, value, now }) };
}

/** Members that other services send where the wire contract has `assertion_expires`, `claim_token_expires`. */
const ASSERTION_SPANS = ['assertion_expires_in', 'identity_assertion_expires_in'] as const;
const CLAIM_SPANS = ['claim_token_expires_in'] as const;

interface ClaimMembers {
  readonly registration_id?: string | undefined;
  readonly claim_token: string;
  readonly claim_token_expires?: string | undefined;
  readonly claim_url?: string | undefined;
  readonly post_claim_scopes?: readonly string[] | undefined;
}

function waiting(
  answer: Answer,
  proof: IdentityProof,
  members: ClaimMembers & { readonly claim: CodeMembers },
  now: number,
): RegistrationGrant {
  const claim = decodeClaim(answer, members, members.claim, now);
  return {
    id: registrationId(members.registration_id, proof, claim.token),
    assertion: null,
    preClaimScopes: [],
    postClaimScopes: cleanList(members.post_claim_scopes),
    claim,
  };
}

function decodeClaim(
  answer: Answer,
  members: ClaimMembers,
  block: CodeMembers | undefined,
  now: number,
): NonNullable<RegistrationGrant['claim']> {
  const token = readSecret(answer, WHO, 'claim_token', members.claim_token);
  const time = members.claim_token_expires;
  return {
    token,
    url: members.claim_url ?? null,
    expiresAt: readEnd(answer, { time, spans: CLAIM_SPANS, value: token, now }),
    attempt: block === undefined ? null : attemptOf(answer, block, now),
  };
}

function attemptOf(answer: Answer, block: CodeMembers, now: number): ClaimAttempt {
  const ceremony = readCeremony(answer, WHO, block, now, endBeside(answer, 'claim'));
  return { kind: 'type_there', ...ceremony, ended: null };
}

/**
 * The specification does not promise a registration id; something must tell two apart. An ID-JAG leads to
 * the live registration of its user (wire contract §3), so that each of them gives the same one.
 */
function registrationId(id: string | undefined, proof: IdentityProof, secret: Secret): string {
  const named = displayText(id ?? '', 200);
  return named || `unnamed_${(userKey(proof, secret) ?? secret).fingerprint}`;
}

/** Whose registration it is: as the ID-JAG says, else as the service's own assertion does. */
function userKey(proof: IdentityProof, secret: Secret): Secret | undefined {
  if (proof.type !== 'identity_assertion') return undefined;
  const { provider, subject } = idJagUser(proof.assertion);
  const user = subject ?? idJagUser(secret).subject;
  return provider === null || user === null
    ? undefined
    : new Secret(JSON.stringify([provider, user]));
}

/** `null` where the member is missing, which is not the same as an empty list. */
function cleanList(texts: readonly string[] | undefined): readonly string[] | null {
  return texts === undefined ? null : texts.map((text) => displayText(text, 100));
}
