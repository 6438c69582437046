import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { windowLeft } from '../../steps/claim-window.ts';
import { Completion } from '../../steps/json-completion.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

const TRIES = 5;

export const jsonRefusals = serviceScenario({
  id: 'json-refusals',
  title: 'A script meets claims that were denied, burnt, or are over',
  checks: {
    denied: 'A denial is answered 200 with status denied, also when it is repeated.',
    'after-denial': 'A code for a denied attempt is answered 410 claim_attempt_expired.',
    burnt: 'The right code for a burnt attempt is answered 429 too_many_attempts.',
    replaced: 'A code for a replaced attempt is answered 404 invalid_claim_attempt.',
    over: 'A code for an attempt that is over is answered 410 claim_attempt_expired.',
    'window-over': 'A code after the outer window is answered 410 claim_expired.',
  },
  async run(judge, world) {
    const isAs = (answer: Answer, status: number, code: string) =>
      answer.status === status && answer.errorCode === code;
    const open = async () => {
      const one = await world.byEmail();
      return { ...one, completion: await Completion.open(world, one.claim, one.email) };
    };

    const denied = await open();
    const no = await denied.completion.deny();
    Completion.needJson(no);
    for (const answer of [no, await denied.completion.deny()]) {
      judge.expect('denied', answer.status === 200 && answer.string('status') === 'denied', answer);
    }
    const undone = await denied.completion.submit(denied.claim.userCode);
    judge.expect('after-denial', isAs(undone, 410, 'claim_attempt_expired'), undone);

    const burnt = await open();
    for (const code of wrongCodes(burnt.claim.userCode, TRIES)) await burnt.completion.submit(code);
    const late = await burnt.completion.submit(burnt.claim.userCode);
    judge.expect('burnt', isAs(late, 429, 'too_many_attempts'), late);

    const replaced = await open();
    await world.client.startClaim(replaced.claimToken, replaced.email);
    const old = await replaced.completion.submit(replaced.claim.userCode);
    judge.expect('replaced', isAs(old, 404, 'invalid_claim_attempt'), old);

    const over = await open();
    if (over.claim.expiresIn === undefined) {
      throw new NotApplicable('The claim does not say in expires_in how long it lives.');
    }
    await world.time.pass((over.claim.expiresIn + 1) * SECOND);
    const answer = await over.completion.submit(over.claim.userCode);
    judge.expect('over', isAs(answer, 410, 'claim_attempt_expired'), answer);

    const last = await world.byEmail();
    await world.time.pass(windowLeft(last.answer, world) - MINUTE);
    const claim = await world.openClaim(last.claimToken, last.email);
    const completion = await Completion.open(world, claim, last.email);
    await world.time.pass(MINUTE + SECOND);
    const tooLate = await completion.submit(claim.userCode);
    judge.expect('window-over', isAs(tooLate, 410, 'claim_expired'), tooLate);
  },
});
