import { CannotTest } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { isGranted, pollPatiently } from '../../steps/polls.ts';
import { codeBits, wrongCodes as codesUnlike, LONG_CODE_BITS } from '../../steps/user-codes.ts';

/** More than any careful service allows on one attempt. */
const MANY = 20;
/** As many as the wire contract allows on one attempt, and on one registration. */
const [PER_ATTEMPT, PER_REGISTRATION] = [5, 20];

export const wrongCodes = serviceScenario({
  id: 'wrong-codes',
  title: 'Somebody guesses codes',
  checks: {
    'nothing-claimed': 'A wrong code completes nothing.',
    'may-err': 'After one wrong code the right one still completes the claim.',
    burnt:
      'After many wrong codes an attempt takes the right one neither, in a new session neither.',
    'burnt-by-five': 'Five wrong codes are enough for that.',
    'burnt-poll': 'A poll of a burnt attempt is answered expired_token.',
    reopened: 'A fresh attempt can be opened after an attempt is burnt.',
    'overall-limit': 'After 20 wrong codes over several attempts no further one is opened.',
    'overall-code': 'That is answered 429 too_many_attempts.',
  },
  async run(judge, world) {
    const { client } = world;
    if (!(await erring())) return;
    const { claim, claimToken, email } = await world.byEmail();
    const isLong = codeBits(claim.userCode) >= LONG_CODE_BITS;
    const tries = await burn(claim, MANY);
    // Somebody who guesses can sign in anew for every try.
    const fresh = await seatIfAny(claim.verificationUri);
    const typed = await (fresh ?? tries.seat).type(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const guessed = !judge.expect(
      'burnt',
      !isGranted(polled),
      // Such a code is not found in a few dozen tries, whatever the limit is.
      polled,
      {
        expected: `no claim after ${tries.count} wrong codes`,
        exchange: typed.exchange,
        warn: isLong,
      },
    );
    judge.expect(
      'burnt-by-five',
      !guessed && tries.count <= PER_ATTEMPT,
      guessed ? 'no end' : `an end after ${tries.count} wrong codes`,
      { expected: `an end after ${PER_ATTEMPT} wrong codes`, exchange: typed.exchange },
    );
    if (guessed) return;
    judge.expect('burnt-poll', polled.errorCode === 'expired_token', polled);
    await overall(tries.count);

    async function erring(): Promise<boolean> {
      const one = await world.byEmail();
      const seat = await ClaimPageSession.take(world, one.claim, one.email);
      const typed = await seat.type(codesUnlike(one.claim.userCode, 1)[0] ?? '');
      const polled = await pollPatiently(world, one.claimToken);
      judge.expect('nothing-claimed', !isGranted(polled), polled, { exchange: typed.exchange });
      if (isGranted(polled)) return false;
      await seat.type(one.claim.userCode);
      const claimed = await pollPatiently(world, one.claimToken);
      judge.expect('may-err', isGranted(claimed), claimed);
      return true;
    }

    /**
     * Types wrong codes until no page asks for one any more, or there were enough. A page that does not
     * ask again may be followed by one that does: who guesses opens the link anew.
     */
    async function burn({ verificationUri, userCode }: typeof claim, most: number) {
      let seat = await ClaimPageSession.take(world, { verificationUri }, email);
      let count = 0;
      for (const code of codesUnlike(userCode, most)) {
        await seat.type(code);
        count += 1;
        const next = seat.asked ? seat : await seatIfAny(verificationUri);
        if (next === undefined) break;
        seat = next;
      }
      return { seat, count };
    }

    async function seatIfAny(verificationUri: string): Promise<ClaimPageSession | undefined> {
      try {
        return await ClaimPageSession.take(world, { verificationUri }, email);
      } catch (error) {
        if (error instanceof CannotTest) return undefined;
        throw error;
      }
    }

    async function overall(already: number): Promise<void> {
      let wrong = already;
      for (let attempts = 1; attempts <= 2 * PER_REGISTRATION; attempts += 1) {
        const started = await client.startClaim(claimToken, email);
        const next = readClaimBlock(started);
        if (attempts === 1) {
          judge.expect('reopened', next !== undefined, started);
        }
        if (next === undefined) {
          if (attempts === 1) {
            judge.skip(
              ['overall-limit', 'overall-code'],
              'No attempt can be opened after one is burnt.',
            );
            return;
          }
          judge.expect(
            'overall-limit',
            wrong <= PER_REGISTRATION,
            // Where it ends is the service's choice, as long as it does.
            `an end after ${wrong} wrong codes`,
            {
              expected: `an end after ${PER_REGISTRATION} wrong codes`,
              exchange: started.exchange,
              warn: true,
            },
          );
          judge.expect(
            'overall-code',
            started.status === 429 && started.errorCode === 'too_many_attempts',
            started,
          );
          return;
        }
        if (wrong >= 2 * PER_REGISTRATION) break;
        wrong += (await burn(next, PER_ATTEMPT)).count;
      }
      judge.expect('overall-limit', false, `${wrong} wrong codes, and still a fresh attempt`, {
        expected: `an end after ${PER_REGISTRATION} wrong codes on one registration`,
        warn: isLong || wrong < 2 * PER_REGISTRATION,
      });
      judge.skip('overall-code', 'The service knows no such limit.');
    }
  },
});
