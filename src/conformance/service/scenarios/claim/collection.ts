import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, shownBy } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';

const PARALLEL = 20;

export const collection = serviceScenario({
  id: 'collection',
  title: 'A claim is completed while nobody polls, then collected, more than once',
  checks: {
    parallel: 'Polls at the same time deliver one assertion: the same to each, or to one of them.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client } = world;
    await judgeRace();
    async function complete(): Promise<OpenClaim> {
      const open = await openClaim(world, world.userEmail());
      await decideClaim(world, { ...open.claim, email: open.email, decision: 'approve' });
      return open;
    }

    async function judgeRace(): Promise<void> {
      const { claimToken } = await complete();
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, () => client.poll(claimToken)),
      );
      const deliveries = answers.filter(isGranted);
      const [one] = deliveries;
      if (one === undefined) return judge.skip('parallel', 'Nothing could be collected.');
      const ids = new Set(deliveries.map((answer) => textOf(answer)));
      const different = `${ids.size} different assertions by ${PARALLEL} polls`;
      judge.expect('parallel', ids.size === 1, different, shownBy(one));
    }
  },
});

function assertionOf(answer: Answer): OpenedJwt | undefined {
  return openJwt(answer.string('identity_assertion') ?? '');
}

/** What tells assertions apart: the jti, or all of an opaque one. */
function textOf(answer: Answer): unknown {
  return assertionOf(answer)?.claims['jti'] ?? answer.string('identity_assertion');
}
