import type { Invented } from '../../../engine/invented.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { hasAccessOf } from '../../steps/account-access.ts';
import { folding, withCyrillic, withFullWidth } from '../../steps/confusable-letters.ts';
import { makeOwner } from '../../steps/existing-account.ts';
import {
  expectEachRefused,
  expectIdJagRefused,
  mustBeAccepted,
  present,
} from '../../steps/present-id-jag.ts';

const UNVERIFIED = [
  { email_verified: false },
  { email_verified: undefined },
  { email_verified: 'true' },
  { email_verified: 1 },
  { email: undefined },
  { email: '' },
];

export const idJagEmails = serviceScenario({
  id: 'id-jag-addresses',
  title: 'An ID-JAG leads to the account of an email that its provider verified, and to no other',
  checks: {
    unverified: 'An ID-JAG without a verified email is refused.',
    odd: 'An ID-JAG with a malformed email is refused.',
    'look-alike': 'An email that resembles another leads to no account of that one.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const unverified = UNVERIFIED.map((claims) => {
      const [name, value] = Object.entries(claims)[0] ?? [];
      return ['unverified', `${name} ${JSON.stringify(value)}`, { claims }] as const;
    });
    await expectEachRefused(judge, world, unverified);
    const { email } = await makeOwner(world);
    const plainly = await present(world, world.idJag({ ...world.freshSubject(), email }));
    const isSilent = await hasAccessOf(world, plainly, email);
    for (const other of lookAlikes(email, world.invented)) {
      const whom = { ...world.freshSubject(), email: other };
      const answer = await present(world, world.idJag(whom));
      const shown = JSON.stringify(other);
      const isLinked = await hasAccessOf(world, answer, email);
      // Where an email is linked at once, so is the same one with spaces around it.
      const isSame = isSilent && other.trim() === email;
      if (!isSame) judge.expect('look-alike', !isLinked, answer, { case: shown });
      expectIdJagRefused(judge, 'odd', answer, shown);
    }
  },
});

function lookAlikes(email: string, invented: Invented): readonly string[] {
  const [local = '', domain = ''] = email.split('@');
  const other = invented.email();
  return [
    `${withCyrillic(local, invented)}@${domain}`,
    ...folding(local).map((other) => `${other}@${domain}`),
    `${withFullWidth(local, invented)}@${domain}`,
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
