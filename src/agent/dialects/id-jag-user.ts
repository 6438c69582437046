import { decodeJwt, displayText } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';

/** The user of an ID-JAG, as its claims name it; unverified, since the service alone can verify it. */
export interface IdJagUser {
  readonly provider: string | null;
  /** The user's name at that provider; it means nothing elsewhere. */
  readonly subject: string | null;
  readonly email: string | null;
}

/** Every member is `null` for what is no JWT. */
export function idJagUser(assertion: Secret): IdJagUser {
  const { iss, sub, email } = decodeJwt(assertion.reveal())?.payload ?? {};
  return {
    provider: text(iss, 200),
    subject: text(sub, 255),
    email: text(email, 254),
  };
}

function text(value: unknown, length: number): string | null {
  return (typeof value === 'string' && displayText(value, length)) || null;
}
