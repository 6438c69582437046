import {
  decodeJwt,
  HOUR,
  isJsonObject,
  type JsonObject,
  type Jwk,
  SECOND,
} from '../../protocol/index.ts';
import { type Expected, type Match, type MatcherCall, match, matchOfNothing } from './result.ts';

/** Who has to have signed an ID-JAG: the mock provider is one, so is any that answers for its metadata and keys. */
export interface IdJagSigner {
  /** Its `iss`. */
  readonly issuer: string;
  /** Answers the requests for its metadata and its keys. */
  fetch(request: Request): Response | Promise<Response>;
  /** The controls of a mock, which say what time it is there. */
  readonly controls?: { state(): Promise<{ readonly now: number }> };
}

/** What an ID-JAG for cross-app access has to say, beside its audience. */
export interface IdJagWanted {
  /** Its `client_id`. */
  readonly client?: string;
  /** Its `resource`: one, or several in any order. */
  readonly resource?: string | readonly string[];
  /** Its `scope`, in any order: separated by spaces, or a list. */
  readonly scope?: string | readonly string[];
  /** Its `email`, or its `sub`. */
  readonly user?: string;
  /** Who has to have signed it. Await it then. */
  readonly by?: IdJagSigner;
}

const TYP = 'oauth-id-jag+jwt';
/** Wire contract §3. */
const ALGORITHMS: readonly unknown[] = ['ES256', 'EdDSA', 'RS256', 'PS256'];

/**
 * Whether a text is an ID-JAG for an audience, by its header and claims (wire contract §3). What is no text fails, under
 * `not` as well.
 */
export function idJagFor(
  call: MatcherCall,
  received: unknown,
  audience: string,
  claims?: IdJagWanted,
): Match {
  refuseNoAudience(audience);
  const token = textOf(received);
  if (token === undefined) return noText(call, received, audience);
  return matched(shapeProblems(token, audience, claims), audience);
}

/** The same of one for cross-app access (ID-JAG §4.3): an agent is not named by it, so that no contact has to be. */
export function idJagWith(
  call: MatcherCall,
  received: unknown,
  audience: string,
  wantedClaims: IdJagWanted,
): Match | Promise<Match> {
  refuseUnknown(wantedClaims);
  return wantedClaims.by === undefined
    ? idJagFor(call, received, audience, wantedClaims)
    : idJagSignedBy(call, received, audience, wantedClaims.by, wantedClaims);
}

/** The same, signed by a key that the provider publishes, and in force by its clock. */
export async function idJagSignedBy(
  call: MatcherCall,
  received: unknown,
  audience: string,
  by: IdJagSigner,
  claims?: IdJagWanted,
): Promise<Match> {
  refuseNoAudience(audience);
  if (typeof by?.issuer !== 'string' || typeof by.fetch !== 'function') {
    throw new TypeError('toBeIdJagFor(audience, by): by is a provider, with issuer and fetch.');
  }
  const token = textOf(received);
  if (token === undefined) return noText(call, received, audience, by);
  const problems = shapeProblems(token, audience, claims);
  const { payload } = decodeJwt(token) ?? {};
  if (payload === undefined) return matched(problems, audience, by);
  if (payload['iss'] !== by.issuer) problems.push(`its iss is ${shown(payload['iss'])}`);
  const signature = await signatureProblem(token, by);
  if (signature !== undefined) problems.push(signature);
  const now = (await by.controls?.state())?.now;
  const end = payload['exp'];
  if (now !== undefined && typeof end === 'number' && end * SECOND <= now) {
    problems.push(
      `it expired ${Math.round(now / SECOND - end)} seconds ago, by the provider’s clock`,
    );
  }
  return matched(problems, audience, by);
}

function matched(problems: readonly string[], audience: string, by?: IdJagSigner): Match {
  const seen = problems.length === 0 ? 'It is one.' : `But ${problems.join('; ')}.`;
  return match(problems.length === 0, wanted(audience, by), seen);
}

function noText(call: MatcherCall, received: unknown, audience: string, by?: IdJagSigner): Match {
  return matchOfNothing(call, wanted(audience, by), `It is ${kindOf(received)}.`);
}

/** Under `not`, everything would pass. */
function refuseNoAudience(audience: unknown): void {
  if (typeof audience === 'string' && audience !== '') return;
  throw new TypeError(
    'toBeIdJagFor(audience): audience is the issuer of the service, such as service.issuer.',
  );
}

function wanted(audience: string, by?: IdJagSigner): Expected {
  const what = `ID-JAG for ${audience}${by === undefined ? '' : `, signed by ${by.issuer}`}`;
  return { verb: `an ${what}`, opposite: `no ${what}` };
}

/** A text, or a secret that has one. */
function textOf(received: unknown): string | undefined {
  if (typeof received === 'string') return received;
  if (typeof received !== 'object' || received === null || !('reveal' in received))
    return undefined;
  const text = typeof received.reveal === 'function' ? received.reveal() : undefined;
  return typeof text === 'string' ? text : undefined;
}

function shapeProblems(token: string, audience: string, wantedClaims?: IdJagWanted): string[] {
  const decoded = decodeJwt(token);
  if (decoded === undefined) return ['it is no JWT of three parts'];
  const { header, payload } = decoded;
  const [aud] = Array.isArray(payload['aud']) && payload['aud'].length === 1 ? payload['aud'] : [];
  const [begins, ends] = [payload['iat'], payload['exp']];
  const areTimes = typeof begins === 'number' && typeof ends === 'number';
  return [
    ...unless(header['typ'] === TYP, `its typ is ${shown(header['typ'])}, not "${TYP}"`),
    ...unless(ALGORITHMS.includes(header['alg']), `its alg is ${shown(header['alg'])}`),
    ...unless((aud ?? payload['aud']) === audience, `its aud is ${shown(payload['aud'])}`),
    ...['iss', 'sub', 'jti', 'client_id'].flatMap((name) =>
      unless(isText(payload[name]), `its ${name} is ${shown(payload[name])}`),
    ),
    ...unless(areTimes, `its iat is ${shown(begins)} and its exp ${shown(ends)}, not two numbers`),
    ...unless(!areTimes || ends > begins, 'its exp is not after its iat'),
    ...unless(!areTimes || ends - begins <= HOUR / SECOND, 'it lives for longer than an hour'),
    ...(wantedClaims === undefined ? agentProblems(payload) : claimProblems(payload, wantedClaims)),
  ];
}

/** What only registration demands of it (wire contract §3). */
function agentProblems(payload: JsonObject): readonly string[] {
  return [
    ...unless(
      typeof payload['auth_time'] === 'number',
      `its auth_time is ${shown(payload['auth_time'])}`,
    ),
    ...unless(hasContact(payload), 'it has no verified email and no verified phone number'),
  ];
}

/** The claims that are not as they were wanted: claim, seen, expected. */
function claimProblems(
  payload: JsonObject,
  { client, resource, scope, user }: IdJagWanted,
): readonly string[] {
  const { client_id: clientId, email, resource: resources, scope: scopes, sub } = payload;
  const differs = (name: string, seen: unknown, expected: unknown) =>
    `its ${name} is ${shown(seen)}, not ${shown(expected)}`;
  return [
    ...unless(client === undefined || clientId === client, differs('client_id', clientId, client)),
    ...unless(
      resource === undefined || areSame(resources, resource),
      differs('resource', resources, resource),
    ),
    ...unless(
      scope === undefined || areSame(wordsOf(scopes), wordsOf(scope)),
      differs('scope', scopes, scope),
    ),
    ...unless(
      user === undefined || user === sub || user === email,
      `its sub is ${shown(sub)} and its email ${shown(email)}, not ${shown(user)}`,
    ),
  ];
}

function wordsOf(scope: unknown): unknown {
  return typeof scope === 'string' ? scope.split(' ') : scope;
}

/** The same texts in any order; one is as good as a list of it. */
function areSame(seen: unknown, expected: unknown): boolean {
  const sorted = (value: unknown) => JSON.stringify([value].flat().sort());
  return seen !== undefined && sorted(seen) === sorted(expected);
}

const WANTED: Readonly<Record<keyof IdJagWanted, true>> = {
  ...{ by: true, client: true, resource: true, scope: true, user: true },
};

/** A misspelt one would be judged by nobody. */
function refuseUnknown(wantedClaims: IdJagWanted): void {
  const unknown = Object.keys(wantedClaims).find((name) => !Object.hasOwn(WANTED, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `toBeIdJagFor(audience, wanted): there is no "${unknown}". Known: ${Object.keys(WANTED).join(', ')}.`,
  );
}

function hasContact(claims: JsonObject): boolean {
  return (
    (isText(claims['email']) && claims['email_verified'] === true) ||
    (isText(claims['phone_number']) && claims['phone_number_verified'] === true)
  );
}

async function signatureProblem(token: string, by: IdJagSigner): Promise<string | undefined> {
  // The library is loaded where a signature is looked at.
  const { compactVerify, createLocalJWKSet } = await import('jose');
  const keys = (await readJson(by, await keySetUrl(by)))?.['keys'];
  if (!Array.isArray(keys)) return `${by.issuer} publishes no keys`;
  try {
    await compactVerify(token, createLocalJWKSet({ keys: keys as Jwk[] }));
    return undefined;
  } catch {
    return `no key that ${by.issuer} publishes verifies its signature`;
  }
}

async function keySetUrl(by: IdJagSigner): Promise<string> {
  const metadata = await readJson(by, `${by.issuer}/.well-known/oauth-authorization-server`);
  const url = metadata?.['jwks_uri'];
  return typeof url === 'string' ? url : `${by.issuer}/.well-known/jwks.json`;
}

async function readJson(by: IdJagSigner, url: string): Promise<JsonObject | undefined> {
  const response = await by.fetch(new Request(url));
  const read: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  return isJsonObject(read) ? read : undefined;
}

function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const LONGEST = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  // What a mint resolves with.
  if (typeof value === 'object' && 'assertion' in value)
    return 'an object. Give its member `assertion`';
  return value === undefined ? 'undefined' : `a value of the type ${typeof value}, not a text`;
}
