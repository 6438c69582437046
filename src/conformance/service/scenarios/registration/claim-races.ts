import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { Completion } from '../../steps/json-completion.ts';
import { isGranted, isPending, pollPatiently } from '../../steps/polls.ts';
import { codeBits, LONG_CODE_BITS, wrongCodes } from '../../steps/user-codes.ts';

const ROUNDS = 4;
const GUESSES = 25;

export const claimRaces = serviceScenario({
  id: 'claim-races',
  title: 'Several things happen to one claim at the same moment',
  checks: {
    'reopen-or-complete': 'Of completing and re-opening at once, one wins.',
    'deny-or-complete': 'Of approving and denying at once, one wins, and it stays that way.',
    'twice-completed': 'A code sent twice at once completes one claim.',
    'guesses-counted': 'Wrong codes that arrive at the same moment all count.',
  },
  async run(judge, world) {
    const { client } = world;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await reopenOrComplete())) break;
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await denyOrComplete())) break;
    }
    await twice();
    await guesses();
    // Last: a service that takes forms alone ends the story here.
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await denyOrCompleteByScript())) break;
    }

    async function reopenOrComplete(): Promise<boolean> {
      const { claim, claimToken, email } = await world.byEmail();
      const seat = await ClaimPageSession.take(world, claim, email);
      const [typed, started] = await Promise.all([
        seat.type(claim.userCode),
        client.startClaim(claimToken, email),
      ]);
      const polled = await pollPatiently(world, claimToken);
      const both = isGranted(polled) && readClaimBlock(started) !== undefined;
      if (both && readClaimBlock(await client.startClaim(claimToken, email)) !== undefined) {
        judge.skip('reopen-or-complete', 'The service opens attempts for what is claimed anyway.');
        return false;
      }
      return judge.expect(
        'reopen-or-complete',
        !both,
        'a claim by the code of the attempt that the fresh one had replaced',
        { exchange: typed.exchange },
      );
    }

    async function denyOrComplete(): Promise<boolean> {
      const { claim, claimToken, email } = await world.byEmail();
      const [one, other] = [
        await ClaimPageSession.take(world, claim, email),
        await ClaimPageSession.take(world, claim, email),
      ];
      const [typed] = await Promise.all([one.type(claim.userCode), other.deny()]);
      const first = await pollPatiently(world, claimToken);
      const second = await pollPatiently(world, claimToken);
      const turned = isGranted(first)
        ? second.errorCode === 'access_denied'
        : first.errorCode === 'access_denied' && (isGranted(second) || isPending(second));
      return judge.expect(
        'deny-or-complete',
        !turned,
        `${first.describe()}, then ${second.describe()}`,
        { exchange: typed.exchange },
      );
    }

    /** As JSON both say in so many words what became of them. */
    async function denyOrCompleteByScript(): Promise<boolean> {
      const { claim, email } = await world.byEmail();
      const one = await Completion.open(world, claim, email);
      const other = await Completion.open(world, claim, email);
      const [approved, denied] = await Promise.all([one.submit(claim.userCode), other.deny()]);
      const both = approved.string('status') === 'claimed' && denied.string('status') === 'denied';
      return judge.expect('deny-or-complete', !both, denied);
    }

    async function twice(): Promise<void> {
      const { claim, claimToken, email } = await world.byEmail();
      const seats = [
        await ClaimPageSession.take(world, claim, email),
        await ClaimPageSession.take(world, claim, email),
      ];
      await Promise.all(seats.map((seat) => seat.type(claim.userCode)));
      const polled = await pollPatiently(world, claimToken);
      judge.expect('twice-completed', isGranted(polled), polled);
      const assertion = polled.string('identity_assertion');
      if (assertion === undefined) return;
      const exchanged = await client.exchange(assertion);
      judge.expect('twice-completed', isGranted(exchanged), exchanged);
    }

    async function guesses(): Promise<void> {
      const { claim, claimToken, email } = await world.byEmail();
      const isLong = codeBits(claim.userCode) >= LONG_CODE_BITS;
      const seat = await ClaimPageSession.take(world, claim, email);
      const codes = wrongCodes(claim.userCode, GUESSES);
      await Promise.all(codes.map((code) => seat.type(code)));
      const typed = await seat.type(claim.userCode);
      const polled = await pollPatiently(world, claimToken);
      judge.expect('guesses-counted', !isGranted(polled), polled, {
        expected: `no claim after ${codes.length} wrong codes at the same moment`,
        exchange: typed.exchange,
        warn: isLong,
      });
    }
  },
});
