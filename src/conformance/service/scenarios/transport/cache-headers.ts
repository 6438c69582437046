import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';

const SHARED = /^(public|s-maxage=.*|must-revalidate)$/;

export const cacheHeaders = serviceScenario({
  id: 'cache-headers',
  title: 'No cache keeps a token',
  checks: {
    tokens: 'An answer of the token endpoint with a token must not be stored.',
    pragma: 'It says so to old caches, too.',
    registrations: 'Answers with assertions, claim tokens and codes must not be stored.',
    errors: 'Errors of the token endpoint must not be stored either.',
    calls: 'Answers to calls with a token are not for shared caches.',
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client } = world;
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const claimToken = registered.string('claim_token');
    const answers = [registered];
    if (world.facts.claimEndpoint !== undefined && claimToken !== undefined) {
      answers.push(await client.startClaim(claimToken, world.freshEmail()));
    }
    for (const answer of answers) {
      judge.expect('registrations', answer.cacheControl.includes('no-store'), cacheOf(answer), {
        exchange: answer.exchange,
      });
    }
    const granted = await client.exchange(assertion);
    const token = world.must(granted, 'access_token', 'an exchange');
    judge.expect('tokens', granted.cacheControl.includes('no-store'), cacheOf(granted), {
      exchange: granted.exchange,
    });
    judge.expect(
      'pragma',
      granted.header('pragma')?.toLowerCase() === 'no-cache',
      cacheOf(granted),
      { exchange: granted.exchange },
    );
    const refused = await client.exchange(world.invented.token());
    const isKept =
      !refused.cacheControl.includes('no-store') || refused.header('pragma') !== 'no-cache';
    judge.expect('errors', !isKept, cacheOf(refused), { exchange: refused.exchange });
    if (world.facts.resource === undefined) return;
    const called = await client.call(token);
    judge.expect(
      'calls',
      !called.cacheControl.some((directive) => SHARED.test(directive)),
      cacheOf(called),
      { exchange: called.exchange },
    );
  },
});

function cacheOf(answer: Answer): string {
  const values = ['cache-control', 'pragma'].map(
    (name) => `${name}: ${answer.header(name) ?? 'none'}`,
  );
  return values.join(', ');
}
