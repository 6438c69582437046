import { forgeJwt } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { refuseEach, type WrongIdJag } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { expectNoFetch } from '../../steps/expect-refused.ts';

const MINUTE = 60;
const YEAR = 365 * 24 * 60 * MINUTE;

const ANY_NUMBER = 'RFC 7519 §2 takes any number: this one lies in the far future.';

export const redemptionIssuer = serviceScenario({
  id: 'redemption-issuer',
  title: 'Only providers that are trusted are believed, and only they are asked',
  checks: {
    stranger: 'An ID-JAG of an issuer without trust is refused.',
    'look-alike': 'An issuer that only resembles a trusted one is refused.',
    'foreign-key': 'An ID-JAG that is signed with the key of another trusted issuer is refused.',
    'sub-id': 'An issuer without trust is refused, even if sub_id names a trusted one.',
    unfetched: 'Nothing is fetched from an issuer without trust.',
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { other, provider, untrusted } = world.providers;
    const { issuer } = provider;
    const subId = { format: 'iss_sub', iss: issuer, sub: world.invented.word() };
    await redeemer.unlock();
    await expectNoFetch(judge, 'unfetched', untrusted, () =>
      refuseEach(judge, world, redeemer, [
        { check: 'stranger', what: 'an issuer without trust', provider: untrusted },
        {
          ...{ check: 'sub-id', what: 'a trusted issuer in sub_id', provider: untrusted },
          mint: { claims: { sub_id: subId } },
        },
      ]),
    );
    const names = [
      `${issuer}/`,
      `${issuer}.${world.elsewhere}`,
      issuer.replace(/\/$/, '').slice(0, -1),
      issuer.toUpperCase(),
      `${issuer}#`,
      ` ${issuer}`,
    ];
    await refuseEach(judge, world, redeemer, [
      ...names.map((iss) => claiming('look-alike', `iss ${iss}`, { iss })),
      {
        ...{ check: 'foreign-key', what: 'signed by the other provider' },
        mint: { key: other.keys[0] },
      },
      {
        ...{ check: 'foreign-key', what: 'signed by the other provider, with the right kid' },
        mint: { key: other.keys[0], header: { kid: provider.keys[0].kid } },
      },
    ]);
  },
});

export const redemptionClaims = serviceScenario({
  id: 'redemption-claims',
  title: 'An ID-JAG whose claims are missing, too late or unsupported is refused',
  checks: {
    expired: 'An ID-JAG whose `exp` has passed is refused.',
    exp: 'An ID-JAG whose `exp` is missing, or no number, is refused.',
    iat: 'An ID-JAG whose `iat` is missing, or lies in the future, is refused.',
    nbf: 'An ID-JAG is refused before its `nbf`.',
    lifetime: 'An ID-JAG that is valid for a year is refused.',
    sub: 'An ID-JAG without `sub` is refused.',
    jti: 'An ID-JAG whose `jti` is missing, empty or no text is refused.',
    'odd-jti': 'An ID-JAG with an odd `jti` is not answered 5xx.',
    confirmation: 'An ID-JAG that is bound to a key (`cnf`) is not redeemed without its proof.',
    details: 'An ID-JAG with `authorization_details` of an unknown type is refused.',
  },
  restsOn: { jti: 'redemption-claims.odd-jti' },
  blockedBy: ['redemption.granted'],
  // At the end: a fragile server dies of some of these.
  dangerous: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { invented } = world;
    const now = Math.floor(world.time.now() / 1000);
    const old = { iat: now - 15 * MINUTE, auth_time: now - 15 * MINUTE };
    const later = { exp: now + 15 * MINUTE };
    const thumbprint = Buffer.from(invented.token().padEnd(32)).toString('base64url').slice(0, 43);
    await refuseEach(judge, world, redeemer, [
      claiming('expired', 'expired ten minutes ago', { ...old, exp: now - 10 * MINUTE }),
      claiming('exp', 'without exp', { exp: undefined }),
      claiming('exp', 'exp as text', { exp: String(now + 5 * MINUTE) }),
      claiming('exp', 'exp null', { exp: null }),
      {
        ...{ check: 'exp', what: 'exp 1e309', reading: ANY_NUMBER },
        make: () => withLiteral(redeemer.idJag(), 'exp', '1e309'),
      },
      claiming('iat', 'without iat', { iat: undefined }),
      claiming('iat', 'iat in ten minutes', { ...later, iat: now + 10 * MINUTE }),
      claiming('nbf', 'nbf in ten minutes', { ...later, nbf: now + 10 * MINUTE }),
      claiming('lifetime', 'valid for a year', { exp: now + YEAR }),
      claiming('sub', 'without sub', { sub: undefined }),
      claiming('confirmation', 'bound to a key', { cnf: { jkt: thumbprint } }),
      claiming('details', 'with authorization_details', {
        authorization_details: [{ type: invented.word() }],
      }),
      claiming('jti', 'without jti', { jti: undefined }),
      claiming('jti', 'an empty jti', { jti: '' }),
      claiming('jti', 'jti {}', { jti: {} }),
    ]);
    // Whether one of 10 kB is taken is the server's matter.
    for (const jti of [undefined, '', {}, [invented.word()], 'j'.repeat(10_000)]) {
      const answer = await redeemer.redeemNew({ claims: { jti } });
      const what = `jti ${JSON.stringify(jti)?.slice(0, 20) ?? 'missing'}`;
      judge.expect('odd-jti', answer.status < 500, answer, { case: what });
    }

    /** What no writer of JSON writes. */
    function withLiteral(token: string, claim: string, literal: string): string {
      const { claims, header } = openJwt(token) ?? { claims: {}, header: {} };
      const text = JSON.stringify({ ...claims, [claim]: '§' }).replace('"§"', literal);
      return forgeJwt(header, text, world.providers.provider.keys[0]);
    }
  },
});

type Claims = Readonly<Record<string, unknown>>;

/** One whose claims differ. */
export function claiming<Name extends string>(
  check: Name,
  what: string,
  claims: Claims,
  reading?: string,
): WrongIdJag<Name> {
  return { check, what, mint: { claims }, reading };
}

export const redemptionAudience = serviceScenario({
  id: 'redemption-audience',
  title: 'An ID-JAG is redeemed only where it was minted for, by the client that it names',
  checks: {
    'other-server': 'An ID-JAG that was minted for another server is refused.',
    'look-alike': "An ID-JAG whose `aud` only begins with the server's issuer is refused.",
    several: 'An ID-JAG whose `aud` names the server and others is refused.',
    client: 'An ID-JAG that names another client is refused.',
    resource: 'An ID-JAG for the resource of another server is refused.',
  },
  restsOn: {
    'look-alike': 'redemption-audience.other-server',
    several: 'redemption-audience.other-server',
  },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { elsewhere, facts, invented } = world;
    const { issuer } = facts;
    const another = `https://${elsewhere}`;
    await refuseEach(judge, world, redeemer, [
      claiming('other-server', 'aud of another server', { aud: another }),
      claiming('other-server', 'aud a list with another server', { aud: [another] }),
      claiming('other-server', 'without aud', { aud: undefined }),
      ...[`${issuer}.${elsewhere}`, `${issuer}/${invented.word()}`].map((aud) =>
        claiming('look-alike', `aud ${aud}`, { aud }),
      ),
      claiming('several', 'aud [server, another]', { aud: [issuer, another] }),
      claiming('several', 'aud [another, server]', { aud: [another, issuer] }),
      claiming('several', 'aud []', { aud: [] }),
      claiming('client', 'client_id of another', { client_id: invented.word() }),
      claiming('client', 'without client_id', { client_id: undefined }),
      claiming('client', 'client_id in a list', { client_id: [redeemer.client.id] }),
      claiming('resource', 'resource of another', { resource: `${another}/mcp` }),
    ]);
  },
});
