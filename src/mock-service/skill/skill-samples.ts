import type { ServiceConfig, ServiceResource } from '../config/config.ts';

/** Answers as they look in every dialect. What is a secret or made up ends in an ellipsis. */

export const REGISTRATION = { registration_id: 'reg_…' };

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

/** As they are sent: whole seconds, rounded up where they are a pause. */
export function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
