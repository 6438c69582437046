import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import {
  accepted,
  expectEachRefused,
  type IdJagVariant,
  mustBeAccepted,
  presentNew,
} from '../../steps/present-id-jag.ts';

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
  async run(judge, world) {
    world.needType('identity_assertion');
    const { issuer } = world.facts;
    const another = `https://${world.elsewhere}`;
    // one spelling is asked for, and tolerance for a final slash is common.
    const otherSpelling = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    await mustBeAccepted(world);
    await expectEachRefused(judge, world, [
      wrongAudience('other-service', another),
      wrongAudience('other-service', [another]),
      wrongAudience('other-service', world.providers.provider.issuer),
      ...lookAlikes(issuer, world.elsewhere).map((aud) => wrongAudience('look-alike', aud)),
      wrongAudience('look-alike', otherSpelling, 'warn'),
      wrongAudience('several', [issuer, another]),
      wrongAudience('several', [another, issuer]),
      wrongAudience('several', []),
      ...resourceUrls(world).map((url) => wrongAudience('resource-address', url, 'warn')),
    ]);
    judge.skip('resource-address', 'The resource has the URL of the issuer.');
    const listed = await presentNew(world, { claims: { aud: [issuer] } });
    judge.table(listed.answer, { 'list-of-one': accepted }, { warn: true });
  },
});

function wrongAudience<Name extends string>(
  check: Name,
  aud: unknown,
  warn?: 'warn',
): IdJagVariant<Name> {
  return [check, `aud ${JSON.stringify(aud)}`, { claims: { aud } }, warn];
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
