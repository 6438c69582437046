import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import {
  expectRefused,
  isTaken,
  mustBeTaken,
  presentNew,
  type Wrong,
} from '../../steps/present-id-jag.ts';

export const idJagAudience = serviceScenario({
  id: 'id-jag-audience',
  title: 'An ID-JAG is taken only by the service that it was minted for',
  checks: {
    'other-service': 'An ID-JAG that was minted for another service is refused.',
    'look-alike': "An audience that only resembles the service's issuer is refused.",
    several: 'An ID-JAG that names further audiences is refused.',
    'list-of-one': 'The issuer as the only member of a list is taken.',
    'resource-address': 'The address of the resource is no audience.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { issuer } = world.facts;
    const another = `https://${world.elsewhere}`;
    await mustBeTaken(world);
    const refuse = async (
      name: 'other-service' | 'look-alike' | 'several' | 'resource-address',
      aud: unknown,
      warn = false,
    ) => {
      const { answer } = await presentNew(world, { claims: { aud } });
      const wrong: Wrong = { what: `An ID-JAG for ${JSON.stringify(aud)}`, warn };
      expectRefused(judge, name, wrong, answer);
    };
    await refuse('other-service', another);
    await refuse('other-service', [another]);
    await refuse('other-service', world.providers.provider.issuer);
    for (const aud of lookAlikes(issuer, world.elsewhere)) await refuse('look-alike', aud);
    // one spelling is asked for, and tolerance for a final slash is common.
    await refuse('look-alike', issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`, true);
    await refuse('several', [issuer, another]);
    await refuse('several', [another, issuer]);
    await refuse('several', []);
    for (const address of resourceAddresses(world)) await refuse('resource-address', address, true);
    judge.skip('resource-address', 'The resource has the address of the issuer.');

    const listed = await presentNew(world, { claims: { aud: [issuer] } });
    judge.expect('list-of-one', isTaken(listed.answer), listed.answer, { warn: true });
  },
});

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
function resourceAddresses({ facts }: ServiceWorld): readonly string[] {
  const { issuer, resource, resourceMetadata } = facts;
  const named = resourceMetadata['resource'];
  return [...new Set([resource, named])].filter(
    (address): address is string =>
      typeof address === 'string' && address.replace(/\/$/, '') !== issuer.replace(/\/$/, ''),
  );
}
