import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Invented } from '../../../engine/invented.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { isObject } from '../../../http/answer.ts';
import { encodePart, forgeJwt, makeKey, type TestKey } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { noToken } from '../../steps/answers.ts';
import { someAssertion } from '../../steps/new-registration.ts';

/** What an attacker has. */
interface Material {
  /** A right one. */
  readonly assertion: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The key that signed it, as published. */
  readonly published: Readonly<Record<string, unknown>> | undefined;
  readonly own: TestKey;
  /** Serves the attacker's keys. */
  readonly jku: string;
  readonly otherTokens: readonly string[];
  readonly invented: Invented;
}

type Attack = readonly [what: string, token: string];

const ATTACKS = {
  unsigned: ({ header, claims, assertion }: Material): Attack[] =>
    ['none', 'None', 'nOnE'].flatMap((alg): Attack[] => {
      const input = `${encodePart({ ...header, alg })}.${encodePart(claims)}`;
      return [
        [`alg ${alg} and no signature`, `${input}.`],
        [`alg ${alg} and another's signature`, `${input}.${assertion.split('.')[2]}`],
      ];
    }),
  hmac: ({ header, claims, published }: Material): Attack[] =>
    secretsOf(published).map((secret): Attack => {
      const input = `${encodePart({ ...header, alg: 'HS256' })}.${encodePart(claims)}`;
      const mac = createHmac('sha256', secret).update(input).digest('base64url');
      return ['an HMAC by the public key', `${input}.${mac}`];
    }),
  'foreign-key': ({ header, claims, own }: Material): Attack[] => [
    ['the signature of a foreign key', forgeJwt({ ...header, alg: 'ES256' }, claims, own)],
    [
      'a foreign key under its own kid',
      forgeJwt({ ...header, alg: 'ES256', kid: own.kid }, claims, own),
    ],
    [
      'no kid and a foreign key',
      forgeJwt({ ...header, alg: 'ES256', kid: undefined }, claims, own),
    ],
  ],
  'header-keys': ({ header, claims, invented, own, jku }: Material): Attack[] =>
    [
      { jwk: own.jwk },
      { jku },
      { x5u: jku },
      { x5c: [Buffer.from(invented.token()).toString('base64')] },
    ].map((brought): Attack => {
      const kid = { alg: 'ES256', kid: own.kid };
      const name = Object.keys(brought).join();
      return [`its key in ${name}`, forgeJwt({ ...header, ...kid, ...brought }, claims, own)];
    }),
  altered: ({ assertion, header, claims, invented }: Material): Attack[] => {
    const [first = '', second = '', third = ''] = assertion.split('.');
    const more = { ...claims, ver: 2, scope: 'api.read api.write', exp: 4_000_000_000 };
    return [
      ['another content', `${first}.${encodePart(more)}.${third}`],
      ['another header', `${encodePart({ ...header, [invented.member()]: 1 })}.${second}.${third}`],
      ['half a signature', `${first}.${second}.${third.slice(0, third.length / 2)}`],
      ['a changed signature', `${first}.${second}.${changed(third)}`],
    ];
  },
  'other-tokens': ({ otherTokens }: Material): Attack[] =>
    otherTokens.map((token): Attack => ['a token of another kind', token]),
};

export const assertionAttacks = serviceScenario({
  id: 'assertion-attacks',
  title: 'No forged assertion is exchanged',
  checks: {
    unsigned: 'An assertion without a signature is refused, in whatever case `alg` spells none.',
    hmac: 'An assertion with an HMAC keyed with the public key is refused.',
    'foreign-key': 'An assertion signed with a foreign key is refused, whatever its kid.',
    'header-keys':
      'An assertion signed with a key of its own header is refused, and nothing is fetched.',
    altered: 'An altered assertion is refused.',
    'other-tokens': 'An access token or claim token is refused as an assertion.',
    code: 'A refused assertion is answered invalid_grant.',
  },
  costly: true,
  async run(judge, world) {
    const material = await collect(world);
    const { untrusted } = world.providers;
    for (const [check, attacksOf] of Object.entries(ATTACKS) as [
      keyof typeof ATTACKS,
      (material: Material) => Attack[],
    ][]) {
      for (const [what, token] of attacksOf(material)) {
        const before = untrusted.hits.length;
        const answer = await world.client.exchange(token);
        const isFetched = untrusted.hits.length > before;
        const isCoded = !answer.refused || answer.errorCode === 'invalid_grant';
        judge.table(
          answer,
          {
            [check]: [noToken, { ok: !isFetched, seen: 'It fetched what the header names.' }],
            code: { ok: isCoded },
          },
          { case: what },
        );
      }
    }
  },
});

async function collect(world: ServiceWorld): Promise<Material> {
  const assertion = await someAssertion(world);
  const jwt = openJwt(assertion);
  if (jwt === undefined) throw new NotApplicable('The assertion of the service is no JWT.');
  const { jwksUri, identityTypes } = world.facts;
  const keys = jwksUri === undefined ? undefined : (await world.send(jwksUri)).member('keys');
  const published = (Array.isArray(keys) ? keys : [])
    .filter(isObject)
    .find(({ kid }) => kid === jwt.header['kid']);
  const otherTokens = [await world.accessToken(assertion)];
  if (identityTypes.includes('anonymous')) {
    const claimToken = (await world.client.registerAnonymous()).string('claim_token');
    if (claimToken !== undefined) otherTokens.push(claimToken);
  }
  const { jwksUri: jku } = world.providers.untrusted;
  return {
    assertion,
    ...jwt,
    published,
    own: makeKey(),
    jku,
    otherTokens,
    invented: world.invented,
  };
}

function secretsOf(jwk: Material['published']): readonly (string | Buffer)[] {
  if (jwk === undefined) return [''];
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  const der = key.export({ type: 'spki', format: 'der' });
  return [pem, pem.trimEnd(), der, JSON.stringify(jwk), ''];
}

function changed(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
