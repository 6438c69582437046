import type { Invented } from '../../../engine/invented.ts';
import { refused } from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { isGranted, notGranted, notLimited } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { folding, withCyrillic, withFullWidth } from '../../steps/confusable-letters.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { decideClaim, tryToClaim } from '../../steps/open-claim.ts';

/** No email addresses in any reading of the grammar. */
const malformedEmails = ({ email, host, other, word }: Parts): readonly string[] => [
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

/** Emails that are not this one, though they look like it or are made from it. */
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
  title: 'Hints that are not an email, or the email of another user, gain nothing',
  checks: {
    'no-address': 'A hint that is no email address registers nobody.',
    'line-breaks': 'A hint with a line break registers nobody.',
    'other-types': 'A hint that is missing or no string registers nobody.',
    'look-alikes':
      'The account of an email cannot claim what was begun for an email that looks like it.',
    'letter-case': 'An email in other letter case is the same email.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { invented } = world;
    const register = async (hint: unknown) =>
      notLimited(await world.client.identity({ type: 'service_auth', login_hint: hint }));
    const registerByEmail = async (email: string) =>
      notLimited(await world.client.registerByEmail(email));
    // A service that refuses everything would pass.
    await world.byEmail();
    const parts = partsOf(invented);
    for (const [name, hints] of [
      ['no-address', malformedEmails(parts)],
      ['line-breaks', lineBreaks(parts)],
    ] as const) {
      for (const hint of hints) {
        const answer = await registerByEmail(hint);
        const rows = { [name]: refused };
        judge.table(answer, rows, { case: shortened(hint) });
      }
    }
    for (const hint of otherTypes(parts)) {
      judge.table(await register(hint), { 'other-types': refused }, { case: shortened(hint) });
    }

    const { claim, email } = await world.byEmail();
    await ClaimPageSession.open(world, claim, email);
    await mustCompleteClaims(world);
    const any = await world.byEmail();
    const isOpenToAll = isGranted(await tryToClaim(world, { ...any.claim, ...any }, email));
    if (isOpenToAll) judge.skip('look-alikes', 'Any account at all can claim: see wrong-account.');
    const hints = [
      ...LOOK_ALIKES.map(([what, make]) => [what, make(email, invented)] as const),
      ...folding(email).map((hint) => ['a letter that case or accents fold', hint] as const),
    ];
    for (const [what, hint] of isOpenToAll ? [] : hints) {
      if (hint === email) continue;
      const claimed = await claimAs(world, await registerByEmail(hint), email);
      if (claimed === undefined) judge.expect('look-alikes', true, 'nothing');
      else judge.table(claimed, { 'look-alikes': notGranted }, { case: `${what}: ${hint}` });
    }
    const capitals = email.replace(/@.*/, (domain) => domain.toUpperCase());
    const same = await claimAs(world, await registerByEmail(capitals), email);
    judge.expect(
      'letter-case',
      same !== undefined && isGranted(same),
      same ?? 'the registration, or the code, was refused',
      { case: capitals },
    );
  },
});

function shortened(hint: unknown): string {
  return JSON.stringify(hint)?.slice(0, 60) ?? 'none';
}

/** What a poll answers once another spelling of the email has signed in; undefined without a registration. */
async function claimAs(
  world: ServiceWorld,
  registered: Answer,
  email: string,
): Promise<Answer | undefined> {
  const claimToken = registered.string('claim_token');
  if (registered.status !== 200 || claimToken === undefined) return undefined;
  return tryToClaim(world, { ...world.mustClaim(registered), claimToken }, email);
}

export const enumeration = serviceScenario({
  id: 'enumeration',
  title: 'Whether an answer reveals that an email has an account',
  checks: {
    'registrations-alike':
      'Registrations by email are answered alike, whether the email has an account or not.',
    'claims-alike': 'Claims are answered alike, whether the email has an account or not.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { client } = world;
    const { claim, claimToken, email: known } = await world.byEmail();
    await decideClaim(world, { ...claim, email: known, decision: 'approve' });
    // Its owner has an account now, and a claimed registration.
    await client.poll(claimToken);

    // A limit per email has to have counted as many of those that have no account.
    const [before, after] = [world.unknownEmail(), world.unknownEmail()];
    for (const email of [before, after]) await client.registerByEmail(email);
    compare('registrations-alike', [
      await client.registerByEmail(before),
      await client.registerByEmail(known),
      await client.registerByEmail(after),
    ]);
    if (!world.facts.identityTypes.includes('anonymous')) {
      return judge.skip('claims-alike', 'The service does not offer anonymous.');
    }
    const claimOf = async (email: string) =>
      client.startClaim((await world.anonymous()).claimToken, email);
    const first = await claimOf(world.unknownEmail());
    world.mustClaim(notLimited(first));
    compare('claims-alike', [first, await claimOf(known), await claimOf(world.unknownEmail())]);

    /** The known one between two that are not: what those have in common, it has to have too. */
    function compare(
      name: 'registrations-alike' | 'claims-alike',
      [first, known, last]: readonly [Answer, Answer, Answer],
    ): void {
      for (const answer of [first, known, last]) notLimited(answer);
      const seen = traitsOf(known);
      const [before, after] = [traitsOf(first), traitsOf(last)];
      const shared = [...before].filter(([trait, value]) => after.get(trait) === value);
      const unlike = shared.find(([trait, value]) => seen.get(trait) !== value);
      const extra = [...seen.keys()].find((trait) => !before.has(trait) && !after.has(trait));
      judge.expect(
        name,
        unlike === undefined && extra === undefined,
        unlike
          ? `${unlike[0]} is ${seen.get(unlike[0]) ?? 'missing'}, elsewhere ${unlike[1]}`
          : `${extra} is ${seen.get(extra ?? '')}, elsewhere it is missing`,
        known,
      );
    }
  },
});

/** Status, fields and members of an answer, each with its value. */
function traitsOf(answer: Answer): ReadonlyMap<string, string> {
  const traits = new Map([['the status', String(answer.status)]]);
  for (const [name] of answer.headers) {
    if (!/^(date|age)$/.test(name)) traits.set(`the field ${name}`, 'there');
  }
  const add = (path: string, value: unknown) => {
    // Seconds that remain differ by one now and then.
    const shown = typeof value === 'number' ? 'a number' : JSON.stringify(value);
    traits.set(path, isObject(value) ? 'an object' : shown);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) add(`${path}.${name}`, inner);
  };
  add('body', answer.json);
  return traits;
}
