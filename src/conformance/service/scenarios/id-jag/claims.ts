import { forgeJwt } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import * as idJags from '../../steps/present-id-jag.ts';

const REQUIRED = ['iss', 'sub', 'aud', 'exp', 'jti'];
const REQUIRED_BY_THE_DRAFT = ['iat', 'client_id'];

type Claim = readonly [claim: string, value: unknown];

/** RFC 7519 §4.1: text, or for aud a list of text. */
const WRONG_TYPES: readonly Claim[] = [
  ['sub', 1],
  ['sub', true],
  ['sub', null],
  ['sub', ['user']],
  ['sub', { id: 'user' }],
  ['iss', 1],
  ['iss', null],
  ['iss', {}],
  ['aud', 1],
  ['aud', null],
  ['aud', {}],
  ['aud', [1]],
  ['jti', null],
  ['jti', {}],
  ['jti', ['id']],
  ['client_id', 1],
];

const WRONG_OPTIONAL_TYPES: readonly Claim[] = [
  ['auth_time', 'now'],
  ['tenant', 1],
  ['scope', ['api.read']],
  ['resource', 1],
  ['amr', 'pwd'],
  ['acr', 1],
  ['email', 1],
  ['name', {}],
];

const COMPARED =
  'RFC 7519 §4.1 asks for text; nothing is lost where the value is compared as it is.';

/** */
const UNAUTHENTICATED =
  'Draft-04 §4.4.1 compares it with the authenticated client, and clients are not authenticated here.';

const unstorable = (word: string) => [`${word}\u0000`, `\ud800${word}`, `${word}\udc00`];

export const idJagClaims = serviceScenario({
  id: 'id-jag-claims',
  title: 'ID-JAGs without a claim, or with one of the wrong JSON type, are refused',
  checks: {
    required: 'An ID-JAG without iss, sub, aud, exp or jti is refused.',
    'required-by-draft': 'An ID-JAG without iat or client_id is refused.',
    types: 'An ID-JAG whose iss, sub, aud, jti or client_id is of the wrong JSON type is refused.',
    'optional-types': 'An ID-JAG with an optional claim of the wrong JSON type is refused.',
    'storable-text': 'An ID-JAG with U+0000 or half a surrogate pair in a claim is refused.',
    'client-id': 'An ID-JAG that names a client of somebody else is refused.',
    'optional-absent': 'An ID-JAG may leave out optional claims, and have unknown ones.',
  },
  resting: { 'id-jag-audience.other-service': ['required', 'types'] },
  dangerous: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { invented } = world;
    const clients = [`https://${world.elsewhere}/client`, world.providers.other.clientId];
    await idJags.mustBeAccepted(world);
    await idJags.expectEachRefused(judge, world, [
      ...REQUIRED.map((claim) => without('required', claim)),
      ...REQUIRED_BY_THE_DRAFT.map((claim) => without('required-by-draft', claim)),
      ...clients.map((id) => wrong('client-id', 'client_id', id, UNAUTHENTICATED)),
    ]);
    const further = {
      [invented.member()]: { [invented.word()]: [1, null] },
      amr: ['pwd'],
      acr: invented.urn(),
      name: invented.name(),
    };
    const { answer } = await idJags.presentNew(world, { claims: further });
    judge.table(answer, { 'optional-absent': idJags.accepted });
    // At the end: a fragile service dies of these.
    await idJags.expectEachRefused(judge, world, [
      // Nothing is lost where jti or client_id is compared as it is: only sub and aud decide.
      ...WRONG_TYPES.map(([claim, value]) =>
        wrong('types', claim, value, /^(jti|client_id)$/.test(claim) ? COMPARED : undefined),
      ),
      ...WRONG_OPTIONAL_TYPES.map(([claim, value]) => wrong('optional-types', claim, value)),
      ...unstorable(invented.word()).map((text) => wrong('storable-text', 'sub', text)),
    ]);
  },
});

function without<Name extends string>(check: Name, claim: string): idJags.IdJagVariant<Name> {
  return [check, `without ${claim}`, { claims: { [claim]: undefined } }];
}

function wrong<Name extends string>(
  check: Name,
  claim: string,
  value: unknown,
  reading?: string,
): idJags.IdJagVariant<Name> {
  return [check, `${claim} ${JSON.stringify(value)}`, { claims: { [claim]: value } }, reading];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const idJagTimes = serviceScenario({
  id: 'id-jag-times',
  title: 'An ID-JAG is accepted only while it is valid',
  checks: {
    expired: 'An ID-JAG whose exp has passed is refused.',
    'not-before': 'An ID-JAG is refused before its nbf.',
    'issued-later': 'An ID-JAG whose iat lies in the future is refused.',
    numbers: 'An ID-JAG with a time that is text, a list or negative is refused.',
    fractions: 'Times with fractions of a second are accepted.',
    lifetime: 'An ID-JAG that is valid for more than an hour is refused.',
    skew: 'Clocks may differ by 20 seconds.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await idJags.mustBeAccepted(world);
    const now = Math.floor(world.time.now() / 1000);
    const at = (iat: number, exp: number) => ({ claims: { iat: now + iat, exp: now + exp } });
    const valid = { exp: now + 15 * MINUTE };
    const old = { iat: now - 15 * MINUTE, auth_time: now - 15 * MINUTE };
    await idJags.expectEachRefused(judge, world, [
      ['expired', 'expired ten minutes ago', { claims: { ...old, exp: now - 10 * MINUTE } }],
      ['expired', 'from 1970', { claims: { iat: 0, exp: 300 } }],
      ['not-before', 'nbf in ten minutes', { claims: { ...valid, nbf: now + 10 * MINUTE } }],
      ['issued-later', 'iat in ten minutes', at(10 * MINUTE, 15 * MINUTE)],
      ['lifetime', 'valid for two hours', { claims: { exp: now + 2 * HOUR } }],
      ['lifetime', 'valid for ten years', { claims: { exp: now + 87_600 * HOUR } }],
    ]);
    await idJags.expectEachAccepted(judge, world, [
      ['skew', 'expired 20 seconds ago', at(-5 * MINUTE, -20)],
      ['skew', 'iat in 20 seconds', { claims: { iat: now + 20 } }],
      ['skew', 'nbf in 20 seconds', { claims: { nbf: now + 20 } }],
      ['fractions', 'fractions of a second', at(-0.5, 5 * MINUTE + 0.25), WHOLE],
    ]);
    for (const [claim, literal, reading] of malformedTimes(now)) {
      const answer = await idJags.present(world, withLiteral(world, claim, literal));
      idJags.expectIdJagRefused(judge, 'numbers', answer, `"${claim}": ${literal}`, reading);
    }
  },
});

type MalformedTime = readonly [claim: string, literal: string, reading?: string];

const ANY_NUMBER = 'RFC 7519 §2 takes any number: this one lies in the far future.';
const WHOLE = 'RFC 7519 §2 allows fractions; whole seconds are what everybody sends.';

/** Times as they stand in the JSON text: some of them no JSON writer would write. */
function malformedTimes(now: number): readonly MalformedTime[] {
  const soon = String(now + 5 * MINUTE);
  return [
    ['exp', `"${soon}"`],
    ['exp', '1e400', ANY_NUMBER],
    ['exp', '9007199254740993', ANY_NUMBER],
    ['exp', '-1'],
    ['exp', '-1e400'],
    ['exp', 'null'],
    ['exp', 'true'],
    ['exp', `[${soon}]`],
    ['exp', `{"at":${soon}}`],
    ['iat', `"${now}"`],
    ['nbf', `"${now}"`],
    ['nbf', '1e400'],
  ];
}

function withLiteral(world: ServiceWorld, claim: string, literal: string): string {
  const right = openJwt(world.idJag(world.freshSubject()));
  const text = JSON.stringify({ ...right?.claims, [claim]: '§' }).replace('"§"', literal);
  return forgeJwt(right?.header ?? {}, text, world.providers.provider.keys[0]);
}

export const idJagSignInAge = serviceScenario({
  id: 'id-jag-sign-in-age',
  title: 'An ID-JAG whose user signed in too long ago leads back to the sign-in',
  checks: {
    asked: 'An ID-JAG whose auth_time is old, in the future or missing is refused.',
    'known-too': 'An ID-JAG with such an auth_time is refused for a user with a registration, too.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const now = Math.floor(world.time.now() / 1000);
    const known = await idJags.mustRegister(world);
    const signedInAt = (at: number | undefined) => ({ claims: { auth_time: at } });
    for (const [what, authTime] of [
      ['no auth_time', undefined],
      ['auth_time a month ago', now - 31 * DAY],
      ['auth_time in an hour', now + HOUR],
    ] as const) {
      for (const [name, whom] of [
        ['asked', world.freshSubject()],
        ['known-too', known],
      ] as const) {
        const answer = await idJags.present(world, world.idJag(whom, signedInAt(authTime)));
        idJags.expectIdJagRefused(judge, name, answer, what);
      }
    }
  },
});
