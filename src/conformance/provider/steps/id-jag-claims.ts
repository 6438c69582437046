import { JWT_TYPE } from '../../../protocol/index.ts';
import { type Reading, type Row, shown } from '../../engine/judge.ts';
import { matches, member } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import { isType } from '../../jwt/open.ts';

type Claims = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string' && value !== '';
const number: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Test = (value) => typeof value === 'boolean';
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const object: Test = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** ID-JAG §3.1. `iss` and `aud` are judged by their values. */
const REQUIRED: Readonly<Record<string, Test>> = {
  iss: text,
  sub: text,
  aud: (value) => text(value) || texts(value),
  client_id: text,
  jti: text,
  exp: number,
  iat: number,
};

const OPTIONAL: Readonly<Record<string, Test>> = {
  resource: (value) => text(value) || texts(value),
  scope: (value) => typeof value === 'string',
  authorization_details: Array.isArray,
  act: object,
  auth_time: number,
  acr: text,
  amr: texts,
  email: text,
  email_verified: flag,
  phone_number: text,
  phone_number_verified: flag,
  tenant: text,
  aud_tenant: text,
  aud_sub: text,
  name: text,
};

/** Required claims that are missing or ill-typed, and optional ones that are ill-typed. */
export function claimProblems(claims: Claims): {
  readonly missing: readonly string[];
  readonly illTyped: readonly string[];
} {
  const wrong = (table: Readonly<Record<string, Test>>, ifAbsent: boolean) =>
    Object.entries(table).flatMap(([name, isRight]) => {
      const absent = claims[name] === undefined;
      return (absent ? ifAbsent : !isRight(claims[name])) ? [name] : [];
    });
  return { missing: wrong(REQUIRED, true), illTyped: wrong(OPTIONAL, false) };
}

/** An email or a phone number that the provider has verified. */
export function isVerifiedEmail(claims: Claims): boolean {
  return (
    (text(claims['email']) && claims['email_verified'] === true) ||
    (text(claims['phone_number']) && claims['phone_number_verified'] === true)
  );
}

/** The algorithms with a public key (RFC 7518 §3.1, RFC 8037 §3.1). */
export const ASYMMETRIC = /^(ES(256|384|512)|EdDSA|Ed25519|[RP]S(256|384|512))$/;

/** Why a check is not judged, whose cause `claims` or `header` has found. */
export const NO_JTI = 'The ID-JAG has no jti to compare.';
export const NO_PUBLIC_KEY = 'The alg of the header is none that is judged here.';

/** What the header of an ID-JAG has, `kid` aside (ID-JAG §3.1). */
export const ID_JAG_HEADER: readonly Row<Claims>[] = [
  member('typ', (typ) => isType(typ, JWT_TYPE.idJag), { expected: `typ: ${JWT_TYPE.idJag}` }),
  member('alg', matches(ASYMMETRIC), {
    expected: 'An alg whose keys are public, such as ES256 or RS256.',
  }),
];

/** Clocks differ. Seconds. */
const SKEW = 60;

/**
 * A token that has just been given is valid: its `exp` is still to come, its `iat` is not (RFC 7519 §4.1.4, §4.1.6).
 *
 * @param now As the provider sees it. Milliseconds since the epoch.
 */
export function validNow(now: number): readonly Row<Claims>[] {
  const seconds = Math.floor(now / 1000);
  const given = (test: (time: number) => boolean): Test => {
    return (time) => typeof time !== 'number' || test(time);
  };
  return [
    member(
      'exp',
      given((exp) => exp + SKEW > seconds),
      { expected: `exp: later than ${seconds}, when it was given` },
    ),
    member(
      'iat',
      given((iat) => iat - SKEW <= seconds),
      { expected: `iat: not later than ${seconds}, when it was given; in seconds` },
    ),
  ];
}

/** The words of a scope. */
export function wordsOf(scope: unknown): readonly string[] {
  return text(scope) ? String(scope).split(' ').filter(Boolean) : [];
}

/** An ID-JAG has no scope beyond what was asked for; the answer that gives it says which, where it is another. */
export function scopeRows(
  answer: Answer,
  scope: unknown,
  asked: readonly string[],
): Readonly<Record<'scope' | 'scope-said', Reading>> {
  const granted = wordsOf(scope);
  const said = wordsOf(answer.member('scope') ?? asked.join(' '));
  const isSame = said.length === granted.length && said.every((word) => granted.includes(word));
  return {
    scope: { ok: granted.every((word) => asked.includes(word)), seen: `scope: ${shown(scope)}` },
    'scope-said': {
      // An ID-JAG without scope grants none in particular.
      ok: scope === undefined || isSame,
      seen: `scope ${shown(scope)} in the ID-JAG, ${shown(answer.member('scope'))} in the answer`,
    },
  };
}
