import { errorCode, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted } from '../../steps/answers.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const resourceIndicators = serviceScenario({
  id: 'resource-indicators',
  title: 'A token is bound to the requested resource',
  checks: {
    own: 'A request for the `resource` of the metadata is answered with 200.',
    bad: 'A resource that is foreign, relative or has a fragment gives no token.',
    code: 'A resource that is foreign, relative or has a fragment is answered invalid_target.',
    bound: 'A token for a path is answered 401 above that path.',
    below: 'A token for a path is answered there and below as a token for everything is.',
  },
  restsOn: { code: 'resource-indicators.bad', bound: 'resource-indicators.bad' },
  async run(judge, world) {
    const { client, facts } = world;
    const resource = client.protectedUrl();
    const assertion = await someAssertion(world);
    const named = facts.resourceMetadata['resource'];
    const own = typeof named === 'string' ? named : resource;
    const answer = await client.exchange(assertion, { resource: own });
    if (!judge.table(answer, { own: granted }, { case: own })) return;
    const part = world.invented.word();
    for (const bad of [
      `https://${world.elsewhere}/api`,
      `${resource}#${part}`,
      new URL(resource).pathname,
      world.invented.name(),
      `${new URL(resource).origin}.${world.elsewhere}/`,
    ]) {
      const answered = await client.exchange(assertion, { resource: bad });
      judge.expect('bad', !answered.ok, answered, { case: bad });
      judge.table(answered, { code: errorCode('invalid_target') }, { case: bad });
    }
    const below = `${resource.replace(/\/$/, '')}/${part}`;
    const narrow = await client.exchange(assertion, { resource: below });
    const token = narrow.string('access_token');
    if (token === undefined) {
      judge.skip(['bound', 'below'], 'The service gives no token for a URL below its resource.');
      return;
    }
    const above = await client.call(token);
    judge.table(above, { bound: status(401) }, { case: resource });
    const wide = await world.accessToken(assertion);
    const reference = await at(below, wide);
    for (const url of [below, `${below}/${world.invented.word()}`]) {
      const called = await at(url, token);
      const more = { case: url, expected: `${reference.status}, as with a token for everything` };
      judge.table(called, { below: status(reference.status) }, more);
    }
    function at(url: string, bearer: string) {
      return world.send(url, { from: 'agent', headers: [['authorization', `Bearer ${bearer}`]] });
    }
  },
});
