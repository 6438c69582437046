import { createHmac, sign } from 'node:crypto';
import type { Invented } from '../../engine/invented.ts';
import { encodePart, forgeJwt, signature, type TestKey } from '../../jwt/forge.ts';
import type { TestProvider } from '../test-provider.ts';
import { GUESSED_KEYS, HOSTILE_KIDS } from './hostile-kids.ts';
import { selfSigned } from './self-signed-certificate.ts';

/** What would be accepted: an attack changes one thing of it. */
export interface RightJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whose kid the header names. */
  readonly key: TestKey;
  /** A key that nobody published. */
  readonly foreign: TestKey;
  /** An issuer without trust, which publishes a key set of its own. */
  readonly untrusted: TestProvider;
  readonly invented: Invented;
}

export interface JwtAttack {
  /** Ends the sentence that begins with `a token `. */
  readonly what: string;
  /** Whose reading allows it. */
  readonly reading?: string;
  forge(jwt: RightJwt): string;
}

const signed = (header: (jwt: RightJwt) => object) => (jwt: RightJwt) =>
  forgeJwt({ ...jwt.header, ...header(jwt) }, jwt.claims, jwt.key);

const parts = (jwt: RightJwt, header: object = {}) =>
  `${encodePart({ ...jwt.header, ...header })}.${encodePart(jwt.claims)}`;

const right = (jwt: RightJwt) => forgeJwt(jwt.header, jwt.claims, jwt.key);

const withSignature = (jwt: RightJwt, bytes: Buffer) =>
  `${parts(jwt)}.${bytes.toString('base64url')}`;

const NONE_SPELLINGS = ['none', 'None', 'NONE', 'nOnE'];

function hmac(what: string, secret: (key: TestKey) => string | Buffer): JwtAttack {
  return {
    what: `whose HMAC was made with the public key, ${what}`,
    forge: (jwt) => byHmac(jwt, {}, secret(jwt.key)),
  };
}

function byHmac(jwt: RightJwt, header: object, secret: string | Buffer): string {
  const input = parts(jwt, { alg: 'HS256', ...header });
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const pem = (key: TestKey) => key.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** The order of the group of P-256. */
const ORDER = Buffer.from(
  'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  'hex',
);

const INVALID_ECDSA: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['r and s are zero', Buffer.alloc(64)],
  ['r and s are the order of the group', Buffer.concat([ORDER, ORDER])],
  ['r and s are too large', Buffer.alloc(64, 0xff)],
];

function byForeignKey(what: string, header: (jwt: RightJwt) => object): JwtAttack {
  return {
    what,
    forge: (jwt) => forgeJwt({ ...jwt.header, ...header(jwt) }, jwt.claims, jwt.foreign),
  };
}

function flipped(what: string, part: 0 | 1 | 2): JwtAttack {
  return {
    what: `with one changed letter in its ${what}`,
    forge: (jwt) => {
      const pieces = right(jwt).split('.');
      const piece = pieces[part] ?? '';
      const at = Math.floor(piece.length / 2);
      pieces[part] = `${piece.slice(0, at)}${piece[at] === 'A' ? 'B' : 'A'}${piece.slice(at + 1)}`;
      return pieces.join('.');
    },
  };
}

const LENIENT =
  'RFC 7515 §2 forbids it; decoders that take it read the same bytes, and the signature covers the text as it was sent.';

/** The attacks by check; each is refused wherever a provider's JWT is accepted. */
export const JWT_ATTACKS = {
  'alg-none': NONE_SPELLINGS.flatMap((alg): JwtAttack[] => [
    { what: `with alg ${alg} and no signature`, forge: (jwt) => `${parts(jwt, { alg })}.` },
    {
      what: `with alg ${alg} and the signature of another token`,
      forge: (jwt) => `${parts(jwt, { alg })}.${right(jwt).split('.')[2]}`,
    },
  ]),
  hmac: [
    hmac('as PEM', pem),
    hmac('as PEM without its last line end', (key) => pem(key).trimEnd()),
    hmac('as JSON', (key) => JSON.stringify(key.jwk)),
    hmac('as DER', (key) => key.publicKey.export({ type: 'spki', format: 'der' })),
    {
      what: 'with alg HS256 and an empty secret',
      forge: (jwt) => byHmac(jwt, {}, ''),
    },
  ],
  ecdsa: INVALID_ECDSA.map(([what, bytes]) => ({
    what: `whose signature is invalid: ${what}`,
    forge: (jwt) => withSignature(jwt, bytes),
  })),
  signature: [
    flipped('header', 0),
    flipped('claims', 1),
    flipped('signature', 2),
    { what: 'without a signature', forge: (jwt) => `${parts(jwt)}.` },
    {
      what: 'with half a signature',
      forge: (jwt) => right(jwt).slice(0, -43),
    },
    byForeignKey('that was signed by a key that nobody published', () => ({})),
    {
      what: 'whose signature is in DER',
      reading: 'RFC 7518 §3.4 has r and s side by side; in DER they are the same signature.',
      forge: (jwt) =>
        withSignature(jwt, sign('sha256', Buffer.from(parts(jwt)), jwt.key.privateKey)),
    },
  ],
  'embedded-key': [
    byForeignKey('with its own key in jwk', ({ foreign }) => ({ jwk: foreign.jwk })),
    byForeignKey('with its own key in jwk, and its kid', ({ foreign }) => ({
      jwk: foreign.jwk,
      kid: foreign.kid,
    })),
    byForeignKey('with its own certificate in x5c', ({ foreign, invented }) => ({
      x5c: [selfSigned(foreign, invented.word()).toString('base64')],
    })),
  ],
  'remote-key': [
    {
      what: 'whose jku leads to its own key',
      forge: ({ header, claims, untrusted }) =>
        forgeJwt(
          { ...header, jku: unfetched(untrusted, untrusted.jwksUri), kid: untrusted.keys[0].kid },
          claims,
          untrusted.keys[0],
        ),
    },
    byForeignKey('whose x5u leads to a certificate', ({ untrusted }) => ({
      x5u: unfetched(untrusted, `${untrusted.issuer}/certificate.pem`),
    })),
    byForeignKey('whose kid is a URL', ({ untrusted }) => ({
      kid: unfetched(untrusted, untrusted.jwksUri),
    })),
  ],
  kid: [
    ...HOSTILE_KIDS.map(([what, kid]) =>
      byForeignKey(`by a foreign key, whose kid ${what}`, ({ invented }) => ({
        kid: kid(invented.word()),
      })),
    ),
    ...GUESSED_KEYS.map(([what, guess]) => ({
      what: `whose HMAC was made with the secret that its kid leads to: ${what}`,
      forge: (jwt: RightJwt) => {
        const { kid, secret } = guess(jwt.invented);
        return byHmac(jwt, { kid }, secret);
      },
    })),
  ],
  critical: [
    {
      what: 'with an unknown critical header member',
      forge: signed(({ invented }) => {
        const unknown = invented.member();
        return { crit: [unknown], [unknown]: true };
      }),
    },
    {
      what: 'with an empty crit',
      reading:
        'RFC 7515 §4.1.11 forbids senders an empty list; there is nothing in it to understand.',
      forge: signed(() => ({ crit: [] })),
    },
    { what: 'with a crit whose member is missing', forge: signed(() => ({ crit: ['exp'] })) },
  ],
  unencoded: [
    {
      what: 'whose payload was signed unencoded (b64)',
      forge: (jwt) => {
        const head = encodePart({ ...jwt.header, b64: false, crit: ['b64'] });
        const payload = JSON.stringify(jwt.claims);
        const mark = signature(jwt.key.algorithm, `${head}.${payload}`, jwt.key.privateKey);
        return `${head}.${encodePart(payload)}.${mark.toString('base64url')}`;
      },
    },
  ],
  encoding: [
    {
      what: 'whose parts are padded',
      reading: LENIENT,
      forge: (jwt) => {
        const input = `${pad(encodePart(jwt.header))}.${pad(encodePart(jwt.claims))}`;
        const mark = signature(jwt.key.algorithm, input, jwt.key.privateKey);
        return `${input}.${mark.toString('base64url')}==`;
      },
    },
    {
      what: 'with a line end inside',
      reading: LENIENT,
      forge: (jwt) => right(jwt).replace('.', '.\n'),
    },
    {
      what: 'in the alphabet of plain base64',
      reading: LENIENT,
      forge: (jwt) => {
        // Letters that differ between the alphabets are sure to be in 300 bytes of 0xfb and 0xff.
        const claims = encodePart({
          ...jwt.claims,
          [jwt.invented.member()]: '\u07ff\u07be'.repeat(60),
        });
        const input = `${encodePart(jwt.header)}.${claims.replaceAll('-', '+').replaceAll('_', '/')}`;
        const mark = signature(jwt.key.algorithm, input, jwt.key.privateKey);
        return `${input}.${mark.toString('base64url')}`;
      },
    },
  ],
  duplicates: [
    {
      // RFC 7515 §4: to be refused, or read by the last of the two.
      what: 'with two alg, the last of them none',
      forge: (jwt) => {
        const { alg, ...rest } = jwt.header;
        const header = JSON.stringify({ ...rest, alg: 'none' });
        return forgeJwt(`{"alg":${JSON.stringify(alg)},${header.slice(1)}`, jwt.claims, jwt.key);
      },
    },
    {
      what: 'with two iss, the first of them trusted, the last not',
      forge: (jwt) => {
        const { iss, ...rest } = jwt.claims;
        const claims = JSON.stringify({ ...rest, iss: jwt.untrusted.issuer });
        return forgeJwt(jwt.header, `{"iss":${JSON.stringify(iss)},${claims.slice(1)}`, jwt.key);
      },
    },
  ],
  serialization: [
    {
      what: 'in the flattened JSON form',
      forge: (jwt) => {
        const [head, payload, mark] = right(jwt).split('.');
        return JSON.stringify({ protected: head, payload, signature: mark });
      },
    },
    {
      what: 'in the general JSON form',
      forge: (jwt) => {
        const [head, payload, mark] = right(jwt).split('.');
        return JSON.stringify({ payload, signatures: [{ protected: head, signature: mark }] });
      },
    },
    { what: 'of two parts', forge: (jwt) => parts(jwt) },
    {
      what: 'of five parts',
      forge: (jwt) => `${right(jwt)}.${jwt.invented.word()}.${jwt.invented.word()}`,
    },
    { what: 'twice', forge: (jwt) => `${right(jwt)} ${right(jwt)}` },
    { what: 'that is no token', forge: ({ invented }) => invented.token() },
    { what: 'that is empty', forge: () => '' },
  ],
  size: [
    {
      what: 'of a quarter of a megabyte',
      forge: (jwt) =>
        forgeJwt(
          jwt.header,
          { ...jwt.claims, [jwt.invented.member()]: 'p'.repeat(190_000) },
          jwt.key,
        ),
    },
  ],
} satisfies Readonly<Record<string, readonly JwtAttack[]>>;

export type JwtAttackCheck = keyof typeof JWT_ATTACKS;

export const JWT_ATTACK_CHECKS: Readonly<Record<JwtAttackCheck, string>> = {
  'alg-none': 'A token with alg none, in any spelling, is refused.',
  hmac: 'A token whose HMAC was made with a public key is refused.',
  ecdsa: 'A token whose ECDSA signature is out of range (r and s) is refused.',
  signature: 'A token whose signature does not verify is refused.',
  'embedded-key': 'A key or certificate in a header (jwk, x5c) verifies nothing.',
  'remote-key': 'A key that a header refers to by jku, x5u or a URL as kid verifies nothing.',
  kid: 'A hostile kid leads to no key: neither to a file nor into a query.',
  critical: 'A token with crit members that the service does not support is refused.',
  unencoded: 'A token whose payload was signed unencoded is refused.',
  encoding: 'Padding, white space and the alphabet of plain base64 are refused.',
  duplicates: 'A token is not read by the first of two members with one name.',
  serialization: 'Only the compact serialization of a signed token is accepted.',
  size: 'An oversized token is refused.',
};

/** A URL that no cache has: a fetch of it is seen. */
function unfetched(untrusted: TestProvider, url: string): string {
  return `${url}?${untrusted.unique('canary')}`;
}

function pad(part: string): string {
  return part + '='.repeat((4 - (part.length % 4)) % 4);
}
