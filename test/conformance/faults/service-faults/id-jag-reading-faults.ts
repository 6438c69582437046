import { readingAs, refusing } from '../../../../src/mock-service/faults/id-jag-faults.ts';
import type { Redecided } from '../../../../src/mock-service/faults/service-fault.ts';
import type { IdJag } from '../../../../src/mock-service/id-jag/id-jag-checks.ts';
import type { IdJagContext } from '../../../../src/mock-service/id-jag/read-id-jag.ts';
import { MINUTE, SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { idJagClaims } from '../../../../src/protocol/schemas/assertions.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

/** What was read is taken for something else. */
function takingFor(
  change: (idJag: IdJag, claims: JsonObject, context: IdJagContext) => Partial<IdJag>,
): Redecided {
  return (right) => ({
    ...right,
    readIdJag: (claims, context) => {
      const read = right.readIdJag(claims, context);
      if (!read.ok) return read;
      const { idJag } = read;
      return { ok: true, idJag: { ...idJag, ...change(idJag, claims, context) } };
    },
  });
}

/** Claims with the members of another object where they have none. */
const defaulting = (defaults: (claims: JsonObject) => JsonObject) =>
  readingAs((claims) => {
    const missing = Object.entries(defaults(claims)).filter(([name]) => claims[name] == null);
    return { ...claims, ...Object.fromEntries(missing) };
  });

/** Without the optional claims that the schema does not take. */
function withoutMisfits(claims: JsonObject): JsonObject {
  const schemas: Readonly<Record<string, Readable>> = idJagClaims.shape;
  const fits = ([name, value]: readonly [string, unknown]) => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const isOptional = schema?.safeParse(undefined).success ?? true;
    return !isOptional || (schema?.safeParse(value).success ?? true);
  };
  return Object.fromEntries(Object.entries(claims).filter(fits));
}

interface Readable {
  safeParse(value: unknown): { readonly success: boolean };
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' ? Number(value) : value;
}

/** The email in what a mail program would show: of several the first, without name, quotes and blanks. */
function mended(email: unknown): unknown {
  if (typeof email !== 'string') return email;
  const [first = ''] = email.replace(/^[^<]*<([^>]*)>.*$/s, '$1').split(',');
  return first.replace(/["\s\p{C}]/gu, '');
}

/** Faults of reading what an ID-JAG says. */
export const ID_JAG_READING_FAULTS = {
  acceptedTextTimes: {
    description: 'accepts times written as text (RFC 7519 §2)',
    decisions: readingAs(({ iat, exp, nbf, ...claims }) => ({
      ...claims,
      iat: asNumber(iat),
      exp: asNumber(exp),
      ...(nbf !== undefined && { nbf: asNumber(nbf) }),
    })),
    fails: { 'id-jag-times': ['numbers'] },
  },
  refusedFractionalTimes: {
    description: 'refuses times with fractions of a second (RFC 7519 §2)',
    decisions: refusing(({ iat, exp }) => !Number.isInteger(iat) || !Number.isInteger(exp)),
    fails: { 'id-jag-times': ['fractions'] },
  },
  acceptedMissingJti: {
    description: 'accepts an ID-JAG without jti (ID-JAG draft §3.1)',
    decisions: defaulting((claims) => ({ jti: JSON.stringify(claims) })),
    fails: { 'id-jag-claims': ['required', 'types'] },
  },
  acceptedMissingIat: {
    description: 'accepts an ID-JAG without iat or client_id (ID-JAG draft §3.1)',
    decisions: defaulting(({ exp, iss }) => ({
      iat: Number(exp) - (5 * MINUTE) / SECOND,
      client_id: iss,
    })),
    fails: { 'id-jag-claims': ['required-by-draft'] },
  },
  uncheckedSubjectType: {
    description: 'accepts a subject of any JSON type (RFC 7519 §4.1.2)',
    decisions: readingAs(({ sub, ...claims }) => ({
      ...claims,
      ...(sub !== undefined && { sub: JSON.stringify(sub) }),
    })),
    fails: { 'id-jag-claims': ['types'] },
  },
  uncheckedOptionalTypes: {
    description: 'ignores optional claims of the wrong JSON type (ID-JAG draft §3.1)',
    decisions: readingAs(withoutMisfits),
    fails: { 'id-jag-claims': ['optional-types'] },
  },
  refusedUnknownClaim: {
    description: 'refuses claims that it does not know (RFC 7519 §4)',
    decisions: refusing((claims) =>
      Object.keys(claims).some((name) => !Object.hasOwn(idJagClaims.shape, name)),
    ),
    fails: { 'id-jag-claims': ['optional-absent'] },
  },
  refusedAudienceList: {
    description: 'refuses an audience that is a list of its issuer alone (ID-JAG draft §4.4.1)',
    decisions: refusing(({ aud }) => Array.isArray(aud)),
    fails: { 'id-jag-audience': ['list-of-one'] },
  },
  acceptedMalformedEmail: {
    description: 'repairs a malformed email and accepts it (wire contract §3)',
    decisions: readingAs((claims) => ({ ...claims, email: mended(claims['email']) })),
    fails: { 'id-jag-addresses': ['odd'] },
  },
  noEmailNormalization: {
    description: 'treats an email in capitals as another one (wire contract §3)',
    decisions: takingFor(({ email }, claims) => ({ email: email && String(claims['email']) })),
    fails: { 'id-jag-confirmation': ['case-of-email'] },
  },
  ignoredIdJagScope: {
    description: 'ignores the scope of an ID-JAG (wire contract §3)',
    decisions: takingFor((_idJag, _claims, { config }) => ({ scopes: config.scopes.postClaim })),
    fails: { 'id-jag-scope': ['narrowed', 'none-of-ours'] },
  },
  acceptedForeignScopes: {
    description: 'grants every scope for an ID-JAG that names only unknown ones (wire contract §3)',
    decisions: takingFor(({ scopes }, _claims, { config }) => ({
      scopes: scopes.length === 0 ? config.scopes.postClaim : scopes,
    })),
    fails: { 'id-jag-scope': ['none-of-ours'] },
  },
  refusedIdJagResource: {
    description: 'refuses an ID-JAG that names a resource (wire contract §3)',
    decisions: refusing(({ resource }) => resource !== undefined),
    fails: { 'id-jag-scope': ['own-resource'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
