import type { JsonObject } from '../../../protocol/json.ts';
import { decodeJwt, MAX_JWT_LENGTH } from '../../../protocol/jwt.ts';
import type { Around, Expected, Judged, Rule, Said } from './rule.ts';
import { CLAIM_RULES, HEADER_RULES } from './rules.ts';

/** What an ID-JAG says of itself, and each part of it judged. */
export interface JudgedIdJag {
  readonly header: JsonObject | undefined;
  readonly claims: JsonObject | undefined;
  readonly judged: readonly Judged[];
}

/**
 * Judges header and claims of an ID-JAG by the rules of `draft-ietf-oauth-identity-assertion-authz-grant` and of MCP's
 * Enterprise-Managed Authorization. Its signature is not verified here.
 */
export function judgeIdJag(text: string, expected: Expected): JudgedIdJag {
  const jwt = decodeJwt(text);
  if (jwt === undefined) {
    const message = whyNone(text);
    const judged = [
      { part: 'token', name: 'JWT', verdict: 'fail', message, source: 'RFC 7519 §7.2' } as const,
    ];
    return { header: undefined, claims: undefined, judged };
  }
  const { header, payload: claims } = jwt;
  return {
    header,
    claims,
    judged: [
      ...judgePart('header', HEADER_RULES, header, { expected, whole: header }),
      ...judgePart('claims', CLAIM_RULES, claims, { expected, whole: claims }),
    ],
  };
}

/** The parameters that the rules name, in their order, then the rest, which a server ignores (RFC 7519 §4). */
function judgePart(
  part: 'header' | 'claims',
  rules: Readonly<Record<string, Rule>>,
  members: JsonObject,
  around: Around,
): readonly Judged[] {
  const known = Object.entries(rules).flatMap(([name, rule]): readonly Judged[] => {
    const value = members[name];
    const { source } = rule;
    if (value !== undefined) {
      const said = rule.judge(value, around);
      return [{ part, name, value, source, ...ofSaid(said) }];
    }
    const { absent } = rule;
    return absent === undefined ? [] : [{ part, name, source, ...absent }];
  });
  const others = Object.entries(members)
    .filter(([name]) => !Object.hasOwn(rules, name))
    .map(
      ([name, value]): Judged => ({
        part,
        name,
        value,
        verdict: 'pass',
        message: 'Unknown here; a server ignores it.',
        source: part === 'header' ? 'RFC 7515 §4' : 'RFC 7519 §4',
      }),
    );
  return [...known, ...others];
}

function ofSaid(said: Said): Pick<Judged, 'verdict' | 'message' | 'instead'> {
  return typeof said === 'string' ? { verdict: 'pass', message: said } : said;
}

/** Why a text is no JWT that can be read. */
function whyNone(text: string): string {
  if (text.length > MAX_JWT_LENGTH) return `It has more than ${MAX_JWT_LENGTH} characters.`;
  if (/^bearer /i.test(text)) return 'It begins with a scheme: give the ID-JAG alone.';
  if (/\s/.test(text)) return 'There is white space in it: a JWS in compact form has none.';
  if (text.startsWith('{')) return 'It is JSON: give the value of access_token alone.';
  const parts = text.split('.').length;
  if (parts === 5) return 'It is encrypted (five parts, a JWE): nobody but its audience reads it.';
  if (parts !== 3) return `It has ${parts} parts, not the three of a JWS in compact form.`;
  return 'Its header or its claims are not base64url, without padding, of a JSON object whose members have different names.';
}
