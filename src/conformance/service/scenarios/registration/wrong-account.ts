import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, decide } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession, visit } from '../../steps/claim-page-session.ts';
import { isGranted, pollPatiently } from '../../steps/polls.ts';
import { typeIfAsked } from '../../steps/type-if-asked.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

/** More than burn an attempt when they are counted. */
const TRIES = 6;

export const wrongAccount = serviceScenario({
  id: 'wrong-account',
  title: "Somebody else, signed in, tries to take over another account's claim",
  checks: {
    'not-claimed':
      'Another account than the one on record completes nothing, with the right code neither.',
    'form-refused': "Nor by sending the owner's form in a session of its own.",
    'nobody-completes':
      "The owner's form, sent by somebody who is not signed in, completes nothing.",
    status: 'Another account is answered 403.',
    'address-hidden': 'It does not learn the address on record in full.',
    'not-denied': 'It cannot deny the claim either.',
    uncounted: "Its tries do not count against the owner's.",
  },
  async run(judge, world) {
    const { claim, claimToken, email } = await world.byEmail();
    // First its owner, so that a page that is not understood proves nothing against the service.
    const seat = await ClaimPageSession.take(world, claim, email);
    const stranger = world.freshEmail();
    const polled = await typeIfAsked(world, { ...claim, claimToken }, stranger);
    const taken = !judge.expect('not-claimed', !isGranted(polled), polled, {
      expected: `no claim by ${stranger} of what is meant for ${email}`,
    });
    const { page, visitor } = await visit(world, claim.verificationUri, stranger);
    judge.expect('status', page.answer.status === 403, page.answer);
    judge.expect(
      'address-hidden',
      !page.answer.text.includes(email),
      `a page that shows ${email}`,
      { exchange: page.answer.exchange },
    );
    if (taken) return;

    const forged = forgedPage(seat.page, page);
    const anybody = await decide(world.visitor(), seat.page, seat.form, {
      userCode: claim.userCode,
      decision: 'approve',
    });
    const unsigned = await pollPatiently(world, claimToken);
    judge.expect('nobody-completes', !isGranted(unsigned), unsigned, {
      exchange: anybody.answer.exchange,
    });
    if (isGranted(unsigned)) return;
    const form = forged.forms.find(asksForCode);
    if (form === undefined) return;
    const send = (userCode: string, decision: 'approve' | 'deny') =>
      decide(visitor, forged, form, { userCode, decision });
    const sent = await send(claim.userCode, 'approve');
    const after = await pollPatiently(world, claimToken);
    judge.expect('form-refused', !isGranted(after), after, {
      expected: `no claim by ${stranger}`,
      exchange: sent.answer.exchange,
    });
    if (isGranted(after)) return;
    await send('', 'deny');
    const open = await pollPatiently(world, claimToken);
    const denied = !judge.expect('not-denied', open.errorCode !== 'access_denied', open);
    if (denied) return;
    for (const wrong of wrongCodes(claim.userCode, TRIES)) await send(wrong, 'approve');
    const typed = await seat.type(claim.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.expect('uncounted', isGranted(claimed), claimed, {
      expected: `tokens after the owner typed the code, whatever ${stranger} tried`,
      exchange: typed.exchange,
    });
  },
});

/** The owner's page, with the hidden values of the stranger's own where both have one of that name. */
function forgedPage(owners: Page, strangers: Page): Page {
  const own = strangers.forms
    .flatMap(({ values }) => Object.entries(values))
    .filter(([name]) => !/attempt|code/.test(name));
  return {
    ...owners,
    forms: owners.forms.map((form) => ({
      ...form,
      values: {
        ...form.values,
        ...Object.fromEntries(own.filter(([name]) => name in form.values)),
      },
    })),
  };
}
