import type { ServiceConfig } from '../../../config/config.ts';
import { PATHS } from '../../../config/paths.ts';

/** Answers as they look, for the skill file. What is a secret or made up ends in an ellipsis. */

const IDENTITY = { assertion: 'eyJ…', expires_at: '2026-01-01T01:00:00.000Z' };

const WITH_REFRESH_TOKEN = {
  ...IDENTITY,
  refresh_token: { value: 'art_…', expires_at: '2026-01-31T00:00:00.000Z' },
};

export function anonymousSample({ issuer, scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'anonymous',
    identity: IDENTITY,
    claim: claimSample(issuer),
    scopes: { pre_claim: scopes.preClaim, post_claim: scopes.postClaim },
  };
}

/** To a registration that its user has to claim first. */
export function serviceAuthSample({ issuer, scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'service_auth',
    scopes: { post_claim: scopes.postClaim },
    claim: { ...claimSample(issuer), attempt: attemptSample(issuer) },
  };
}

/** To an ID-JAG that is taken at once. */
export function idJagSample({ scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'identity_assertion',
    identity: IDENTITY,
    scopes: scopes.postClaim,
  };
}

/** To the start of a claim. */
export function startedSample({ issuer }: ServiceConfig): object {
  return { id: 'reg_…', type: 'service_auth', attempt: attemptSample(issuer) };
}

/** To the code of the user. */
export function claimedSample(): object {
  return { id: 'reg_…', status: 'claimed', identity: WITH_REFRESH_TOKEN };
}

/** To a refresh token. */
export function refreshedSample({ scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'refresh',
    identity: WITH_REFRESH_TOKEN,
    scopes: scopes.postClaim,
  };
}

function claimSample(issuer: string): object {
  return { token: 'clm_…', expires_at: '2026-01-02T00:00:00.000Z', url: issuer + PATHS.claim };
}

function attemptSample(issuer: string): object {
  return {
    verification_uri: `${issuer}${PATHS.claimLink}/cat_…`,
    expires_at: '2026-01-01T00:10:00.000Z',
  };
}
