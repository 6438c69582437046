import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import { CannotTest } from '../../../engine/judge.ts';
import { errorCode } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type OpenedJwt, openJwt } from '../../../jwt/open.ts';
import { judgeInTime } from '../../../target/timeline.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, isGranted, shownBy } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { toldEnd } from '../../told-end.ts';

const PARALLEL = 20;
/** Well within, and well beyond, the ten minutes of the wire contract. */
const [WITHIN, BEYOND] = [5 * MINUTE, 11 * MINUTE];
/** How far beyond its end something is over, whatever the clocks. */
const MARGIN = 5 * SECOND;

export const collection = serviceScenario({
  id: 'collection',
  title: 'A claim is completed while nobody polls, then collected, more than once',
  checks: {
    away: 'A claim that was completed while nobody polled is delivered by the next poll.',
    parallel: 'Polls at the same time deliver one assertion: the same to each, or to one of them.',
    'one-token': 'Of the access tokens of repeated polls only the latest works.',
    redelivered: 'A poll within the redelivery time delivers again.',
    'same-assertion': 'A repeated poll delivers the same assertion: the same jti, iat and exp.',
    'assertion-expires': 'The assertion_expires of a poll is the exp of its assertion.',
    over: 'After the redelivery time a poll is answered invalid_grant.',
    lasting: 'The delivered assertion outlives the access token that came with it.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client, time } = world;
    await judgeRace();
    const delivered = await complete();
    const first = await pollPatiently(world, delivered.claimToken);
    if (!isGranted(first)) {
      throw new CannotTest(`A completed claim is not delivered (${first.describe()}).`);
    }
    const began = time.now();
    const expires = toldEnd(first, 'assertion_expires', { now: began }) ?? Number.NaN;
    const exp = Number(assertionOf(first)?.claims['exp']);
    // Only a JWT says itself when it expires.
    const isTold = Number.isNaN(exp) ? expires > began : Math.abs(expires / SECOND - exp) < 2;
    judge.expect('assertion-expires', isTold, first);
    await judgeAgain('at once');

    // Nobody polls this one until its attempt has ended.
    const opened = time.now();
    const unpolled = await complete();
    const { expiresIn = 600 } = unpolled.claim;
    const lifetime = first.member('expires_in');
    const tokenEnd = began + (typeof lifetime === 'number' ? lifetime * SECOND : 0);
    await judgeInTime(judge, time, [
      {
        at: opened + expiresIn * SECOND + MARGIN,
        checks: 'away',
        run: async () => {
          judge.table(await pollPatiently(world, unpolled.claimToken), { away: granted });
        },
      },
      {
        at: began + WITHIN,
        checks: ['redelivered', 'same-assertion'],
        run: () => judgeAgain('after five minutes'),
      },
      // No answer says how long a claim can be collected again: it may be over long before.
      { at: began + time.most(BEYOND), checks: 'over', run: judgeOver },
      { at: tokenEnd, checks: 'lasting', run: judgeLasting },
    ]);

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

    async function judgeAgain(when: string): Promise<void> {
      const again = await pollPatiently(world, delivered.claimToken);
      if (!judge.table(again, { redelivered: granted }, { case: when })) {
        return judge.skip(['same-assertion', 'one-token'], 'The service delivers a claim once.');
      }
      const [before, after] = [timesOf(first), timesOf(again)];
      const { exchange } = again;
      judge.expect('same-assertion', after === before, `${after} after ${before}`, { exchange });
      await judgeTokens([first, again]);
    }

    /** The last one delivered has to work, and no other. */
    async function judgeTokens(answers: readonly Answer[]): Promise<void> {
      if (world.facts.resource === undefined) {
        const none = whyNoResource(world.facts);
        return judge.skip('one-token', none.reason, none);
      }
      const tokens = [...new Set(answers.map((answer) => answer.string('access_token') ?? ''))];
      let working = 0;
      for (const token of tokens) {
        if ((await client.call(token)).status !== 401) working += 1;
      }
      judge.expect('one-token', working === 1, `${working} of ${tokens.length} tokens work`);
    }

    async function judgeOver(): Promise<void> {
      const over = errorCode('invalid_grant');
      const ask = () => pollPatiently(world, delivered.claimToken);
      const limit = time.now() < began + BEYOND ? BEYOND : 0;
      const late = await time.askUntil(limit, ask, (answer) => over(answer).ok, began);
      judge.table(late, { over });
    }

    async function judgeLasting(): Promise<void> {
      const end = Number.isNaN(exp) ? expires : exp * SECOND;
      if (end >= tokenEnd && time.now() >= end) {
        throw new CannotTest('The assertion ended before the suite could exchange it.');
      }
      const exchanged = await client.exchange(first.string('identity_assertion') ?? '');
      judge.table(exchanged, { lasting: granted });
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

function timesOf(answer: Answer): string {
  const { jti, iat, exp } = assertionOf(answer)?.claims ?? {};
  return `jti ${String(jti)}, iat ${String(iat)}, exp ${String(exp)}`;
}
