import { errorCode } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { KeptOut, mustCompleteClaims } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { decideClaim, type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

export const jsonComplete = serviceScenario({
  id: 'json-complete',
  title: 'A script completes a claim as JSON, with session and CSRF token',
  checks: {
    'nobody-completes': 'Without a signed-in user the right code completes nothing.',
  },
  async run(judge, world) {
    const { claim, claimToken, email } = await world.byEmail();
    const mine = await JsonCompletion.open(world, claim, email);
    const nobody = await mine.withoutSession(world).submit(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const keptOut = new KeptOut(judge);
    keptOut.tried('nobody-completes', polled, nobody);
    mine.needJson(await mine.submit(claim.userCode));
    keptOut.end(await pollPatiently(world, claimToken));
  },
});

export const denial = serviceScenario({
  id: 'denial',
  title: 'The user denies the claim',
  checks: {
    denied: 'A poll after the denial is answered access_denied.',
    'no-way-back': 'The code of a denied attempt completes nothing.',
  },
  restsOn: { 'no-way-back': 'denial.denied' },
  async run(judge, world) {
    await mustCompleteClaims(world);
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    const poll = () => pollPatiently(world, claimToken);
    const other = await ClaimPageSession.open(world, claim, email);
    await decideClaim(world, { ...claim, email, decision: 'deny' });
    judge.table(await poll(), { denied: errorCode('access_denied') });
    const typed = shownBy(await other.approve(claim.userCode));
    judge.table(await poll(), { 'no-way-back': notGranted }, typed);
  },
});

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
      judge.expect('parallel', ids.size === 1, different, one);
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
