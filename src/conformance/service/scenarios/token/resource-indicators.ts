import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const resourceIndicators = serviceScenario({
  id: 'resource-indicators',
  title: 'A token is for the resource that was asked for',
  checks: {
    own: 'The resource that the metadata names can be asked for.',
    base: 'The base address can be asked for, with or without a final slash.',
    bad: 'A resource that is foreign, relative or has a fragment gives no token.',
    code: 'It is answered invalid_target.',
    bound: 'A token for a path is refused above that path.',
    below: 'A token for a path is good at that path and below it.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const { resource } = facts;
    if (resource === undefined) throw new NotApplicable('No protected address is known.');
    const assertion = await someAssertion(world);
    const named = facts.resourceMetadata['resource'];
    const own = typeof named === 'string' ? named : resource;
    const answer = await client.exchange(assertion, { resource: own });
    const isTaken = judge.expect('own', answer.status === 200, answer, {
      expected: `a token for ${own}`,
    });
    if (!isTaken) return;
    for (const base of [facts.issuer, `${facts.issuer}/`]) {
      const based = await client.exchange(assertion, { resource: base });
      judge.expect('base', based.status === 200, based, { expected: `a token for ${base}` });
    }
    const part = world.invented.word();
    for (const bad of [
      `https://${world.elsewhere}/api`,
      `${resource}#${part}`,
      new URL(resource).pathname,
      world.invented.name(),
      `${new URL(resource).origin}.${world.elsewhere}/`,
    ]) {
      const refused = await client.exchange(assertion, { resource: bad });
      judge.expect('bad', !refused.ok, refused, { expected: `no token for the resource ${bad}` });
      judge.expect('code', refused.errorCode === 'invalid_target', refused, {
        expected: `invalid_target for ${bad}`,
      });
    }
    const below = `${resource.replace(/\/$/, '')}/${part}`;
    const narrow = await client.exchange(assertion, { resource: below });
    const token = narrow.string('access_token');
    if (token === undefined) {
      judge.skip(
        ['bound', 'below'],
        'The service gives no token for an address below its resource.',
      );
      return;
    }
    const above = await client.call(token);
    judge.expect('bound', above.status === 401, above, {
      expected: `401 at ${resource} for a token that is for ${below}`,
    });
    const wide = await world.accessToken(assertion);
    const reference = await at(below, wide);
    for (const url of [below, `${below}/${world.invented.word()}`]) {
      const called = await at(url, token);
      judge.expect('below', called.status === reference.status, called, {
        expected: `${reference.status} at ${url}, as with a token for everything`,
      });
    }
    function at(url: string, bearer: string) {
      return world.send(url, { from: 'agent', headers: [['authorization', `Bearer ${bearer}`]] });
    }
  },
});
