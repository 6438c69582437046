import type { Invented } from '../../../engine/invented.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { withCyrillic, withFullWidth } from '../../steps/confusable-letters.ts';
import { makeAccount, questionOf, speaksFor } from '../../steps/existing-account.ts';
import {
  expectRefused,
  isTaken,
  mustBeTaken,
  present,
  presentNew,
} from '../../steps/present-id-jag.ts';

export const idJagEmails = serviceScenario({
  id: 'id-jag-addresses',
  title: 'An ID-JAG is known by an address that its provider verified, and by no other',
  checks: {
    unverified: 'An ID-JAG without a verified address is refused.',
    odd: 'An address that is none is refused.',
    'look-alike': 'An address that resembles another leads to no account of that one.',
    phone: 'A verified phone number stands in for the email.',
    'email-first': 'Where email and phone name two accounts, the one of the email is asked.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    for (const claims of [
      { email_verified: false },
      { email_verified: undefined },
      { email_verified: 'true' },
      { email_verified: 1 },
      { email: undefined },
      { email: '' },
    ]) {
      const { answer } = await presentNew(world, { claims });
      const what = `An ID-JAG with ${JSON.stringify(Object.entries(claims)[0])}`;
      expectRefused(judge, 'unverified', { what }, answer);
    }
    const email = await makeAccount(world);
    for (const address of lookAlikes(email, world.invented)) {
      const answer = await present(world, world.idJag({ ...world.freshSubject(), email: address }));
      const shown = JSON.stringify(address);
      judge.expect('look-alike', !(await speaksFor(world, answer, email)), answer, {
        expected: `no access to ${email} by ${shown}`,
      });
      expectRefused(judge, 'odd', { what: `An ID-JAG for ${shown}` }, answer);
    }

    const phone = `+1555${String(parseInt(world.freshSubject().subject.slice(-6), 16) % 10_000_000).padStart(7, '0')}`;
    const byPhone = { phone_number: phone, phone_number_verified: true };
    const onlyPhone = await mustTakePhone(byPhone);
    if (!onlyPhone) return;
    const both = { ...world.freshSubject(), email };
    const asked = await present(world, world.idJag(both, { claims: byPhone }));
    const question = questionOf(asked);
    if (question === undefined) {
      judge.expect('email-first', false, asked);
      return;
    }
    const { userCode, verificationUri, interval } = question.claim;
    await world.user.claim({ verificationUri, userCode, email, decision: 'approve' });
    await world.time.pass((interval ?? 5) * 1000);
    const polled = await world.client.poll(question.claimToken);
    judge.expect('email-first', polled.ok, polled);

    async function mustTakePhone(claims: typeof byPhone): Promise<boolean> {
      const absent = { email: undefined, email_verified: undefined };
      const { answer } = await presentNew(world, { claims: { ...absent, ...claims } });
      judge.expect('phone', isTaken(answer), answer);
      if (!isTaken(answer)) judge.skip('email-first', 'The service takes no phone numbers.');
      return isTaken(answer);
    }
  },
});

function lookAlikes(email: string, invented: Invented): readonly string[] {
  const [local = '', domain = ''] = email.split('@');
  const other = invented.email();
  return [
    `${withCyrillic(local, invented)}@${domain}`,
    `${local}@${withFullWidth(domain, invented)}`,
    `${local}\u200b@${domain}`,
    `\u202e${email}`,
    `"${local}"@${domain}`,
    ` ${email}`,
    `${email}\r\n`,
    `${email}\u0000`,
    `${email},${other}`,
    `${other} <${email}>`,
    `${local}@${domain}.`,
    `${local}@${invented.host()}@${domain}`,
    `${local}@`,
    local,
  ];
}
