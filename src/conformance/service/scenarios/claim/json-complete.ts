import { is, isText, member, refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { error, granted, shownBy } from '../../steps/answers.ts';
import { KeptOut } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

/** With two more, these would end an attempt if they counted. */
const MANY = [1, 2, 3];

export const jsonComplete = serviceScenario({
  id: 'json-complete',
  title: 'A script completes a claim as JSON, with session and CSRF token',
  checks: {
    described: 'As JSON the claim page has registration_type, scopes and csrf_token.',
    'nobody-completes': 'Without a signed-in user the right code completes nothing.',
    'nobody-code': 'A code without a signed-in user is answered 401 login_required.',
    'wrong-code': 'A wrong code is answered 400 invalid_user_code.',
    'tries-left': 'The attempts_remaining of each wrong code is one less than before.',
    'malformed-free': 'What cannot be a code does not count as a try.',
    'malformed-request': 'A body without its members is refused.',
    'unknown-link': 'An unknown attempt is answered 404 invalid_claim_attempt.',
    'other-account': 'Another account is answered 403 wrong_account.',
    completed: 'The right code is answered 200 with status claimed and the registration_id.',
    repeated: 'The right code, sent again by the same account, is answered the same.',
    'claimed-before':
      'A denial, or another account, after the claim is answered 409 already_claimed.',
  },
  async run(judge, world) {
    // Each part has a registration of its own: tries of one are no tries of the next.
    const open = async () => {
      const one = await world.byEmail();
      return { ...one, mine: await JsonCompletion.open(world, one.claim, one.email) };
    };
    await judgeWrongCodes();
    await judgeWhatIsNoCode();
    await judgeOthers();
    await judgeRightCode();

    /** @throws NotApplicable where no JSON is taken. */
    async function judgeWrongCodes(): Promise<void> {
      const { claim, mine } = await open();
      const [wrong = '', otherWrong = ''] = wrongCodes(claim.userCode, 2);
      const first = await mine.submit(wrong);
      mine.needJson(first);
      judge.table(first, { 'wrong-code': error(400, 'invalid_user_code') });
      const second = await mine.submit(otherWrong);
      if (second.errorCode !== first.errorCode) {
        return judge.skip('tries-left', `One wrong code ends an attempt (${second.describe()}).`);
      }
      const [left, next] = [first, second].map((answer) => answer.member('attempts_remaining'));
      const isOneLess = typeof left === 'number' && next === left - 1;
      judge.expect('tries-left', isOneLess, JSON.stringify([left, next]), shownBy(second));
    }

    async function judgeWhatIsNoCode(): Promise<void> {
      const { claim, claimToken, mine } = await open();
      for (const [what, body] of [
        ['no members', {}],
        ['user_code as a number', { user_code: 123456 }],
        ['user_code as null', { user_code: null }],
      ] as const) {
        judge.table(await mine.post(body), { 'malformed-request': refused }, { case: what });
      }
      // More than any service gives tries.
      const { invented } = world;
      const odd = ['', '1', `${claim.userCode}0`, ...MANY.map(() => invented.name())];
      for (const each of odd) await mine.submit(each);
      const typed = shownBy(await mine.submit(claim.userCode));
      const polled = await pollPatiently(world, claimToken);
      judge.table(polled, { 'malformed-free': granted }, typed);
    }

    async function judgeOthers(): Promise<void> {
      const { claim, claimToken, mine } = await open();
      const nobody = await mine.withoutSession(world).submit(claim.userCode);
      judge.table(nobody, { 'nobody-code': error(401, 'login_required') });
      const polled = await pollPatiently(world, claimToken);
      const keptOut = new KeptOut(judge);
      keptOut.tried('nobody-completes', polled, shownBy(nobody));
      const unknown = mine.withAttempt(`cat_${world.invented.token()}`);
      const rows = { 'unknown-link': error(404, 'invalid_claim_attempt') };
      judge.table(await unknown.submit(claim.userCode), rows);
      await mine.submit(claim.userCode);
      keptOut.end(await pollPatiently(world, claimToken));
    }

    async function judgeRightCode(): Promise<void> {
      const { answer: registered, claim, mine } = await open();
      judge.table(await mine.read(), {
        described: [
          member('registration_type', is('service_auth')),
          member('scopes', Array.isArray),
          member('csrf_token', isText),
        ],
      });
      const stranger = await mine.inSessionOf(world, claim, world.freshEmail());
      const strange = await stranger.submit(claim.userCode);
      judge.table(strange, { 'other-account': error(403, 'wrong_account') });
      const isClaimed = [
        status(200),
        member('status', is('claimed')),
        (answer: Answer) => ({
          ok: answer.string('registration_id') === registered.string('registration_id'),
        }),
      ];
      judge.table(await mine.submit(claim.userCode), { completed: isClaimed });
      judge.table(await mine.submit(claim.userCode), { repeated: isClaimed });
      for (const late of [await mine.deny(), await stranger.submit(claim.userCode)]) {
        judge.table(late, { 'claimed-before': error(409, 'already_claimed') });
      }
    }
  },
});
