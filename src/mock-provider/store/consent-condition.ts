import type { ConsentRequest } from './consent-requests.ts';

/** A condition on the table of consents. */
export interface ConsentCondition {
  readonly where: string;
  readonly values: readonly string[];
}

/** Which consent counts: that of this user, to this audience. */
export function consentFor({
  audience,
  email,
}: Pick<ConsentRequest, 'email' | 'audience'>): ConsentCondition {
  return { where: 'email = ? AND audience = ?', values: [email, audience] };
}
