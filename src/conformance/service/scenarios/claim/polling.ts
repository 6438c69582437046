import { CLAIM_GRANT_ENDINGS, SECOND } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge.ts';
import { errorCode, refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-world.ts';
import {
  granted,
  isGranted,
  isPending,
  notGranted,
  notLimited,
  pending,
  shownBy,
} from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { mustBePending, mustCompleteClaims } from '../../steps/controls.ts';
import { decideClaim, openClaim } from '../../steps/open-claim.ts';
import { mustLast, pollOpen } from '../../steps/polls.ts';

/** RFC 8628 §3.2: without an interval, clients poll every five seconds. */
const USUAL_INTERVAL = 5;
const STEP = 5;

const authorizationPending = errorCode('authorization_pending');
const slowDown = errorCode('slow_down');

export const polling = serviceScenario({
  id: 'polling',
  title: 'An agent polls too fast, then at the interval of the service',
  checks: {
    'first-poll': 'The first poll of an attempt is never too early.',
    'slow-down': 'A poll right after another is answered slow_down.',
    raised: 'With slow_down the interval is five seconds longer, also for later polls.',
    pace: 'A poll at the interval is answered authorization_pending.',
    'final-at-once': 'An early poll of a completed claim is answered with the tokens.',
    shape: 'What a poll is refused with is 400 and JSON with error.',
    'every-grant': 'Each claim grant that the metadata lists is answered authorization_pending.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken } = await openClaim(world, world.userEmail());
    const interval = claim.interval ?? USUAL_INTERVAL;
    const poll = async () => {
      const answer = await client.poll(claimToken);
      const isError = answer.status === 400 && answer.string('error') !== undefined;
      judge.expect('shape', isGranted(answer) || isError, answer);
      return answer;
    };

    await pollByEveryGrant();
    await pollCompletedClaim();
    judge.table(await poll(), { 'first-poll': authorizationPending });
    const slows = judge.table(await poll(), { 'slow-down': slowDown });
    await wait(slows ? interval + STEP : interval);
    judge.table(await poll(), { pace: authorizationPending });
    if (slows) {
      await judgePart(judge, 'raised', judgeRaised);
    } else {
      judge.skip('raised', 'The service never answers slow_down.');
    }

    async function wait(seconds: number): Promise<void> {
      mustLast(world, claimToken, seconds * SECOND);
      await time.pass(seconds * SECOND);
      mustLast(world, claimToken);
    }

    /** Judges the raised interval, once more where others kept the suite for longer than it. */
    async function judgeRaised(): Promise<void> {
      for (let n = 0; n < 2; n += 1) {
        const before = time.now();
        await wait(interval);
        const seconds = (time.now() - before) / SECOND;
        const answer = await poll();
        if (seconds >= interval + STEP - 1) continue;
        const more = { case: `${Math.round(seconds)} s after the last poll` };
        return void judge.table(answer, { raised: slowDown }, more);
      }
      judge.untestable('raised', 'The suite could not poll again early enough.');
    }

    async function pollByEveryGrant(): Promise<void> {
      const other = await openClaim(world, world.userEmail());
      for (const grant of world.facts.grantTypes) {
        if (!CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending))) continue;
        const answer = await client.token({ grant_type: grant, claim_token: other.claimToken });
        judge.table(answer, { 'every-grant': pending }, { case: grant });
      }
    }

    async function pollCompletedClaim(): Promise<void> {
      const other = await openClaim(world, world.userEmail());
      await client.poll(other.claimToken);
      await decideClaim(world, { ...other.claim, email: other.email, decision: 'approve' });
      judge.table(await client.poll(other.claimToken), { 'final-at-once': granted });
    }
  },
});

export const unknownClaims = serviceScenario({
  id: 'unknown-claims',
  title: 'A claim token opens its own registration, and an invented one none',
  checks: {
    'unknown-refused':
      'A poll with an invented claim token is refused, and not as authorization_pending or slow_down.',
    'no-query': 'What a database would take for a query is no claim token, and opens no claim.',
    'token-needed': 'A poll without a claim token is answered invalid_request.',
    'others-untouched': 'A completed claim completes no other registration of the same account.',
    'code-bound': 'A code completes the attempt that it was given for, and no other.',
  },
  waits: true,
  async run(judge, world) {
    const { client } = world;
    await mustCompleteClaims(world);
    const first = await openClaim(world);
    const second = await openClaim(world, first.email);
    await mustBePending(world, second.claimToken);
    const tampered = first.claimToken.slice(0, -5) + world.invented.token().slice(-5);
    for (const token of [tampered, world.invented.token(), `${first.claimToken}x`]) {
      const answer = notLimited(await client.poll(token));
      judge.table(answer, {
        'unknown-refused': { ok: answer.refused && !isPending(answer) },
      });
    }
    // As a member that is an object, or by the names that some readers of forms make one of. Each fits the own token alone.
    const own = first.claimToken;
    for (const token of [{ $eq: own }, { $gte: own, $lte: own }, `${own.slice(0, -4)}%`]) {
      const body = { claim_token: token, email: first.email };
      const answer = await client.postJson(client.endpoint('claimEndpoint'), body);
      judge.table(answer, { 'no-query': refused }, { case: shapeOf(token) });
    }
    for (const name of ['claim_token[$eq]', 'claim_token[$gte]']) {
      const grant = { grant_type: world.facts.claimGrant ?? '', [name]: own };
      const answer = notLimited(await client.token(grant));
      judge.table(answer, { 'no-query': { ok: !answer.ok && !isPending(answer) } }, { case: name });
    }
    const without = await client.token({ grant_type: world.facts.claimGrant ?? '' });
    judge.table(without, { 'token-needed': errorCode('invalid_request') });

    if (first.claim.verificationUri === second.claim.verificationUri) {
      judge.skip('code-bound', 'The link is the same for all: the code alone names the attempt.');
    } else if (first.claim.userCode !== second.claim.userCode) {
      const session = await ClaimPageSession.open(world, second.claim, first.email);
      const typed = shownBy(await session.approve(first.claim.userCode));
      for (const { claimToken } of [first, second]) {
        const polled = await pollOpen(world, claimToken);
        if (!judge.table(polled, { 'code-bound': notGranted }, typed)) return;
      }
    }
    const owner = await ClaimPageSession.open(world, first.claim, first.email);
    await owner.approve(first.claim.userCode);
    const other = await pollOpen(world, second.claimToken);
    judge.table(other, { 'others-untouched': notGranted });
  },
});

/** What a query looks like, without the token in it. */
function shapeOf(query: object | string): string {
  return typeof query === 'string'
    ? 'a pattern'
    : `an object with ${Object.keys(query).join(', ')}`;
}
