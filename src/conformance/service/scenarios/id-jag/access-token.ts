import { NotApplicable } from '../../../engine/judge.ts';
import { status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustRegister } from '../../steps/present-id-jag.ts';

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
