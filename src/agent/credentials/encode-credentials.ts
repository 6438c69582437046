import {
  type AttemptEntry,
  CREDENTIALS_SCHEMA,
  type CredentialFile,
  type KeptAnswerEntry,
  type RegistrationEntry,
  type ServiceEntry,
} from '../../protocol/index.ts';
import type {
  ClaimAttempt,
  Credentials,
  KeptAnswer,
  Registration,
  ServiceRecord,
} from '../model.ts';
import { isSameService } from './change-credentials.ts';

/**
 * The model as the file holds it, over what the file held before: members that this version does not
 * know stay with the object that they describe, and go with it.
 */
export function encodeCredentials(
  next: Credentials,
  before: CredentialFile | null,
): CredentialFile {
  return {
    ...before,
    schema: CREDENTIALS_SCHEMA,
    last_service: next.lastService,
    services: next.services.map((record) =>
      encodeService(
        record,
        before?.services.find((entry) => isSameService(entry, record)),
      ),
    ),
    providers: next.providers.map((session) => ({
      ...before?.providers.find((entry) => entry.issuer === session.issuer),
      issuer: session.issuer,
      id_token: session.idToken.reveal(),
      expires_at: session.expiresAt,
      clock_offset: session.clockOffset,
      account: session.account,
    })),
    sign_ins: next.signIns.map((signIn) => ({
      ...before?.sign_ins?.find((entry) => entry.device_code === signIn.deviceCode.reveal()),
      issuer: signIn.issuer,
      device_code: signIn.deviceCode.reveal(),
      user_code: signIn.userCode.reveal(),
      verification_uri: signIn.verificationUri,
      expires_at: signIn.expiresAt,
      interval: signIn.interval,
      next_poll_at: signIn.nextPollAt ?? null,
      clock_offset: signIn.clockOffset,
    })),
    not_understood: (next.notUnderstood ?? []).map((kept) => ({
      ...before?.not_understood?.find(({ id }) => id === kept.id),
      ...encodeKept(kept),
    })),
  };
}

function encodeKept(kept: KeptAnswer): KeptAnswerEntry {
  const { id, issuer, resource, name, of, type, email, status, truncated, members } = kept;
  return {
    ...{ id, issuer, resource, name, of, type, email, status, truncated },
    members: [...members],
    provider: kept.provider ?? null,
    subject: kept.subject ?? null,
    registration_id: kept.registrationId,
    kept_at_local: kept.keptAt,
    body: kept.body.reveal(),
  };
}

function encodeService(record: ServiceRecord, before: ServiceEntry | undefined): ServiceEntry {
  return {
    ...before,
    issuer: record.issuer,
    resource: record.resource,
    name: record.name,
    clock_offset: record.clockOffset,
    current: record.current,
    registrations: record.registrations.map((registration) =>
      encodeRegistration(
        registration,
        before?.registrations.find((entry) => entry.registration_id === registration.id),
      ),
    ),
  };
}

function encodeRegistration(
  registration: Registration,
  before: RegistrationEntry | undefined,
): RegistrationEntry {
  const { assertion, token } = registration;
  // What this version knows and leaves out was dropped: it does not come back from the file.
  const { refresh_token: _, members: __, assertion_given: ___, ...kept } = before ?? {};
  return {
    ...kept,
    registration_id: registration.id,
    type: registration.type,
    dialect: registration.dialect,
    created_at_local: registration.createdAt,
    identity_assertion:
      assertion &&
      over(before?.identity_assertion, 'value', {
        value: assertion.value.reveal(),
        expires_at: assertion.expiresAt,
      }),
    access_token:
      token &&
      over(before?.access_token, 'value', {
        value: token.value.reveal(),
        scopes: token.scopes && [...token.scopes],
        expires_at: token.expiresAt,
        ...(token.direct && { direct: true }),
        ...(token.header !== undefined && { header: token.header }),
        ...(token.loginUrl !== undefined && { login_url: token.loginUrl }),
      }),
    ...(registration.refresh !== undefined && {
      refresh_token:
        registration.refresh &&
        over(before?.refresh_token, 'value', {
          value: registration.refresh.value.reveal(),
          expires_at: registration.refresh.expiresAt,
          sent_at_local: registration.refresh.sentAt ?? null,
        }),
    }),
    ...(registration.members !== undefined && { members: { ...registration.members } }),
    pre_claim_scopes: registration.preClaimScopes && [...registration.preClaimScopes],
    post_claim_scopes: registration.postClaimScopes && [...registration.postClaimScopes],
    claim: encodeClaim(registration, before),
    claimed: registration.claimed,
    email: registration.email,
    provider: registration.provider,
    ...(registration.assertionGiven && { assertion_given: true }),
    ended: registration.ended,
  };
}

function encodeClaim(
  { claim }: Registration,
  before: RegistrationEntry | undefined,
): RegistrationEntry['claim'] {
  if (claim === null) return null;
  const { attempt } = claim;
  return over(before?.claim, 'claim_token', {
    claim_token: claim.token.reveal(),
    claim_url: claim.url,
    expires_at: claim.expiresAt,
    email: claim.email,
    attempt: attempt && encodeAttempt(attempt, before?.claim?.attempt),
    ...(claim.form !== undefined && { form: claim.form }),
  });
}

function encodeAttempt(
  attempt: ClaimAttempt,
  before: AttemptEntry | null | undefined,
): AttemptEntry {
  const { kind, expiresAt, ended } = attempt;
  if (kind === 'read_back') {
    return over(before?.kind === kind ? before : null, 'expires_at', {
      kind,
      verification_uri: attempt.verificationUri,
      submit_url: attempt.submitUrl,
      expires_at: expiresAt,
      ended,
    });
  }
  return over(before?.kind === 'read_back' ? null : before, 'user_code', {
    kind,
    user_code: attempt.userCode.reveal(),
    verification_uri: attempt.verificationUri,
    expires_at: expiresAt,
    interval: attempt.interval,
    ended,
    next_poll_at: attempt.nextPollAt ?? null,
  });
}

/** Unknown members describe one token or code: they are kept only while it is the same one. */
function over<T extends object, K extends keyof T>(
  before: T | null | undefined,
  identity: K,
  next: T,
): T {
  return before && before[identity] === next[identity] ? { ...before, ...next } : next;
}
