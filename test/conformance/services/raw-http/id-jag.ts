import { Overlap, type TrustedProvider } from '../support.ts';
import { Refusal } from './http.ts';
import { type Claims, instant, isTyped, type Parsed, parseJwt } from './jwt.ts';
import { isFrom } from './keys.ts';
import { HOUR, isFirst, MINUTE, READ, SECOND, type State, WRITE } from './state.ts';

const SKEW = MINUTE / SECOND;
const LONGEST = HOUR / SECOND;
const OLDEST_SIGN_IN = HOUR / SECOND;

/** What a verified ID-JAG says. */
export interface Vouched {
  /** Issuer, tenant and subject. */
  readonly subject: string;
  readonly provider: string;
  readonly email: string;
  readonly scopes: readonly string[];
  readonly iat: number;
  /** Takes its `jti`: whether nobody has used it before. */
  readonly use: () => Promise<boolean>;
}

/** @throws Refusal that says what is wrong. */
export async function verifyIdJag(state: State, assertion: string): Promise<Vouched> {
  const jwt = readIdJag(state, assertion);
  const { claims } = jwt;
  const provider = trusted(state, claims['iss']);
  if (provider === undefined) refuse('invalid_issuer', 'This issuer is not trusted here.');
  if (!(await isFrom(state, provider, jwt))) {
    refuse('invalid_signature', 'No key of the issuer made this signature.');
  }
  checkAudience(state, claims);
  const iat = checkTimes(state, claims);
  checkClient(claims, provider.issuer);
  const email = verifiedEmail(claims);
  checkSignIn(state, claims);
  const subject = subjectOf(state, claims);
  const takenBack = state.takenBack.get(subject);
  if (takenBack !== undefined && iat <= takenBack) refuse('expired', 'It was revoked.');
  const id = JSON.stringify([provider.issuer, string(claims, 'jti')]);
  const ends = (Number(claims['exp']) + SKEW) * SECOND;
  return {
    subject,
    provider: provider.issuer,
    email,
    scopes: scopesOf(claims),
    iat,
    use: () => useUp(state, id, ends),
  };
}

const racing = new Overlap();

async function useUp(state: State, id: string, ends: number): Promise<boolean> {
  if (!state.has('jti-race')) return isFirst(state, id, ends);
  if (state.seen.has(id)) return false;
  // What a store takes to write.
  await racing.untilNext();
  state.seen.set(id, ends);
  return true;
}

function trusted({ trust, has }: State, iss: unknown): TrustedProvider | undefined {
  const exact = trust.find(({ issuer }) => issuer === iss);
  if (exact !== undefined || !has('issuer-prefix')) return exact;
  return trust.find(({ issuer }) => String(iss).startsWith(issuer));
}

function readIdJag({ has }: State, assertion: string): Parsed {
  const jwt = parseJwt(assertion);
  if (jwt === undefined) refuse('invalid_request', 'The assertion is not a JWT.');
  if (!isTyped(jwt, 'oauth-id-jag+jwt')) refuse('invalid_request', 'The JWT is not an ID-JAG.');
  if ('crit' in jwt.header || 'b64' in jwt.header) {
    refuse('invalid_request', 'It asks for what is not supported here.');
  }
  for (const name of ['iss', 'sub', 'jti']) string(jwt.claims, name);
  for (const name of ['iat', 'exp']) {
    if (has('exp-unparsed') && name === 'exp') continue;
    if (instant(jwt.claims, name) === undefined) refuse('invalid_request', `${name} is missing.`);
  }
  if (jwt.claims['tenant'] !== undefined) string(jwt.claims, 'tenant');
  return jwt;
}

function string(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '' || value.length > 512) {
    refuse('invalid_request', `${name} has to be a string of at most 512 characters.`);
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    refuse('invalid_request', `${name} is not text.`);
  }
  return value;
}

function checkAudience({ origin, has }: State, { aud, resource }: Claims): void {
  if (has('id-jag-audience')) return;
  const only: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (only !== origin) refuse('invalid_audience', 'It was minted for another service.');
  const ownResources: readonly unknown[] = [origin, `${origin}/`, `${origin}/api/resource`];
  if (resource !== undefined && !ownResources.includes(resource)) {
    refuse('invalid_audience', 'Its resource is not ours.');
  }
}

function checkTimes({ now }: State, claims: Claims): number {
  const [iat, exp] = [Number(claims['iat']), Number(claims['exp'])];
  const nbf = instant(claims, 'nbf') ?? iat;
  const at = now() / SECOND;
  if (exp - iat > LONGEST) refuse('invalid_request', 'It lives for more than an hour.');
  if (exp + SKEW <= at) refuse('expired', 'It has expired.');
  if (iat - SKEW > at || nbf - SKEW > at || exp <= iat) refuse('expired', 'It is not valid yet.');
  return iat;
}

/** The provider speaks for itself, or for the client whose document it publishes. */
function checkClient(claims: Claims, issuer: string): void {
  const client = claims['client_id'];
  if (client === undefined) refuse('invalid_request', 'client_id is missing.');
  if (client !== issuer && client !== `${issuer}/agent-auth.json`) {
    refuse('invalid_client_id', 'This client is not known.');
  }
}

function verifiedEmail(claims: Claims): string {
  const { email } = claims;
  if (email !== undefined && typeof email !== 'string') {
    refuse('invalid_request', 'email has to be a string.');
  }
  if (claims['email_verified'] !== true || email === undefined || !isEmail(email)) {
    refuse('missing_verified_email', 'It names no verified email.');
  }
  return email.toLowerCase();
}

function checkSignIn({ now }: State, claims: Claims): void {
  const at = now() / SECOND;
  const signedIn = instant(claims, 'auth_time');
  if (signedIn !== undefined && signedIn <= at + SKEW && signedIn > at - OLDEST_SIGN_IN) return;
  throw new Refusal(
    401,
    'login_required',
    'The user has to sign in at the provider again.',
    { max_age: OLDEST_SIGN_IN },
    { 'www-authenticate': `AgentAuth error="login_required", max_age="${OLDEST_SIGN_IN}"` },
  );
}

/** Of whom a JWT speaks: subjects of two issuers, or of two tenants, are two. */
export function subjectOf({ has }: State, claims: Claims): string {
  if (has('subject-without-issuer')) return String(claims['sub']);
  return JSON.stringify([claims['iss'], claims['tenant'] ?? null, claims['sub']]);
}

function scopesOf(claims: Claims): readonly string[] {
  const { scope } = claims;
  if (scope === undefined) return [READ, WRITE];
  if (typeof scope !== 'string') refuse('invalid_request', 'scope has to be a string.');
  const asked = scope.split(' ');
  const granted = [READ, WRITE].filter((each) => asked.includes(each));
  if (granted.length === 0) refuse('invalid_request', 'None of its scopes is known here.');
  return granted;
}

/** ASCII, one `@`, a domain, at most 254 characters. */
export function isEmail(value: string): boolean {
  return (
    value.length <= 254 &&
    /^[!#-'*+./0-9=?A-Z^_`a-z{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value)
  );
}

function refuse(code: string, message: string): never {
  throw new Refusal(400, code, message);
}
