import type { Invented } from '../../../engine/invented.ts';
import type { Answer } from '../../../http/answer.ts';
import { type Subject, serviceScenario } from '../../service-world.ts';
import { hasAccessOf, makeOwner, reachesAccount } from '../../steps/account-access.ts';
import { askOwner } from '../../steps/confirmation.ts';
import { folding, withCyrillic, withFullWidth } from '../../steps/confusable-letters.ts';
import * as idJags from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

export const idJagKnown = serviceScenario({
  id: 'id-jag-known',
  title: 'A user of a provider is identified by issuer and subject',
  checks: {
    again: 'Another ID-JAG of the same user is answered with an assertion at once.',
    'new-email': 'The same subject with another email is the same user.',
    'per-issuer': 'The same subject of another provider is another user.',
    'per-subject': 'Another subject of the same provider is another user.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const first = await idJags.mustRegister(world);
    const registration = idJags.registrationOf(first.answer);
    const isSame = (answer: Answer) => idJags.registrationOf(answer) === registration;
    const { subject } = first;
    const register = (whom: Subject, options?: MintOptions, provider?: typeof other) =>
      idJags.present(world, world.idJag(whom, options, provider));
    const { other } = world.providers;

    const again = await register(first);
    judge.table(again, {
      again: { ok: again.ok && again.string('identity_assertion') !== undefined },
    });
    const renamed = await register({ subject, email: world.unknownEmail() });
    judge.expect('new-email', idJags.isRegistered(renamed) && isSame(renamed), renamed);
    if (registration === undefined) {
      judge.skip(['per-issuer', 'per-subject'], 'It shows no registration.');
      return;
    }

    const anotherUser = (answer: Answer) => ({
      ok: idJags.isRegistered(answer) && !isSame(answer),
    });
    const email = world.unknownEmail();
    judge.table(await register(world.freshSubject()), { 'per-subject': anotherUser });
    if (await idJags.trustsOther(world)) {
      judge.table(await register({ subject, email }, {}, other), { 'per-issuer': anotherUser });
    } else {
      judge.skip('per-issuer', idJags.NO_OTHER);
    }
  },
});

const SAME_NAME =
  'It is the registration that the subject had before: it may only be shown under the new email.';

export const idJagRenamed = serviceScenario({
  id: 'id-jag-renamed',
  title: 'A known user of a provider comes back with the email of somebody else',
  checks: {
    'no-takeover':
      'A subject that is registered reaches no other account by the email of a later ID-JAG.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const owner = await makeOwner(world);
    const { email } = owner;
    // Only where owners are asked is a silent link another matter than the literal row.
    await askOwner(world, { ...world.freshSubject(), email });
    const first = await idJags.mustRegister(world);
    const answer = await idJags.present(world, world.idJag({ subject: first.subject, email }));
    const isTaken = answer.ok && (await reachesAccount(world, answer, owner));
    const own = idJags.registrationOf(first.answer);
    const isOwn = own !== undefined && idJags.registrationOf(answer) === own;
    judge.expect('no-takeover', !isTaken, answer, { reading: isOwn ? SAME_NAME : undefined });
  },
});

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
    await idJags.mustBeAccepted(world);
    const unverified = UNVERIFIED.map((claims) => {
      const [name, value] = Object.entries(claims)[0] ?? [];
      return ['unverified', `${name} ${JSON.stringify(value)}`, { claims }] as const;
    });
    await idJags.expectEachRefused(judge, world, unverified);
    const { email } = await makeOwner(world);
    const plainly = await idJags.present(world, world.idJag({ ...world.freshSubject(), email }));
    const isSilent = await hasAccessOf(world, plainly, email);
    for (const other of lookAlikes(email, world.invented)) {
      const whom = { ...world.freshSubject(), email: other };
      const answer = await idJags.present(world, world.idJag(whom));
      const shown = JSON.stringify(other);
      const isLinked = await hasAccessOf(world, answer, email);
      // Where an email is linked at once, so is the same one with spaces around it.
      const isSame = isSilent && other.trim() === email;
      if (!isSame) judge.expect('look-alike', !isLinked, answer, { case: shown });
      idJags.expectIdJagRefused(judge, 'odd', answer, shown);
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
