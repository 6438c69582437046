import { readEmail } from './email.ts';
import { Distrust, type KeySets } from './key-sets.ts';
import { Problem } from './problem.ts';

export const ID_JAG_TYP = 'oauth-id-jag+jwt';
const SKEW_SECONDS = 30;
/** Longer ones would have to be remembered for too long against replay. */
const LONGEST_SECONDS = 3600;
const OLDEST_SIGN_IN_SECONDS = 3600;

/** What an ID-JAG says. Audience and replay are for the service to judge. */
export interface IdJag {
  readonly iss: string;
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly email: string;
  readonly aud: unknown;
}

export async function readIdJag(value: unknown, keys: KeySets, now: number): Promise<IdJag> {
  if (typeof value !== 'string') throw new Problem(400, 'invalid_request', 'assertion is missing.');
  const claims = await keys.open(value, ID_JAG_TYP).catch((error: unknown) => {
    throw problemOf(error);
  });
  const seconds = now / 1000;
  const iat = number(claims.iat);
  const exp = number(claims.exp);
  if (iat > seconds + SKEW_SECONDS) throw refused('iat lies in the future.');
  if (exp - iat > LONGEST_SECONDS || exp <= iat) throw refused('The lifetime is not a sane one.');
  text(claims['client_id'], 'client_id');
  // A key that the sender has to prove is asked for, and no proof is taken here.
  if (claims['cnf'] !== undefined) throw refused('An assertion bound to a key is not taken.');
  const email = readEmail(claims['email']);
  if (email === undefined || claims['email_verified'] !== true) {
    throw new Problem(400, 'missing_verified_email', 'A verified email is needed.');
  }
  checkSignIn(claims['auth_time'], seconds);
  return {
    iss: claims.iss,
    sub: text(claims.sub, 'sub'),
    jti: text(claims.jti, 'jti'),
    iat,
    exp,
    email,
    aud: claims.aud,
  };
}

/** One audience, and that is this service. */
export function isAimedAt(aud: unknown, issuer: string): boolean {
  return aud === issuer || (Array.isArray(aud) && aud.length === 1 && aud[0] === issuer);
}

function checkSignIn(authTime: unknown, seconds: number): void {
  if (authTime === undefined) return;
  const age = seconds - number(authTime);
  if (age < -SKEW_SECONDS) throw refused('auth_time lies in the future.');
  if (age > OLDEST_SIGN_IN_SECONDS + SKEW_SECONDS) {
    throw new Problem(401, 'login_required', 'The user has to sign in at the provider again.', {
      max_age: OLDEST_SIGN_IN_SECONDS,
    });
  }
}

function problemOf(error: unknown): Problem {
  const kind = error instanceof Distrust ? error.kind : 'malformed';
  if (kind === 'unavailable') {
    return new Problem(
      503,
      'temporarily_unavailable',
      'The keys of the provider are out of reach.',
    );
  }
  if (kind === 'issuer') return new Problem(400, 'invalid_issuer', 'The issuer is not trusted.');
  if (kind === 'expired') return new Problem(400, 'expired', 'The assertion is over.');
  if (kind === 'signature') {
    return new Problem(400, 'invalid_signature', 'The signature does not hold.');
  }
  return refused('The assertion is not an ID-JAG.');
}

function refused(reason: string): Problem {
  return new Problem(400, 'invalid_assertion', reason);
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 512) {
    throw refused(`${name} is missing or no text.`);
  }
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refused('A time is missing.');
  return value;
}
