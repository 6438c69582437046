import { SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { judgePart } from '../../../engine/judge-part.ts';
import { is, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { ClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { error } from '../../steps/answers.ts';
import { claimWindow } from '../../steps/claim-window.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

const TRIES = 5;

interface Late {
  readonly claim: ClaimBlock;
  readonly completion: JsonCompletion;
  readonly email: string;
}

export const jsonRefusals = serviceScenario({
  id: 'json-refusals',
  title: 'A script meets claims that were denied, or have ended',
  checks: {
    denied: 'A denial is answered 200 with status denied, also when it is repeated.',
    'after-denial': 'A code for a denied attempt is answered 410 claim_attempt_expired.',
    burnt: 'The right code after too many wrong ones is answered 429 too_many_attempts.',
    replaced: 'A code for a replaced attempt is answered 404 invalid_claim_attempt.',
    over: 'A code for an expired attempt is answered 410 claim_attempt_expired.',
    'window-over': 'A code after the outer window is answered 410 claim_expired.',
  },
  restsOn: {
    burnt: 'wrong-codes.burnt',
    denied: 'claim-page.deny-offered',
    'after-denial': 'claim-page.deny-offered',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const open = async () => {
      const one = await world.byEmail();
      const completion = await JsonCompletion.open(world, one.claim, one.email);
      return { ...one, completion, submit: () => completion.submit(one.claim.userCode) };
    };

    const denied = await open();
    const no = await denied.completion.deny();
    denied.completion.needJson(no);
    const isDenied = [status(200), member('status', is('denied'))];
    for (const answer of [no, await denied.completion.deny()]) {
      judge.table(answer, { denied: isDenied });
    }
    judge.table(await denied.submit(), { 'after-denial': error(410, 'claim_attempt_expired') });

    const burnt = await open();
    for (const code of wrongCodes(burnt.claim.userCode, TRIES)) await burnt.completion.submit(code);
    judge.table(await burnt.submit(), { burnt: error(429, 'too_many_attempts') });

    const replaced = await open();
    await world.client.startClaim(replaced.claimToken, replaced.email);
    judge.table(await replaced.submit(), { replaced: error(404, 'invalid_claim_attempt') });

    await judgePart(judge, 'over', judgeOver);
    await judgePart(judge, 'window-over', judgeWindowOver);

    async function judgeOver(): Promise<void> {
      const over = await open();
      if (over.claim.expiresIn === undefined) {
        throw new NotApplicable('The claim does not say in expires_in how long it lasts.');
      }
      await world.time.pass((over.claim.expiresIn + 1) * SECOND);
      judge.table(await submitLate(over), { over: error(410, 'claim_attempt_expired') });
    }

    async function judgeWindowOver(): Promise<void> {
      const last = await world.byEmail();
      const { end, nearly } = claimWindow(last.answer, world);
      await world.time.passTo(nearly);
      const claim = await world.openClaim(last.claimToken, last.email);
      const completion = await JsonCompletion.open(world, claim, last.email);
      await world.time.passTo(end + SECOND);
      const late = await submitLate({ claim, completion, email: last.email });
      judge.table(late, { 'window-over': error(410, 'claim_expired') });
    }

    /** In a new session of its user, where the old one has ended meanwhile. */
    async function submitLate({ claim, completion, email }: Late): Promise<Answer> {
      const late = await completion.submit(claim.userCode);
      if (late.errorCode !== undefined && late.status !== 401 && late.status !== 403) return late;
      const { claim: other } = await world.byEmail(email);
      const session = await JsonCompletion.open(world, other, email);
      return completion.inSession(session).submit(claim.userCode);
    }
  },
});
