import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-world.ts';
import { scopesOf } from '../../steps/answers.ts';
import * as idJags from '../../steps/present-id-jag.ts';

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
    const wide = await idJags.mustRegister(world);
    const [only, ...others] = await grantedScopes(wide.identityAssertion);
    if (only === undefined || others.length === 0) {
      judge.skip('narrowed', 'The service grants less than two scopes.');
    } else {
      const narrow = await idJags.mustRegister(world, world.freshSubject(), {
        claims: { scope: only },
      });
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
    await idJags.expectEachRefused(judge, world, [
      ['none-of-ours', 'a foreign scope', { claims: { scope: invented.scope() } }],
      ['foreign-resource', foreign, { claims: { resource: foreign } }],
    ]);
    if (resource === undefined) {
      const none = whyNoResource(world.facts);
      return judge.skip(['own-resource', 'bound-resource'], none.reason, none);
    }
    const { answer } = await idJags.presentNew(world, { claims: { resource } });
    judge.table(answer, { 'own-resource': idJags.accepted });
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
