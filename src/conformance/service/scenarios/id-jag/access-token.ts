import { NotApplicable } from '../../../engine/judge.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustRegister } from '../../steps/present-id-jag.ts';

const CLAIMS = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'];

export const accessTokenKind = serviceScenario({
  id: 'id-jag-access-token',
  title: 'An access token is opaque, or a JWT that says what it is for',
  checks: {
    claims: 'An access token that is a JWT has typ at+jwt and every claim that is asked for.',
    audience: 'Its audience is the resource that it was asked for.',
    changed: 'An access token with one changed letter is refused.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { resource } = world.facts;
    if (resource === undefined) {
      throw new NotApplicable('No protected address is known: name one with --resource.');
    }
    const { identityAssertion } = await mustRegister(world);
    const asked = await world.client.exchange(identityAssertion, { resource });
    const token = asked.string('access_token') ?? (await world.accessToken(identityAssertion));
    const jwt = openJwt(token);
    const missing = jwt === undefined ? [] : CLAIMS.filter((name) => !(name in jwt.claims));
    const profiled = isProfiled(jwt);
    judge.expect(
      'claims',
      jwt === undefined || (profiled && missing.length === 0),
      // A JWT that does not call itself one of RFC 9068 may follow other rules.
      `typ ${String(jwt?.header['typ'])}, without ${missing.join(', ') || 'none of them'}`,
      {
        expected: `typ at+jwt and ${CLAIMS.join(', ')} in an access token that is a JWT`,
        exchange: asked.exchange,
        warn: !profiled,
      },
    );
    const audiences = [jwt?.claims['aud']].flat();
    judge.expect(
      'audience',
      jwt === undefined || !asked.ok || audiences.includes(resource),
      `aud is ${JSON.stringify(jwt?.claims['aud'])}`,
      {
        expected: `${resource} as audience, which was asked for`,
        exchange: asked.exchange,
        warn: !profiled,
      },
    );
    const called = await world.client.call(token);
    if (!called.ok) throw new NotApplicable('The token does not work before it is changed.');
    for (const at of [0.3, 0.6, 0.9]) {
      const answer = await world.client.call(changed(token, Math.floor(token.length * at)));
      judge.expect('changed', answer.status === 401, answer);
    }
  },
});

function isProfiled(jwt: OpenedJwt | undefined): boolean {
  return /^(application\/)?at\+jwt$/i.test(String(jwt?.header['typ']));
}

function changed(token: string, at: number): string {
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
