import { serviceScenario } from '../../service-scenario.ts';
import { expectRefused, isTaken, mustRegister, presentNew } from '../../steps/present-id-jag.ts';

export const idJagScope = serviceScenario({
  id: 'id-jag-scope',
  title: 'An ID-JAG narrows what its registration may do',
  checks: {
    narrowed: 'A token has no scope that the ID-JAG leaves out.',
    'none-of-ours': 'An ID-JAG whose scopes are all foreign is refused.',
    'foreign-resource': 'An ID-JAG for a foreign resource is refused.',
    'own-resource': "An ID-JAG for the service's own resource is taken.",
    'bound-resource': 'No token for more than the resource of the ID-JAG is given.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const wide = await mustRegister(world);
    const scopes = await grantedScopes(wide.identityAssertion);
    const [only, ...others] = scopes;
    if (only === undefined || others.length === 0) {
      judge.skip('narrowed', 'The service grants less than two scopes.');
    } else {
      const narrow = await mustRegister(world, world.freshSubject(), { claims: { scope: only } });
      const granted = await grantedScopes(narrow.identityAssertion);
      judge.expect(
        'narrowed',
        granted.every((scope) => scope === only),
        `The token has ${granted.join(' ') || 'no scope'}.`,
        { expected: `no scope but ${only}, which the ID-JAG names` },
      );
    }
    const foreign = await presentNew(world, { claims: { scope: world.invented.scope() } });
    expectRefused(judge, 'none-of-ours', { what: 'An ID-JAG with foreign scopes' }, foreign.answer);
    const elsewhere = `https://${world.elsewhere}/api`;
    const away = await presentNew(world, { claims: { resource: elsewhere } });
    expectRefused(judge, 'foreign-resource', { what: `An ID-JAG for ${elsewhere}` }, away.answer);

    const { resource, issuer } = world.facts;
    if (resource === undefined) {
      judge.skip(
        ['own-resource', 'bound-resource'],
        'No protected address is known: name one with --resource.',
      );
      return;
    }
    const ours = await presentNew(world, { claims: { resource } });
    judge.expect('own-resource', isTaken(ours.answer), ours.answer, {
      expected: `an ID-JAG for ${resource} is taken`,
    });
    const assertion = ours.answer.string('identity_assertion');
    if (assertion === undefined || !isWider(issuer, resource)) {
      judge.skip(
        'bound-resource',
        'The service has no address that is wider than its protected one.',
      );
      return;
    }
    const wider = await world.client.exchange(assertion, { resource: issuer });
    judge.expect('bound-resource', !wider.ok, wider, {
      expected: `no token for ${issuer} by an ID-JAG for ${resource}`,
    });

    async function grantedScopes(identityAssertion: string): Promise<readonly string[]> {
      const answer = await world.client.exchange(identityAssertion);
      return (answer.string('scope') ?? '').split(' ').filter((scope) => scope !== '');
    }
  },
});

/** Whether the second address lies below the first. */
function isWider(base: string, address: string): boolean {
  const root = base.replace(/\/$/, '');
  return address.replace(/\/$/, '') !== root && address.startsWith(`${root}/`);
}
