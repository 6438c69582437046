import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { isText, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { makeKey } from '../../../jwt/forge.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { decideInteraction, interactionOf } from '../../steps/account-access.ts';
import { challengeField, granted, noRefreshToken } from '../../steps/answers.ts';
import { isDocumented } from '../../steps/metadata-documents.ts';
import { pollPatiently } from '../../steps/polls.ts';
import * as idJags from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

export const idJagMain = serviceScenario({
  id: 'id-jag',
  title: 'An agent registers with an ID-JAG of a trusted provider, and works',
  checks: {
    taken: 'A right ID-JAG leads to an assertion, at once or after its user has agreed.',
    'at-once': 'The ID-JAG of a new user is answered with an assertion at once.',
    exchanged: 'The assertion is exchanged for an access token.',
    'scope-said': 'The token answer has the granted scope.',
    'no-refresh': 'No refresh token is given.',
    works: 'The access token works at the protected resource.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { email, idJag } = await world.acceptableIdJag();
    const answer = await idJags.present(world, idJag);
    const assertion = answer.string('identity_assertion');
    const isAtOnce = answer.status === 200 && assertion !== undefined;
    judge.table(answer, { 'at-once': { ok: isAtOnce }, taken: idJags.accepted });
    const usable = assertion ?? (await afterAgreement(world, answer, email));
    if (usable === undefined) throw new CannotTest('No identity_assertion was given.');

    const exchanged = await world.client.exchange(usable);
    judge.table(exchanged, { exchanged: granted });
    const token = exchanged.string('access_token');
    if (token === undefined) return;
    judge.table(answer, { 'no-refresh': noRefreshToken });
    judge.table(exchanged, {
      'scope-said': member('scope', isText),
      'no-refresh': noRefreshToken,
    });
    const called = await world.client.call(token);
    // Which methods and parameters the resource asks for is its own choice.
    judge.expect('works', called.status !== 401 && called.status !== 403, called);
  },
});

/** The assertion of a service that asks each new user first. */
async function afterAgreement(
  world: ServiceWorld,
  answer: Answer,
  email: string,
): Promise<string | undefined> {
  const interaction = interactionOf(answer);
  if (interaction === undefined) return undefined;
  await decideInteraction(world, interaction, email, 'approve');
  return (await pollPatiently(world, interaction.claimToken)).string('identity_assertion');
}

const NEEDS_TYPE = /assertion_type.*\b(?:required|must)\b|\b(?:requires?|must)\b.*assertion_type/i;

export const idJagRequest = serviceScenario({
  id: 'id-jag-request',
  title: 'A registration by ID-JAG needs its assertion, and not its assertion_type',
  checks: {
    'type-optional': 'assertion_type may be left out.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await idJags.mustBeAccepted(world);
    const send = (body: object) => world.client.identity({ type: 'identity_assertion', ...body });
    const untyped = await send({ assertion: world.idJag(world.freshSubject()) });
    if (!idJags.isRegistered(untyped) && (await isDocumented(world, NEEDS_TYPE))) {
      judge.skip('type-optional', 'The skill file says that assertion_type is needed.');
    } else judge.table(untyped, { 'type-optional': idJags.accepted });
  },
});

/** A way in which an ID-JAG is wrong. */
interface Mistake {
  readonly what: string;
  readonly header?: MintOptions['header'];
  readonly claims?: MintOptions['claims'];
  readonly byUntrusted?: true;
  readonly forged?: true;
}

/** The mistakes, some of which a service may answer 401. */
const mistakesFor = (elsewhere: string): readonly Mistake[] => [
  { what: 'typ JWT', header: { typ: 'JWT' } },
  { what: 'an issuer without trust', byUntrusted: true },
  { what: 'a signature by another key', forged: true },
  { what: 'another audience', claims: { aud: `https://${elsewhere}` } },
  { what: 'an exp in the past', claims: { iat: 1_000_000, exp: 1_000_300 } },
  { what: 'an email that is not verified', claims: { email_verified: false } },
  { what: 'no auth_time', claims: { auth_time: undefined } },
  { what: 'the client of somebody else', claims: { client_id: `https://${elsewhere}/client` } },
  { what: 'no sub', claims: { sub: undefined } },
  { what: 'alg none', header: { alg: 'none' } },
];

export const idJagCodes = serviceScenario({
  id: 'id-jag-codes',
  title: 'A refused ID-JAG is answered with a challenge where the answer is 401',
  checks: {
    challenge: 'A 401 carries a challenge.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await idJags.mustBeAccepted(world);
    const mint = minter(world);
    for (const mistake of mistakesFor(world.elsewhere)) {
      const answer = await idJags.present(world, mint(mistake));
      if (idJags.isAccepted(answer) || answer.status !== 401) continue;
      const rows = {
        challenge: challengeField((field) => (readChallenges(field) ?? []).length > 0),
      };
      judge.table(answer, rows, { case: mistake.what });
    }
    judge.skip('challenge', 'Nothing was answered 401.');
  },
});

/** Mints ID-JAGs of new users with one mistake. */
function minter(world: ServiceWorld) {
  const foreign = makeKey();
  const { provider, untrusted } = world.providers;
  return ({ byUntrusted, claims = {}, forged, header }: Mistake) => {
    const by = byUntrusted ? untrusted : provider;
    const options = {
      header: { kid: by.keys[0].kid, ...header },
      claims,
      ...(forged && { key: foreign }),
    };
    return world.idJag(world.freshSubject(), options, by);
  };
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
    const { identityAssertion } = await idJags.mustRegister(world);
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
