import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import * as idJags from '../../steps/present-id-jag.ts';

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
  resting: { 'id-jag-audience.other-service': ['look-alike', 'several', 'resource-address'] },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { issuer } = world.facts;
    const another = `https://${world.elsewhere}`;
    const otherSpelling = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    await idJags.mustBeAccepted(world);
    await idJags.expectEachRefused(judge, world, [
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
    const listed = await idJags.presentNew(world, { claims: { aud: [issuer] } });
    judge.table(listed.answer, { 'list-of-one': idJags.accepted }, { reading: ONE_VALUE });
  },
});

function wrongAudience<Name extends string>(
  check: Name,
  aud: unknown,
  reading?: string,
): idJags.IdJagVariant<Name> {
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
