import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { described, NO_WRITE, Writes } from '../../steps/writes.ts';
import type { WriteRequest } from '../../write-request.ts';

export const protectedWrites = serviceScenario({
  id: 'protected-writes',
  title: 'A write needs a valid token, as a read does',
  checks: {
    'no-token': 'A write without a token is refused.',
    status: 'A write without a token is answered with 401.',
    'bad-token': 'A write with an unknown, malformed or revoked token is refused.',
  },
  restsOn: { 'bad-token': 'protected-writes.no-token' },
  async run(judge, world) {
    await mustKnowTokens(world);
    const writes = new Writes(world);
    const guarded: WriteRequest[] = [];
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      for (const write of writes.all(method)) {
        const answer = await writes.send(write, undefined);
        const outcome = await writes.outcome(write, answer);
        const more = { case: described(write) };
        if (outcome === 'unknown') {
          if (await writes.isJudgedByBody(write, answer)) {
            judge.table(answer, { status: status(401) }, more);
          }
          continue;
        }
        if (judge.table(answer, { 'no-token': { ok: outcome === 'refused' } }, more)) {
          judge.table(answer, { status: status(401) }, more);
          guarded.push(write);
        }
        // One body of a method is enough, but each write that the run names is one of its own.
        if (world.writes.length === 0) break;
      }
    }
    if (guarded.length === 0) {
      const needs = '--write-request';
      judge.skip(['no-token', 'status', 'bad-token'], NO_WRITE, { needs });
    }
    for (const [what, value] of await badTokens()) {
      for (const write of guarded) await judgeBad(what, write, await writes.send(write, value));
    }

    async function judgeBad(what: string, write: WriteRequest, answer: Answer): Promise<void> {
      const outcome = await writes.outcome(write, answer);
      if (outcome === 'unknown') return;
      const more = { case: `${what}, ${described(write)}` };
      judge.table(answer, { 'bad-token': { ok: outcome === 'refused' } }, more);
    }

    async function badTokens(): Promise<readonly (readonly [what: string, value: string])[]> {
      const unknown = ['an unknown token', world.invented.token()] as const;
      if (guarded.length === 0 || world.facts.revocationEndpoint === undefined) return [unknown];
      const revoked = await world.accessToken(await someAssertion(world));
      await world.client.revoke(revoked);
      // One that a read takes too is a finding about revocation, and about no write.
      const isEnded = (await world.client.call(revoked)).status === 401;
      return isEnded ? [unknown, ['a revoked token', revoked]] : [unknown];
    }
  },
});

/** Where an agent gets a token without a user. @throws CannotTest when it is answered as none would be. */
async function mustKnowTokens(world: ServiceWorld): Promise<void> {
  if (world.facts.resource === undefined) return;
  const assertion = await someAssertion(world).catch((error: unknown) => {
    if (error instanceof NotApplicable) return undefined;
    throw error;
  });
  if (assertion === undefined) return;
  const answer = await world.client.call(await world.accessToken(assertion));
  if (answer.status !== 401) return;
  throw new CannotTest(
    `A call with a fresh access token was refused (${answer.describe()}), so that a refusal without one says nothing.`,
  );
}
