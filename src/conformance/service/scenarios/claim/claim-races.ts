import { NoDenial } from '../../../user/own-reading.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, isGranted, isPending, notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { codeBits, LONG_CODE, LONG_CODE_BITS, wrongCodes } from '../../steps/user-codes.ts';

const ROUNDS = 4;
const GUESSES = 25;

export const claimRaces = serviceScenario({
  id: 'claim-races',
  title: 'Several things happen to one claim at the same time',
  checks: {
    'reopen-or-complete': 'Of completing and re-opening at the same time, one wins.',
    'deny-or-complete':
      'Of approving and denying at the same time, one wins, and the outcome does not change.',
    'twice-completed': 'A code that is sent twice at the same time completes one claim.',
    'guesses-counted': 'Wrong codes that arrive at the same time all count.',
  },
  restsOn: { 'guesses-counted': 'wrong-codes.burnt' },
  costly: true,
  async run(judge, world) {
    const { client } = world;
    await mustCompleteClaims(world);
    await untilOneFails(reopenOrComplete);
    await untilOneFails(denyOrComplete);
    await completeTwice();
    await guessInParallel();
    // Last: a service that takes forms alone ends the scenario here.
    await untilOneFails(denyOrCompleteByScript);

    async function untilOneFails(round: () => Promise<boolean>): Promise<void> {
      for (let n = 0; n < ROUNDS; n += 1) if (!(await round())) break;
    }

    /** A registration, and its owner on the claim page in several sessions. */
    async function openSessions(count: number) {
      const registered = await openClaim(world, world.userEmail());
      const { claim, email } = registered;
      const sessions: ClaimPageSession[] = [];
      for (let n = 0; n < count; n += 1) {
        sessions.push(await ClaimPageSession.open(world, claim, email));
      }
      return { ...registered, sessions };
    }

    async function reopenOrComplete(): Promise<boolean> {
      const { claim, claimToken, email, sessions } = await openSessions(1);
      const [typed, started] = await Promise.all([
        sessions[0]?.approve(claim.userCode),
        client.startClaim(claimToken, email),
      ]);
      const polled = await pollPatiently(world, claimToken);
      const both = isGranted(polled) && readClaimBlock(started) !== undefined;
      if (both && readClaimBlock(await client.startClaim(claimToken, email)) !== undefined) {
        judge.skip('reopen-or-complete', 'The service opens attempts for what is claimed anyway.');
        return false;
      }
      const seen = 'a claim by the code of the attempt that the fresh one had replaced';
      return judge.expect('reopen-or-complete', !both, seen, shownBy(typed));
    }

    async function denyOrComplete(): Promise<boolean> {
      const { claim, claimToken, sessions } = await openSessions(2);
      if (sessions[1]?.canDeny !== true) {
        judge.skip('deny-or-complete', new NoDenial().message);
        return false;
      }
      const [typed] = await Promise.all([
        sessions[0]?.approve(claim.userCode),
        sessions[1]?.deny(),
      ]);
      const first = await pollPatiently(world, claimToken);
      const second = await pollPatiently(world, claimToken);
      const changed = isGranted(first)
        ? second.errorCode === 'access_denied'
        : first.errorCode === 'access_denied' && (isGranted(second) || isPending(second));
      const seen = `${first.describe()}, then ${second.describe()}`;
      return judge.expect('deny-or-complete', !changed, seen, shownBy(typed));
    }

    /** As JSON both answers say what became of them. */
    async function denyOrCompleteByScript(): Promise<boolean> {
      const { claim, email } = await openClaim(world, world.userEmail());
      const one = await JsonCompletion.open(world, claim, email);
      const other = await JsonCompletion.open(world, claim, email);
      const [approved, denied] = await Promise.all([one.submit(claim.userCode), other.deny()]);
      one.needJson(approved);
      const both = approved.string('status') === 'claimed' && denied.string('status') === 'denied';
      return judge.expect('deny-or-complete', !both, denied);
    }

    async function completeTwice(): Promise<void> {
      const { claim, claimToken, sessions } = await openSessions(2);
      await Promise.all(sessions.map((session) => session.approve(claim.userCode)));
      const polled = await pollPatiently(world, claimToken);
      judge.table(polled, { 'twice-completed': granted }, { case: 'the poll' });
      const assertion = polled.string('identity_assertion');
      if (assertion === undefined) return;
      const exchanged = await client.exchange(assertion);
      judge.table(exchanged, { 'twice-completed': granted }, { case: 'the exchange' });
    }

    async function guessInParallel(): Promise<void> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const session = await ClaimPageSession.open(world, claim, email);
      const codes = wrongCodes(claim.userCode, GUESSES);
      await Promise.all(codes.map((code) => session.approve(code)));
      const { exchange } = await session.approve(claim.userCode);
      judge.table(
        await pollPatiently(world, claimToken),
        { 'guesses-counted': notGranted },
        {
          case: `the right code after ${codes.length} wrong ones`,
          exchange,
          reading: codeBits(claim.userCode) >= LONG_CODE_BITS ? LONG_CODE : undefined,
        },
      );
    }
  },
});
