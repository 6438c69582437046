import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import {
  alsoSigned,
  judgingHeaders,
  verifying,
} from '../../../../src/mock-service/faults/trust-faults.ts';
import type { ReadJwt } from '../../../../src/mock-service/trust/jwt-verifier.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonResult,
  parseJsonObject,
} from '../../../../src/protocol/json.ts';
import { isStorableText } from '../../../../src/protocol/text.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { isBareSigned } from './bare-signature.ts';

/** What the right reader takes for no JWT is read another way. */
const alsoReading = (readOtherwise: (text: string) => ReadJwt | undefined): Rewired =>
  verifying(({ read }) => ({ read: (text) => read(text) ?? readOtherwise(text) }));

type ReadPart = (part: string) => JsonResult;

/** Three parts, each of the first two read in its own way. */
const inParts =
  (readPart: ReadPart) =>
  (token: string): ReadJwt | undefined => {
    const [head = '', body = '', ...rest] = token.split('.');
    const [header, payload] = [readPart(head), readPart(body)];
    if (rest.length !== 1 || !header.ok || !payload.ok) return undefined;
    return { header: header.value, payload: payload.value, token };
  };

/** Takes padding, either alphabet, and leaves out whatever belongs to none. */
const fromAnyBase64 = (part: string) => Buffer.from(part, 'base64').toString('utf8');

/** A part in its one right encoding, as it is parsed otherwise. */
const parsing =
  (parse: (text: string) => JsonResult): ReadPart =>
  (part) =>
    /^[\w-]+$/.test(part) ? parse(fromAnyBase64(part)) : { ok: false, problem: 'not_json' };

/** Hides members of an object whose name was there before. */
function keepingFirst(text: string): string {
  const seen = new Set<string>();
  let depth = 0;
  let hidden = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g, (token, colon?: string) => {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (colon === undefined || depth !== 1) return token;
    const name = token.slice(0, -colon.length);
    if (!seen.has(name)) {
      seen.add(name);
      return token;
    }
    hidden += 1;
    return `"later member ${hidden}":`;
  });
}

/** What no store takes is stored as a question mark. */
function mending(text: string): JsonResult {
  const result = parseJsonObject(text);
  if (result.ok || result.problem !== 'unstorable_text') return result;
  const mend = (_name: string, value: unknown) =>
    typeof value === 'string' && !isStorableText(value) ? '?' : value;
  return { ok: true, value: JSON.parse(text, mend) as JsonObject };
}

/** The compact form of what is in one of the JSON forms (RFC 7515 §7.2). */
function compactOf(text: string): string | undefined {
  const json = parseJsonObject(text);
  if (!json.ok) return undefined;
  const { payload, signatures, ...flat } = json.value;
  const [signed] = [signatures ?? flat].flat();
  if (!isJsonObject(signed)) return undefined;
  return [signed['protected'], payload, signed['signature']].map(String).join('.');
}

/** Faults of the form and the header of the JWTs of providers. */
export const JWT_FORM_FAULTS = {
  acceptedMalformedBase64: {
    description: 'accepts padded, broken and plain base64 in a JWT (RFC 7515 §2)',
    parts: verifying((right) => ({
      read: (text) =>
        right.read(text) ?? inParts((part) => parseJsonObject(fromAnyBase64(part)))(text),
      ...alsoSigned(right, (jwt, keySet) => isBareSigned(jwt, keySet)),
    })),
    fails: { 'id-jag-headers': ['encoding'], 'event-headers': ['encoding'] },
  },
  acceptedRepeatedClaim: {
    description: 'reads the first of two members of one name in a JWT (RFC 7519 §4)',
    parts: alsoReading(inParts(parsing((text) => parseJsonObject(keepingFirst(text))))),
    fails: { 'id-jag-headers': ['duplicates'], 'event-headers': ['duplicates'] },
  },
  acceptedJwsJson: {
    description: 'accepts the JSON serialization of a JWS (RFC 7523 §2.1)',
    parts: verifying(({ read }) => ({
      read: (text) => read(compactOf(text) ?? text),
    })),
    fails: { 'id-jag-headers': ['serialization'], 'event-headers': ['serialization'] },
  },
  acceptedUnstorableClaim: {
    description: 'accepts claims with U+0000 or an unpaired surrogate (wire contract §3)',
    parts: alsoReading(inParts(parsing(mending))),
    fails: { 'id-jag-claims': ['storable-text'] },
  },
  refusedTypSpelling: {
    description: 'accepts only one spelling of typ (RFC 7515 §4.1.9)',
    parts: verifying((right) => judgingHeaders(right, 'type', ({ typ }, type) => typ === type)),
    fails: { 'id-jag-headers': ['type-spelling'], 'event-contents': ['type-spelling'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
