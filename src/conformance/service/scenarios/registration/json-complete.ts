import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Completion } from '../../steps/json-completion.ts';
import { isGranted, pollPatiently } from '../../steps/polls.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

const TRIES = 5;

export const jsonComplete = serviceScenario({
  id: 'json-complete',
  title: 'A script completes a claim as JSON, with session and CSRF token',
  checks: {
    described: 'The claim page says as JSON what is asked for, and the CSRF token.',
    'nobody-completes': 'Without a signed-in user the right code completes nothing.',
    'nobody-code': 'That is answered 401 login_required.',
    'wrong-code': 'A wrong code is answered 400 invalid_user_code.',
    'tries-left': 'With it comes how many tries are left, one less each time.',
    'malformed-free': 'What cannot be a code does not count as a try.',
    'malformed-request': 'A body without its members is refused.',
    'unknown-link': 'An unknown attempt is answered 404 invalid_claim_attempt.',
    'other-account': 'Another account is answered 403 wrong_account.',
    completed: 'The right code is answered 200 with status claimed and the registration.',
    repeated: 'So is the same again, by the same account.',
    'claimed-before':
      'A denial, or another account, after the claim is answered 409 already_claimed.',
  },
  async run(judge, world) {
    const { claim, claimToken, email, answer: registered } = await world.byEmail();
    const mine = await Completion.open(world, claim, email);
    const [wrong = '', ...others] = wrongCodes(claim.userCode, TRIES - 1);
    const isAs = (answer: Answer, status: number, code: string) =>
      answer.status === status && answer.errorCode === code;

    const first = await mine.submit(wrong);
    Completion.needJson(first);
    judge.expect('wrong-code', isAs(first, 400, 'invalid_user_code'), first);
    const second = await mine.submit(others[0] ?? '');
    const [left, next] = [first, second].map((answer) => answer.member('attempts_remaining'));
    judge.expect(
      'tries-left',
      typeof left === 'number' && next === left - 1,
      `${JSON.stringify(left)}, then ${JSON.stringify(next)}`,
      { exchange: second.exchange },
    );
    const page = await mine.read();
    judge.expect(
      'described',
      page.string('registration_type') === 'service_auth' &&
        Array.isArray(page.member('scopes')) &&
        page.string('csrf_token') !== undefined,
      page,
    );

    const nobody = await mine.ofNobody(world).submit(claim.userCode);
    judge.expect('nobody-code', isAs(nobody, 401, 'login_required'), nobody);
    const polled = await pollPatiently(world, claimToken);
    const done = !judge.expect('nobody-completes', !isGranted(polled), polled, {
      exchange: nobody.exchange,
    });
    if (done) return;
    const unknown = await mine.with(`cat_${world.invented.token()}`).submit(claim.userCode);
    judge.expect('unknown-link', isAs(unknown, 404, 'invalid_claim_attempt'), unknown);
    const strange = await mine.of(world, claim, world.freshEmail());
    const refused = await strange.submit(claim.userCode);
    judge.expect('other-account', isAs(refused, 403, 'wrong_account'), refused);
    for (const body of [{}, { user_code: 123456 }, { user_code: null }]) {
      const answer = await mine.post(body);
      judge.expect('malformed-request', answer.refused, answer, {
        expected: `a refusal of the members ${JSON.stringify(body)}`,
      });
    }
    // With two wrong codes before, three that counted would burn the attempt.
    for (const odd of ['', '1', `${claim.userCode}0`, world.invented.name()])
      await mine.submit(odd);

    const claimed = await mine.submit(claim.userCode);
    const isClaimed = (answer: Answer) =>
      answer.status === 200 &&
      answer.string('status') === 'claimed' &&
      answer.string('registration_id') === registered.string('registration_id');
    const granted = await pollPatiently(world, claimToken);
    judge.expect('malformed-free', isGranted(granted), claimed);
    if (!isGranted(granted)) return;
    judge.expect('completed', isClaimed(claimed), claimed);
    const again = await mine.submit(claim.userCode);
    judge.expect('repeated', isClaimed(again), again);
    for (const answer of [await mine.deny(), await strange.submit(claim.userCode)]) {
      judge.expect('claimed-before', isAs(answer, 409, 'already_claimed'), answer);
    }
  },
});
