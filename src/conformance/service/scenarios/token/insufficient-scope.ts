import { NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import { challenge, is, isPresent, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { NO_WRITE, type WriteOutcome, Writes } from '../../steps/writes.ts';

export const insufficientScope = serviceScenario({
  id: 'insufficient-scope',
  title: 'A token grants what its scope covers, and no more',
  checks: {
    'write-refused': 'A pre-claim token is refused at POST /api/resource.',
    status: 'A call beyond the scope of a valid token is answered with 403.',
    code: 'The challenge says error="insufficient_scope".',
    'needed-scope': 'The challenge names the needed scope as `scope`.',
    'metadata-hint': 'The challenge has resource_metadata.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    world.needType('anonymous');
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const token = await world.accessToken(assertion);
    const isOfContract = facts.resource?.endsWith('/api/resource') === true;
    const { answer, outcome } = await tryToWrite(world, token);
    if (isOfContract) judge.table(answer, { 'write-refused': { ok: outcome === 'refused' } });
    else judge.skip('write-refused', 'What each scope is for is known of /api/resource alone.');
    if (outcome === 'taken') {
      throw new NotApplicable('No call is known that the pre-claim scope does not cover.');
    }
    judge.table(answer, {
      status: status(403),
      code: challenge('error', is('insufficient_scope')),
      'needed-scope': challenge('scope', isPresent),
      'metadata-hint': challenge('resource_metadata', isPresent),
    });
  },
});

/** The first write of which it shows whether it was refused for the token. @throws NeedsOption when none does. */
async function tryToWrite(
  world: ServiceWorld,
  token: string,
): Promise<{ readonly answer: Answer; readonly outcome: WriteOutcome }> {
  const writes = new Writes(world);
  for (const write of writes.all()) {
    const answer = await writes.send(write, token);
    const outcome = await writes.outcome(write, answer);
    if (outcome !== 'unknown') return { answer, outcome };
  }
  throw new NeedsOption(NO_WRITE, '--write-request');
}
