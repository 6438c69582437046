import { NotApplicable } from '../../../engine/judge.ts';
import { status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { scopesOf } from '../../steps/answers.ts';
import {
  accepted,
  expectEachRefused,
  mustRegister,
  presentNew,
} from '../../steps/present-id-jag.ts';

export const idJagScope = serviceScenario({
  id: 'id-jag-scope',
  title: 'An ID-JAG narrows what its registration may do',
  checks: {
    narrowed: 'A token has no scope that the ID-JAG leaves out.',
    'none-of-ours': 'An ID-JAG with foreign scopes only is refused.',
    'foreign-resource': 'An ID-JAG for a foreign resource is refused.',
    'own-resource': "An ID-JAG for the service's own resource is accepted.",
    'bound-resource': 'No token is given for more than the resource of the ID-JAG.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { invented } = world;
    const { resource, issuer } = world.facts;
    const wide = await mustRegister(world);
    const [only, ...others] = await grantedScopes(wide.identityAssertion);
    if (only === undefined || others.length === 0) {
      judge.skip('narrowed', 'The service grants less than two scopes.');
    } else {
      const narrow = await mustRegister(world, world.freshSubject(), { claims: { scope: only } });
      const given = await grantedScopes(narrow.identityAssertion);
      const seen = `The token has ${given.join(' ') || 'no scope'}.`;
      judge.expect(
        'narrowed',
        given.every((scope) => scope === only),
        seen,
        {
          case: `an ID-JAG for ${only}`,
        },
      );
    }
    const foreign = `https://${world.elsewhere}/api`;
    await expectEachRefused(judge, world, [
      ['none-of-ours', 'a foreign scope', { claims: { scope: invented.scope() } }],
      ['foreign-resource', foreign, { claims: { resource: foreign } }],
    ]);
    if (resource === undefined) {
      const none = whyNoResource(world.facts);
      return judge.skip(['own-resource', 'bound-resource'], none.reason, none);
    }
    const { answer } = await presentNew(world, { claims: { resource } });
    judge.table(answer, { 'own-resource': accepted });
    const assertion = answer.string('identity_assertion');
    if (assertion === undefined || !isWider(issuer, resource)) {
      const reason = 'The service has no URL that is wider than its protected one.';
      return judge.skip('bound-resource', reason);
    }
    const own = await world.client.exchange(assertion, { resource });
    world.must(own, 'access_token', 'an exchange for the resource of the ID-JAG');
    const wider = await world.client.exchange(assertion, { resource: issuer });
    judge.expect('bound-resource', !wider.ok, wider, { case: `resource ${issuer}` });

    async function grantedScopes(identityAssertion: string): Promise<readonly string[]> {
      return scopesOf(await world.client.exchange(identityAssertion)) ?? [];
    }
  },
});

/** Whether the second URL lies below the first. */
function isWider(base: string, url: string): boolean {
  const root = base.replace(/\/$/, '');
  return url.replace(/\/$/, '') !== root && url.startsWith(`${root}/`);
}

const CLAIMS = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'];

const OTHER_RULES = 'A JWT that does not call itself at+jwt may follow other rules than RFC 9068.';

export const accessTokenKind = serviceScenario({
  id: 'id-jag-access-token',
  title: 'An access token is opaque, or a JWT of RFC 9068',
  checks: {
    claims: `An access token that is a JWT has typ at+jwt and the claims ${CLAIMS.join(', ')}.`,
    audience: 'The audience of an access token that is a JWT is the resource that was asked for.',
    changed: 'An access token with one changed character is answered 401.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const resource = world.client.protectedUrl();
    // A path that is empty and one that is `/` are one (RFC 3986 §6.2.3).
    const isAsked = (audience: unknown) =>
      [resource, resource.replace(/\/$/, '')].includes(String(audience));
    const { identityAssertion } = await mustRegister(world);
    const asked = await world.client.exchange(identityAssertion, { resource });
    const token = asked.string('access_token') ?? (await world.accessToken(identityAssertion));
    judgeJwt(openJwt(token), asked);
    const called = await world.client.call(token);
    if (!called.ok) throw new NotApplicable('The token does not work before it is changed.');
    for (const at of [0.3, 0.6, 0.9]) {
      const answer = await world.client.call(changed(token, Math.floor(token.length * at)));
      judge.table(answer, { changed: status(401) });
    }

    function judgeJwt(jwt: OpenedJwt | undefined, { exchange, ok }: Answer): void {
      const missing = jwt === undefined ? [] : CLAIMS.filter((name) => !(name in jwt.claims));
      const isRight = isProfiled(jwt) && missing.length === 0;
      const audience = jwt?.claims['aud'];
      judge.table(
        jwt,
        {
          claims: {
            ok: jwt === undefined || isRight,
            seen: `typ ${String(jwt?.header['typ'])}, without ${missing.join(', ') || 'none of them'}`,
          },
          audience: {
            ok: jwt === undefined || !ok || [audience].flat().some(isAsked),
            seen: `aud is ${JSON.stringify(audience)}`,
          },
        },
        { exchange, reading: isProfiled(jwt) ? undefined : OTHER_RULES },
      );
    }
  },
});

function isProfiled(jwt: OpenedJwt | undefined): boolean {
  return /^(application\/)?at\+jwt$/i.test(String(jwt?.header['typ']));
}

function changed(token: string, at: number): string {
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
