import type { ServiceConfig } from '../../../config/config.ts';
import { PATHS } from '../../../config/paths.ts';
import type { ServiceResource } from '../../../config/resource.ts';
import { sampleUserCode } from '../../../config/user-code.ts';

/** Answers as they look, for the skill file. What is a secret or made up ends in an ellipsis. */

const REGISTRATION = { registration_id: 'reg_…' };

const ASSERTION = { identity_assertion: 'eyJ…', assertion_expires: '2026-01-31T00:00:00.000Z' };

/** To an anonymous registration. */
export function anonymousSample({ issuer, scopes }: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'anonymous',
    ...ASSERTION,
    pre_claim_scopes: scopes.preClaim,
    post_claim_scopes: scopes.postClaim,
    ...claimTokenSample(issuer),
  };
}

/** To a registration that its user has to claim first. */
export function serviceAuthSample(config: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'service_auth',
    ...claimTokenSample(config.issuer),
    post_claim_scopes: config.scopes.postClaim,
    claim: ceremonySample(config),
  };
}

/** To an ID-JAG that is taken at once. */
export function idJagSample({ scopes }: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'identity_assertion',
    ...ASSERTION,
    scopes: scopes.postClaim,
  };
}

/** To the start of a claim. */
export function claimSample(config: ServiceConfig): object {
  return {
    ...REGISTRATION,
    claim_attempt_id: 'cla_…',
    status: 'initiated',
    expires_at: '2026-01-01T00:10:00.000Z',
    claim_attempt: ceremonySample(config),
  };
}

/** To the poll after the user completed the claim. */
export function collectedSample(config: ServiceConfig): object {
  return { ...tokenSample(config), ...ASSERTION };
}

/** To an exchange after the claim. */
export function tokenSample({ lifetimes, scopes }: ServiceConfig): object {
  return {
    access_token: 'at_…',
    token_type: 'Bearer',
    expires_in: seconds(lifetimes.accessToken),
    scope: scopes.postClaim.join(' '),
  };
}

/** To a call after the claim; `undefined` where the body is configured. */
export function resourceSample(
  { scopes }: ServiceConfig,
  { body }: ServiceResource,
): object | undefined {
  if (body !== undefined) return undefined;
  const scope = scopes.postClaim.join(' ');
  return { message: '…', ...REGISTRATION, scope, user: { email: 'alice@example.com' } };
}

function claimTokenSample(issuer: string): object {
  return {
    claim_url: issuer + PATHS.claim,
    claim_token: 'clm_…',
    claim_token_expires: '2026-01-02T00:00:00.000Z',
  };
}

function ceremonySample({ codeFormat, issuer, lifetimes }: ServiceConfig): object {
  return {
    user_code: sampleUserCode(codeFormat).replaceAll(' ', ''),
    verification_uri: `${issuer}${PATHS.claimLink}/cat_…`,
    expires_in: seconds(lifetimes.userCode),
    interval: seconds(lifetimes.interval),
  };
}

/** As they are sent: whole seconds, rounded up where they are a pause. */
export function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
