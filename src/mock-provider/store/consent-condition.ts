import type { ConsentKey } from './consent-requests.ts';

/** A condition on the table of consents. */
export interface ConsentCondition {
  readonly where: string;
  readonly values: readonly string[];
}

/** Which consent counts: that of this user, to this audience, by this client. */
export function consentFor({ audience, client, email }: ConsentKey): ConsentCondition {
  return {
    where: 'email = ? AND audience = ? AND client = ?',
    values: [email, audience, client ?? ''],
  };
}
