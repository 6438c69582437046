import type { Answer } from '../../../http/answer.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decide } from '../../../user/form-user.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-world.ts';
import { hasAccessOf } from '../../steps/account-access.ts';
import { granted, isGranted, isPending, notGranted } from '../../steps/answers.ts';
import { ClaimPageSession, forgedPage, openClaimPage } from '../../steps/claim-page-session.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { approveAt, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { codeBits, LONG_CODE, LONG_CODE_BITS, wrongCodes } from '../../steps/user-codes.ts';

const ROUNDS = 4;
const GUESSES = 25;

async function untilOneFails(round: () => Promise<boolean>, rounds = ROUNDS): Promise<void> {
  for (let n = 0; n < rounds; n += 1) if (!(await round())) break;
}

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
  resting: { 'wrong-codes.burnt': ['guesses-counted'] },
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
      return judge.expect('reopen-or-complete', !both, seen, typed);
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
      return judge.expect('deny-or-complete', !changed, seen, typed);
    }

    /** Denies and completes as a script does: as JSON both answers say what became of them. */
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

/** How many rounds of two users are tried, each in both orders. */
const OTHER_USER_ROUNDS = 2;
const EXCHANGES = 8;

export const ownerRaces = serviceScenario({
  id: 'owner-races',
  title: 'Something else happens at the moment in which the owner of a claim decides',
  checks: {
    'wrong-code': 'A claim that its owner approves while a wrong code arrives is completed.',
    stranger: 'What another account sends while the owner decides changes nothing.',
    'another-email':
      'A claim that its owner approves while it is opened for another email is of one account alone.',
    exchange: 'No token of the first assertion, exchanged while the claim completed, outlives it.',
  },
  resting: {
    'wrong-account.form-refused': ['stranger'],
    'wrong-account.not-claimed': ['stranger'],
  },
  costly: true,
  async run(judge, world) {
    const { client } = world;
    await mustCompleteClaims(world);
    await untilOneFails(approveOrErr);
    await untilOneFails(() => decideBesideOtherUser('deny'), OTHER_USER_ROUNDS);
    await untilOneFails(() => decideBesideOtherUser('approve'), OTHER_USER_ROUNDS);
    if (!world.facts.identityTypes.includes('anonymous')) {
      const reason = 'The service does not offer anonymous.';
      return judge.skip(['another-email', 'exchange'], reason);
    }
    await untilOneFails(approveOrCorrect);
    await approveOrExchange();

    async function approveOrErr(): Promise<boolean> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const owner = await ClaimPageSession.open(world, claim, email);
      const other = await ClaimPageSession.open(world, claim, email);
      const [wrong = ''] = wrongCodes(claim.userCode, 1);
      const [, typed] = await Promise.all([other.approve(wrong), owner.approve(claim.userCode)]);
      let polled = await pollPatiently(world, claimToken);
      if (isPending(polled) && isTurnedAway(typed, owner)) {
        // Told that it did not go through, its owner tries again.
        await (await ClaimPageSession.open(world, claim, email)).approve(claim.userCode);
        polled = await pollPatiently(world, claimToken);
      }
      return judge.expect('wrong-code', isGranted(polled), polled, typed);
    }

    /** The owner's decision, and that of another account that has link, code and form. */
    async function decideBesideOtherUser(decision: 'approve' | 'deny'): Promise<boolean> {
      for (const isFirst of [true, false]) {
        const { claim, claimToken, email } = await openClaim(world);
        const { userCode } = claim;
        const owner = await ClaimPageSession.open(world, claim, email);
        const otherEmail = world.freshEmail();
        const strange = await openClaimPage(world, claim.verificationUri, otherEmail);
        const forged = forgedPage(owner.page, strange.page);
        const form = forged.forms.find(asksForCode);
        if (form === undefined || !owner.canDeny) {
          judge.skip('stranger', new NoDenial().message);
          return false;
        }
        const opposite = decision === 'deny' ? 'approve' : 'deny';
        const task = { userCode, decision: opposite, email: otherEmail } as const;
        const theirs = () => decide(strange.visitor, forged, form, task);
        const own = () => (decision === 'deny' ? owner.deny() : owner.approve(userCode));
        const first = isFirst ? theirs() : own();
        await Promise.all([first, isFirst ? own() : theirs()]);
        const polled = await pollPatiently(world, claimToken);
        const isTheirs =
          decision === 'deny' ? isGranted(polled) : polled.errorCode === 'access_denied';
        const what = { case: `the owner sends ${decision}, another account ${opposite}` };
        if (!judge.expect('stranger', !isTheirs, polled, what)) return false;
      }
      return true;
    }

    async function approveOrCorrect(): Promise<boolean> {
      const { claimToken } = await world.anonymous();
      const email = world.freshEmail();
      const otherEmail = world.freshEmail();
      const claim = await world.openClaim(claimToken, email);
      const owner = await ClaimPageSession.open(world, claim, email);
      const [started, typed] = await Promise.all([
        client.startClaim(claimToken, otherEmail),
        owner.approve(claim.userCode),
      ]);
      const polled = await pollPatiently(world, claimToken);
      if (!isGranted(polled)) {
        const seen = 'The attempt for the other email won.';
        return judge.expect('another-email', true, seen);
      }
      const fresh = readClaimBlock(started);
      if (fresh !== undefined) await approveAt(world, fresh, otherEmail);
      const isMixed = await hasAccessOf(world, await pollPatiently(world, claimToken), otherEmail);
      const seen = 'a claim that its owner completed, under the email of somebody else';
      return judge.expect('another-email', !isMixed, seen, typed);
    }

    async function approveOrExchange(): Promise<void> {
      if (world.facts.resource === undefined) {
        const none = whyNoResource(world.facts);
        return judge.skip('exchange', none.reason, none);
      }
      const { assertion, claimToken } = await world.anonymous();
      const email = world.freshEmail();
      const claim = await world.openClaim(claimToken, email);
      const owner = await ClaimPageSession.open(world, claim, email);
      const before = await world.accessToken(assertion);
      const [, ...exchanged] = await Promise.all([
        owner.approve(claim.userCode),
        ...Array.from({ length: EXCHANGES }, () => client.exchange(assertion)),
      ]);
      if ((await client.call(before)).status !== 401) {
        const reason = 'Tokens from before a claim outlive it: anonymous.pre-claim-token-dead.';
        return judge.skip('exchange', reason);
      }
      if (isGranted(await client.exchange(assertion))) {
        const reason = 'The first assertion outlives a claim: anonymous.first-assertion-refused.';
        return judge.skip('exchange', reason);
      }
      for (const answer of exchanged.filter(isGranted)) {
        const called = await client.call(answer.string('access_token'));
        judge.expect('exchange', called.status === 401, called, answer);
      }
      judge.expect('exchange', true, 'no token');
    }
  },
});

/**
 * Whether the page said that an approval did not go through. Where an account has one session at a time, it
 * asks to sign in.
 */
function isTurnedAway(typed: Answer, session: ClaimPageSession): boolean {
  return !typed.ok || session.asksForCode || session.asksToSignIn;
}
