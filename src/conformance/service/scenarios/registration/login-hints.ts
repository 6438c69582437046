import type { Invented } from '../../../engine/invented.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { withCyrillic, withFullWidth } from '../../steps/confusable-letters.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';
import { isGranted } from '../../steps/polls.ts';
import { typeIfAsked } from '../../steps/type-if-asked.ts';

/** No email addresses by any reading. */
const noAddresses = ({ email, host, other, word }: Parts): readonly string[] => [
  '',
  ' ',
  word,
  `@${host}`,
  `${word}@`,
  `${word}@${word}@${host}`,
  `${word} ${word}@${host}`,
  `${word}@exa ${host}`,
  `<${email}>`,
  `${email},${other}`,
  `${word.repeat(40)}@${host}`,
  `${email}\u0000`,
  `\u202e${email}`,
];

/** Into a header of a mail, each would be a field of its own. */
const lineBreaks = ({ email, host, other, word }: Parts): readonly string[] => [
  `${email}\r\nBcc: ${other}`,
  `${email}\nBcc: ${other}`,
  `${word}\r\n@${host}`,
];

const otherTypes = ({ email, other }: Parts) => [
  undefined,
  null,
  1,
  true,
  [email],
  { email: other },
];

/** What bad hints are made of. */
interface Parts {
  readonly word: string;
  readonly host: string;
  readonly email: string;
  readonly other: string;
}

function partsOf(invented: Invented): Parts {
  const [word, host] = [invented.word(), invented.host()];
  return { word, host, email: `${word}@${host}`, other: invented.email() };
}

/** Other addresses than this one, though they look like it or are made from it. */
const LOOK_ALIKES: readonly (readonly [
  what: string,
  make: (email: string, invented: Invented) => string,
])[] = [
  ['a Cyrillic letter', (email, invented) => inLocal(email, withCyrillic, invented)],
  ['a full-width letter', (email, invented) => inLocal(email, withFullWidth, invented)],
  ['a zero-width joiner', (email) => email.replace('@', '\u200d@')],
  ['a tag behind a plus', (email, invented) => email.replace('@', `+${invented.word()}@`)],
  ['a longer domain', (email, invented) => `${email}.${invented.host()}`],
  ['a prefix', (email, invented) => `${invented.word()}${email}`],
];

function inLocal(
  email: string,
  change: (text: string, invented: Invented) => string,
  invented: Invented,
): string {
  const at = email.lastIndexOf('@');
  return change(email.slice(0, at), invented) + email.slice(at);
}

export const loginHints = serviceScenario({
  id: 'login-hints',
  title: 'Hints that are no address, or the address of somebody else',
  checks: {
    'no-address': 'A hint that is no email address registers nobody.',
    'line-breaks': 'A hint with a line break registers nobody.',
    'other-types': 'A hint that is missing or no string registers nobody.',
    code: 'A string that is no address is answered 400 invalid_login_hint.',
    'look-alikes':
      'The account of an address cannot claim what an address that looks like it began.',
    'letter-case': 'An address in other letter case is the same address.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const client = {
      identity: async (body: unknown) => notLimited(await world.client.identity(body)),
      registerByEmail: async (email: string) =>
        notLimited(await world.client.registerByEmail(email)),
    };
    // A service that refuses everything would pass.
    await world.byEmail();
    const refuses = (
      name: 'no-address' | 'line-breaks' | 'other-types',
      hint: unknown,
      answer: Answer,
    ) =>
      judge.expect(name, answer.refused, answer, {
        expected: `a refusal of the login_hint ${JSON.stringify(hint)?.slice(0, 60) ?? '(none)'}`,
      });
    const parts = partsOf(world.invented);
    for (const [name, hints] of [
      ['no-address', noAddresses(parts)],
      ['line-breaks', lineBreaks(parts)],
    ] as const) {
      for (const hint of hints) {
        const answer = await client.registerByEmail(hint);
        // U+0000 and an empty string may well be refused as something else.
        const ordinary = hint.trim() !== '' && !hint.includes('\u0000');
        if (!refuses(name, hint, answer) || !ordinary) continue;
        judge.expect(
          'code',
          answer.status === 400 && answer.errorCode === 'invalid_login_hint',
          answer,
        );
      }
    }
    for (const hint of otherTypes(parts)) {
      const answer = await client.identity({ type: 'service_auth', login_hint: hint });
      refuses('other-types', hint, answer);
    }

    const { claim, email } = await world.byEmail();
    await ClaimPageSession.take(world, claim, email);
    const any = await world.byEmail();
    const stolen = isGranted(await typeIfAsked(world, { ...any.claim, ...any }, email));
    if (stolen) judge.skip('look-alikes', 'Any account at all can claim: see wrong-account.');
    for (const [what, make] of stolen ? [] : LOOK_ALIKES) {
      const hint = make(email, world.invented);
      if (hint === email) continue;
      const claimed = await claimAs(world, await client.registerByEmail(hint), email);
      judge.expect(
        'look-alikes',
        claimed === undefined || !isGranted(claimed),
        claimed ?? 'nothing',
        { expected: `no claim by ${email} of what ${hint} (${what}) began` },
      );
    }
    const capitals = email.replace(/@.*/, (domain) => domain.toUpperCase());
    const same = await claimAs(world, await client.registerByEmail(capitals), email);
    judge.expect(
      'letter-case',
      same !== undefined && isGranted(same),
      same ?? 'the registration, or the code, was refused',
      { expected: `a claim by ${email} of what ${capitals} began` },
    );
  },
});

/** What becomes of a registration when another spelling signs in; undefined when it does not come to that. */
async function claimAs(
  world: ServiceWorld,
  registered: Answer,
  email: string,
): Promise<Answer | undefined> {
  const claimToken = registered.string('claim_token');
  if (registered.status !== 200 || claimToken === undefined) return undefined;
  return typeIfAsked(world, { ...world.mustClaim(registered), claimToken }, email);
}
