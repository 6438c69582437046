import { JWT_TYPE } from '../../../protocol/constants.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { isJwtType } from '../../../protocol/jwt.ts';
import { displayText } from '../../../protocol/text.ts';
import { isLoopbackHost, parsedUrl, withoutFinalSlash } from '../../../protocol/urls.ts';
import type { Around, Rule, Said } from './rule.ts';

const DRAFT = 'draft-ietf-oauth-identity-assertion-authz-grant-04';
const MCP = 'MCP Enterprise-Managed Authorization';

/** How far clocks may differ, in seconds; what servers allow lies between 30 and 60. */
const SKEW = 60;
/** The longest life that the strictest servers take, in seconds. */
const SHORT_LIFE = 300;
const HOUR = 3600;
/** A NumericDate beyond it is most likely in milliseconds: as seconds it would be the year 5138. */
const MOST_SECONDS = 1e11;

const as = (verdict: 'fail' | 'warn') => (message: string, instead?: string) =>
  ({ verdict, message, ...(instead !== undefined && { instead }) }) satisfies Said;

const fail = as('fail');
const warn = as('warn');

/** The rules of the header, in the order in which they are shown. */
export const HEADER_RULES: Readonly<Record<string, Rule>> = {
  typ: {
    source: `${DRAFT} §3.1`,
    absent: fail(`Without it, it is not told from an ID token: ${JWT_TYPE.idJag}.`),
    judge: (value) => {
      if (value === JWT_TYPE.idJag) return 'It is an ID-JAG.';
      return isJwtType(value, JWT_TYPE.idJag)
        ? warn('Some servers compare it letter by letter.', JWT_TYPE.idJag)
        : fail(`It is not ${JWT_TYPE.idJag}, so a server takes it for another kind of token.`);
    },
  },
  alg: {
    source: 'RFC 8725 §3.1',
    absent: fail('Without it nobody can verify the signature.'),
    judge: (value) => {
      if (value === 'none') return fail('It is not signed, so that anybody could have made it.');
      if (typeof value === 'string' && value.startsWith('HS')) {
        return fail('It needs a secret that both sides know.', 'RS256 or ES256');
      }
      return typeof value === 'string' && /^(?:RS|PS|ES)(?:256|384|512)$|^Ed/.test(value)
        ? 'It is signed with a private key.'
        : fail('It is no algorithm of RFC 7518 that signs with a private key.', 'RS256 or ES256');
    },
  },
  kid: {
    source: 'RFC 7515 §4.1.4',
    absent: warn('Without it a server has to try each key of the issuer, and some do not.'),
    judge: text('It says which key of the issuer signed.'),
  },
  crit: {
    source: 'RFC 7515 §4.1.11',
    judge: () => fail('A server that does not know what it names has to refuse the ID-JAG.'),
  },
  ...brought('jwk', 'jku', 'x5u', 'x5c'),
};

/** The rules of the claims, in the order in which they are shown. */
export const CLAIM_RULES: Readonly<Record<string, Rule>> = {
  iss: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it no server knows whose keys to verify it with.'),
    judge: judgeIssuer,
  },
  sub: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it nobody knows whose access it is.'),
    judge: text('It names the user at the issuer.'),
  },
  aud: {
    source: `${DRAFT} §4.4.1`,
    absent: fail('Without it every server could redeem it.'),
    judge: judgeAudience,
  },
  client_id: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it no client can redeem it.'),
    judge: (value, { expected: { client } }) => {
      if (typeof value !== 'string' || value === '') return fail('It is not a text.');
      if (client === undefined || client === value) return 'It names the client at the server.';
      return fail(
        `It is not ${displayText(client)}: the client at the server, not the one at the provider.`,
        client,
      );
    },
  },
  jti: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it no server can tell that it is redeemed once.'),
    judge: text('It is redeemed once.'),
  },
  iat: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it nobody knows when it was made.'),
    judge: dated((at, now) => {
      if (at > now + SKEW) return fail('It was made in the future.');
      return at > now
        ? warn('It was made in the future, if only just.')
        : 'It was made before now.';
    }),
  },
  exp: {
    source: `${DRAFT} §3.1`,
    absent: fail('Without it it would never end.'),
    judge: dated(judgeEnd),
  },
  nbf: {
    source: 'RFC 7519 §4.1.5',
    judge: dated((at, now) =>
      at > now + SKEW ? fail('It does not count yet.') : 'It counts by now.',
    ),
  },
  resource: {
    source: `${MCP} §7.6.2`,
    absent: warn(
      'Without it a server with several resources refuses it.',
      'the identifier of the resource, as its metadata has it',
    ),
    judge: judgeResource,
  },
  scope: {
    source: 'RFC 6749 §3.3',
    absent: warn('Without it the server grants its default, or nothing.'),
    judge: judgeScope,
  },
  scp: {
    source: `${DRAFT} §3.1`,
    judge: (_value, { whole: { scope } }) =>
      scope === undefined ? warn('Servers read the scopes from scope.', 'scope') : 'Ignored.',
  },
  authorization_details: {
    source: 'RFC 9396 §2',
    judge: (value) =>
      Array.isArray(value) && value.every((one) => isJsonObject(one) && isText(one['type']))
        ? warn('A server that does not support it has to refuse the ID-JAG.')
        : fail('It is not a list of objects that have a type.'),
  },
  cnf: {
    source: `${DRAFT} §9.8.1`,
    judge: (value) =>
      isJsonObject(value) && isText(value['jkt'])
        ? warn('A client has to prove that it has this key (DPoP), and many servers refuse it.')
        : fail('It is not an object with jkt, the thumbprint of a key.'),
  },
  act: {
    source: 'RFC 8693 §4.1',
    judge: (value) => (isJsonObject(value) ? 'It names who acts.' : fail('It is not an object.')),
  },
  auth_time: {
    source: 'OpenID Connect Core 1.0 §2',
    judge: dated((at, now) =>
      at > now + SKEW ? fail('It lies in the future.') : 'The user signed in before.',
    ),
  },
  acr: { source: 'OpenID Connect Core 1.0 §2', judge: text('It says how strong the sign-in was.') },
  amr: {
    source: 'OpenID Connect Core 1.0 §2',
    judge: (value) =>
      Array.isArray(value) && value.every(isText)
        ? 'It says how the user signed in.'
        : fail('It is not a list of texts.'),
  },
  email: {
    source: `${MCP} §7.4.3`,
    judge: (value, around) => {
      const said = text('It helps a server that knows its users by email.')(value, around);
      return typeof said === 'string' && around.whole['email_verified'] === false
        ? warn('The issuer has not verified it, so a server must not go by it.')
        : said;
    },
  },
  email_verified: {
    source: 'OpenID Connect Core 1.0 §5.1',
    judge: (value) => (typeof value === 'boolean' ? 'Said.' : fail('It is not true or false.')),
  },
  sub_id: {
    source: 'RFC 9493 §3',
    judge: (value) =>
      isJsonObject(value) && isText(value['format'])
        ? 'It names the same user in another form.'
        : fail('It is not an object that has a format.'),
  },
  tenant: { source: `${DRAFT} §6.1`, judge: text('It belongs to sub: the tenant at the issuer.') },
  aud_tenant: { source: `${DRAFT} §3.1`, judge: text('It names the tenant at the server.') },
  aud_sub: { source: `${DRAFT} §3.1`, judge: text('It names the user at the server.') },
  nonce: ofAnother('an ID token'),
  at_hash: ofAnother('an ID token'),
  events: ofAnother('a security event token', 'RFC 8417 §2.2'),
};

/** Keys that a JWT brings itself prove nothing. */
function brought(...names: readonly string[]): Readonly<Record<string, Rule>> {
  const judge = () => warn('A server must not take the key from here, but from the issuer.');
  return Object.fromEntries(names.map((name) => [name, { source: 'RFC 8725 §3.10', judge }]));
}

function ofAnother(kind: string, source = 'RFC 8725 §3.12'): Rule {
  return { source, judge: () => warn(`It belongs into ${kind}, and is ignored here.`) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function text(passes: string): Rule['judge'] {
  return (value) => (isText(value) ? passes : fail('It is not a text, or an empty one.'));
}

/** A NumericDate (RFC 7519 §2), in seconds. */
function dated(judge: (at: number, now: number, whole: JsonObject) => Said): Rule['judge'] {
  return (value, { expected, whole }) => {
    if (typeof value === 'string' && Number.isFinite(Number(value)) && value !== '') {
      return fail('It is a text, not a number.', value);
    }
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return fail('It is not a number of seconds since 1970.');
    }
    if (value > MOST_SECONDS) {
      return fail('It is in milliseconds.', String(Math.floor(value / 1000)));
    }
    return judge(value, Math.floor(expected.now / 1000), whole);
  };
}

function judgeEnd(at: number, now: number, { iat }: JsonObject): Said {
  if (at <= now - SKEW) return fail(`It ended ${now - at} seconds ago.`);
  if (at <= now) return warn('It has just ended; some servers still take it.');
  if (typeof iat !== 'number') return 'It has not ended.';
  const life = at - iat;
  if (life <= 0) return fail('It ends before it was made.');
  if (life > HOUR) return fail(`It lives for ${life} seconds, more than an hour.`, '300 after iat');
  return life > SHORT_LIFE
    ? warn(`It lives for ${life} seconds; some servers take ${SHORT_LIFE} at most.`)
    : `It lives for ${life} seconds.`;
}

function judgeIssuer(value: unknown): Said {
  const url = typeof value === 'string' ? parsedUrl(value) : undefined;
  if (typeof value !== 'string' || url === undefined) return fail('It is not a URL.');
  if (/[?#]/.test(value)) return fail('An issuer has no query and no fragment.');
  if (url.protocol === 'https:') return 'Its keys verify the signature.';
  return url.protocol === 'http:' && isLoopbackHost(url.hostname)
    ? warn('Servers but on this machine refuse an issuer without https.')
    : fail('An issuer is an https URL.');
}

function judgeAudience(value: unknown, { expected: { audience } }: Around): Said {
  const list = Array.isArray(value) ? value : [value];
  const [only] = list;
  if (list.length !== 1) {
    return fail(
      list.length === 0 ? 'It names nobody.' : 'It names more than one audience.',
      'the issuer of one server, as a text',
    );
  }
  if (typeof only !== 'string' || parsedUrl(only) === undefined) {
    return fail('It is not the issuer of a server, which is a URL.');
  }
  if (audience !== undefined && only !== audience) {
    return fail(differs(only, audience), audience);
  }
  return Array.isArray(value)
    ? warn('Some servers refuse a list, even of one.', only)
    : 'It names one server, by its issuer.';
}

function judgeResource(value: unknown, { expected: { resources } }: Around): Said {
  const named = Array.isArray(value) ? value : [value];
  if (named.length === 0) return fail('It names no resource.');
  for (const one of named) {
    if (typeof one !== 'string' || parsedUrl(one) === undefined) {
      return fail('It is not an absolute URI (RFC 8707 §2).');
    }
    if (one.includes('#')) return fail('It has a fragment (RFC 8707 §2).');
    if (resources.length > 0 && !resources.includes(one)) {
      const near = resources.find((each) => withoutFinalSlash(each) === withoutFinalSlash(one));
      return fail(differs(one, near ?? resources.join(' or ')), near);
    }
  }
  return 'It names where the access token is good.';
}

function judgeScope(value: unknown): Said {
  if (Array.isArray(value)) {
    return fail('It is a list.', `"${displayText(value.join(' '))}"`);
  }
  if (typeof value !== 'string' || value === '') return fail('It is not a text.');
  // RFC 6749 §3.3: %x21 / %x23-5B / %x5D-7E, one space between.
  return /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value)
    ? 'It is the most that the access token may do.'
    : fail('It is not scopes with one space between them.');
}

function differs(is: string, expected: string): string {
  const shown = displayText(expected);
  return withoutFinalSlash(is) === withoutFinalSlash(expected)
    ? `It differs from ${shown} by the final slash.`
    : `It is not ${shown}.`;
}
