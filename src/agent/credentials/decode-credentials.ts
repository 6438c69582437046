import {
  type AttemptEntry,
  CLAIM_FORMS,
  type CredentialFile,
  type KeptAnswerEntry,
  type RegistrationEntry,
  type ServiceEntry,
} from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import type { ClaimAttempt, Credentials, KeptAnswer, OpenClaim, Registration } from '../model.ts';

/** The file's members in the normal model. */
export function decodeCredentials(file: CredentialFile): Credentials {
  return {
    lastService: file.last_service,
    services: file.services.map((entry) => ({
      issuer: entry.issuer,
      resource: entry.resource,
      name: entry.name,
      clockOffset: entry.clock_offset,
      current: entry.current,
      registrations: entry.registrations.map((one) => decodeRegistration(one, entry)),
    })),
    providers: file.providers.map((entry) => ({
      issuer: entry.issuer,
      idToken: new Secret(entry.id_token),
      expiresAt: entry.expires_at,
      clockOffset: entry.clock_offset,
      account: entry.account,
    })),
    signIns: (file.sign_ins ?? []).map((entry) => ({
      issuer: entry.issuer,
      deviceCode: new Secret(entry.device_code),
      userCode: new Secret(entry.user_code),
      verificationUri: entry.verification_uri,
      expiresAt: entry.expires_at,
      interval: entry.interval,
      ...(typeof entry.next_poll_at === 'number' && { nextPollAt: entry.next_poll_at }),
      clockOffset: entry.clock_offset,
    })),
    notUnderstood: (file.not_understood ?? []).map(decodeKept),
  };
}

function decodeKept(entry: KeptAnswerEntry): KeptAnswer {
  const { id, issuer, resource, name, of, type, email, status, truncated, members } = entry;
  return {
    ...{ id, issuer, resource, name, of, type, email, status, truncated, members },
    provider: entry.provider ?? null,
    subject: entry.subject ?? null,
    registrationId: entry.registration_id,
    keptAt: entry.kept_at_local,
    body: new Secret(entry.body),
  };
}

function decodeRegistration(
  entry: RegistrationEntry,
  { issuer, resource }: ServiceEntry,
): Registration {
  const { identity_assertion: assertion, access_token: token, claim } = entry;
  const { refresh_token: refresh } = entry;
  return {
    id: entry.registration_id,
    type: entry.type,
    issuer,
    resource,
    dialect: entry.dialect,
    createdAt: entry.created_at_local,
    assertion: assertion && {
      value: new Secret(assertion.value),
      expiresAt: assertion.expires_at,
    },
    token: token && {
      value: new Secret(token.value),
      scopes: token.scopes,
      expiresAt: token.expires_at,
      ...(token.direct === true && { direct: true }),
      ...(typeof token.header === 'string' && { header: token.header }),
      ...(typeof token.login_url === 'string' && { loginUrl: token.login_url }),
    },
    ...(refresh && {
      refresh: {
        value: new Secret(refresh.value),
        expiresAt: refresh.expires_at,
        ...(typeof refresh.sent_at_local === 'number' && { sentAt: refresh.sent_at_local }),
      },
    }),
    ...(entry.members !== undefined && { members: entry.members }),
    preClaimScopes: entry.pre_claim_scopes,
    postClaimScopes: entry.post_claim_scopes,
    claim: claim && decodeClaim(claim),
    claimed: entry.claimed,
    email: entry.email,
    provider: entry.provider,
    ...(entry.assertion_given === true && { assertionGiven: true }),
    ended: entry.ended,
  };
}

function decodeClaim(claim: NonNullable<RegistrationEntry['claim']>): OpenClaim {
  const { attempt } = claim;
  const form = CLAIM_FORMS.find((one) => one === claim.form);
  return {
    token: new Secret(claim.claim_token),
    url: claim.claim_url,
    expiresAt: claim.expires_at,
    email: claim.email,
    attempt: attempt && decodeAttempt(attempt),
    ...(form !== undefined && { form }),
  };
}

function decodeAttempt(attempt: AttemptEntry): ClaimAttempt {
  const { expires_at: expiresAt, ended } = attempt;
  if (attempt.kind === 'read_back') {
    const { kind, verification_uri: verificationUri, submit_url: submitUrl } = attempt;
    return { kind, verificationUri, submitUrl, expiresAt, ended };
  }
  return {
    kind: 'type_there',
    userCode: new Secret(attempt.user_code),
    verificationUri: attempt.verification_uri,
    expiresAt,
    interval: attempt.interval,
    ended,
    ...(typeof attempt.next_poll_at === 'number' && { nextPollAt: attempt.next_poll_at }),
  };
}
