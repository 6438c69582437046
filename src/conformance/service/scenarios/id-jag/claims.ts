import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import {
  accepted,
  expectEachRefused,
  type IdJagVariant,
  mustBeAccepted,
  presentNew,
} from '../../steps/present-id-jag.ts';

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
  restsOn: { required: 'id-jag-audience.other-service', types: 'id-jag-audience.other-service' },
  dangerous: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { invented } = world;
    const clients = [`https://${world.elsewhere}/client`, world.providers.other.clientId];
    await mustBeAccepted(world);
    await expectEachRefused(judge, world, [
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
    const { answer } = await presentNew(world, { claims: further });
    judge.table(answer, { 'optional-absent': accepted });
    // At the end: a fragile service dies of these.
    await expectEachRefused(judge, world, [
      // Nothing is lost where jti or client_id is compared as it is: only sub and aud decide.
      ...WRONG_TYPES.map(([claim, value]) =>
        wrong('types', claim, value, /^(jti|client_id)$/.test(claim) ? COMPARED : undefined),
      ),
      ...WRONG_OPTIONAL_TYPES.map(([claim, value]) => wrong('optional-types', claim, value)),
      ...unstorable(invented.word()).map((text) => wrong('storable-text', 'sub', text)),
    ]);
  },
});

function without<Name extends string>(check: Name, claim: string): IdJagVariant<Name> {
  return [check, `without ${claim}`, { claims: { [claim]: undefined } }];
}

function wrong<Name extends string>(
  check: Name,
  claim: string,
  value: unknown,
  reading?: string,
): IdJagVariant<Name> {
  return [check, `${claim} ${JSON.stringify(value)}`, { claims: { [claim]: value } }, reading];
}

/** */
const OTHER_SLASH =
  'RFC 8414 §3.3 compares issuers code point by code point; many take a final slash for the same issuer.';
/** */
const RESOURCE = 'Elsewhere in this protocol family the audience is the URL of the resource.';
const ONE_VALUE =
  'Draft-04 §4.4.1 allows a list of one; a service may well insist on the single value of §3.1.';

export const idJagAudience = serviceScenario({
  id: 'id-jag-audience',
  title: 'An ID-JAG is accepted only by the service that it was minted for',
  checks: {
    'other-service': 'An ID-JAG that was minted for another service is refused.',
    'look-alike': "An ID-JAG whose audience only resembles the service's issuer is refused.",
    several: 'An ID-JAG that names further audiences, or none, is refused.',
    'list-of-one': 'An ID-JAG whose audience is a list with the issuer alone is accepted.',
    'resource-address': 'An ID-JAG whose audience is the URL of the resource is refused.',
  },
  restsOn: {
    'look-alike': 'id-jag-audience.other-service',
    several: 'id-jag-audience.other-service',
    'resource-address': 'id-jag-audience.other-service',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { issuer } = world.facts;
    const another = `https://${world.elsewhere}`;
    const otherSpelling = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    await mustBeAccepted(world);
    await expectEachRefused(judge, world, [
      wrongAudience('other-service', another),
      wrongAudience('other-service', [another]),
      wrongAudience('other-service', world.providers.provider.issuer),
      ...lookAlikes(issuer, world.elsewhere).map((aud) => wrongAudience('look-alike', aud)),
      wrongAudience('look-alike', otherSpelling, OTHER_SLASH),
      wrongAudience('several', [issuer, another]),
      wrongAudience('several', [another, issuer]),
      wrongAudience('several', []),
      ...resourceUrls(world).map((url) => wrongAudience('resource-address', url, RESOURCE)),
    ]);
    judge.skip('resource-address', 'The resource has the URL of the issuer.');
    const listed = await presentNew(world, { claims: { aud: [issuer] } });
    judge.table(listed.answer, { 'list-of-one': accepted }, { reading: ONE_VALUE });
  },
});

function wrongAudience<Name extends string>(
  check: Name,
  aud: unknown,
  reading?: string,
): IdJagVariant<Name> {
  return [check, `aud ${JSON.stringify(aud)}`, { claims: { aud } }, reading];
}

/** What resembles the issuer of a service, and is not it. */
export function lookAlikes(issuer: string, elsewhere: string): readonly string[] {
  return [
    // Without its final slash it would be the other spelling of X-02.
    issuer.replace(/\/$/, '').slice(0, -1),
    `${issuer}.${elsewhere}`,
    `${issuer}@${elsewhere}`,
    `https://${elsewhere}/?${issuer}`,
    `${issuer}/${elsewhere}`,
    `${issuer}#${elsewhere}`,
    ` ${issuer}`,
    issuer.toUpperCase(),
    '',
    '*',
  ];
}

/** what an agent may mistake for the audience. Empty where it is the issuer itself. */
function resourceUrls({ facts }: ServiceWorld): readonly string[] {
  const { issuer, resource, resourceMetadata } = facts;
  const named = resourceMetadata['resource'];
  return [...new Set([resource, named])].filter(
    (url): url is string =>
      typeof url === 'string' && url.replace(/\/$/, '') !== issuer.replace(/\/$/, ''),
  );
}
