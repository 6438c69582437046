import type { ServiceConfig } from '../../../config/config.ts';
import { PATHS } from '../../../config/paths.ts';
import { sampleUserCode } from '../../../config/user-code.ts';
import { REGISTRATION, seconds, tokenSample } from '../../../skill/skill-samples.ts';

/** Answers as they look, for the skill file. What is a secret or made up ends in an ellipsis. */

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
