import {
  CannotTest,
  type FindingDetails,
  type Judge,
  judgePart,
  NeedsOption,
  NotApplicable,
} from '../../engine/judge.ts';
import {
  asUrl,
  bareAction,
  FROM,
  postForm,
  tokenNames,
  without,
} from '../../pages/forged-forms.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { type ProviderWorld, providerScenario, type UserSession } from '../provider-world.ts';
import { pressedFor, questionOf, revocationOf, signedInAt } from '../sign-in.ts';
import { askedUri } from '../steps/asked-uri.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';

const NOT_SENT =
  'By its SameSite no browser sends the cookie of the session with a form of another site.';

export const consentAttacks = providerScenario({
  id: 'consent-attacks',
  title: 'An attacker tries to consent in the name of a user',
  checks: {
    'cross-site': 'A form that another site submits is no consent.',
    address: 'Opening a URL is no consent.',
    stranger: 'Another account cannot consent for a user.',
    'revoked-cross-site': 'A form that another site submits revokes no consent.',
    cookies: 'The session cookie is HttpOnly, SameSite=Lax or Strict, and Secure on https.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    world.needNewcomers();
    const session = await world.session();
    const refused = refusedBy(world.breaking);
    /** An attack at a service of its own; then the user consents, or else its refusal would show nothing. */
    const attack = (
      name: 'cross-site' | 'address' | 'stranger',
      act: (target: Target) => Promise<FindingDetails>,
    ) =>
      judgePart(judge, name === 'cross-site' ? [name, 'cookies'] : name, async () => {
        const audience = world.audience().issuer;
        const more = await act(await targetOf(world, session, audience));
        const after = await world.client.mint(session.idToken, audience);
        if (!isMinted(after)) await world.idJag(session, audience);
        judge.table(after, { [name]: refused }, more);
      });

    await attack('cross-site', async ({ form, page, values, visitor }) => {
      const kept = await judgeCookies(judge, world, visitor, page);
      const from = FROM.foreignPage(world.invented.host());
      await postForm(visitor, form.action, values.forged, from, 'same-site');
      const isKept =
        kept.length > 0 && kept.every(({ sameSite }) => /^(lax|strict)$/i.test(sameSite));
      return {
        reading: isKept ? NOT_SENT : undefined,
        ...(values.isTokenless && { case: 'without the hidden token' }),
      };
    });
    await attack('address', async ({ form, values, visitor }) => {
      await visitor.open(asUrl(form.action, values.forged));
      return {};
    });
    await attack('stranger', async ({ consentUri }) => {
      const visitor = world.visitor();
      const page = await signedInAt(visitor, consentUri, world.freshEmail(), world.means);
      const question = questionOf(page);
      if (question !== undefined) {
        await visitor.submit(page, question, pressedFor(question, 'approve'));
      }
      return {};
    });
    await judgePart(judge, 'revoked-cross-site', () => judgeRevocation(judge, world, session));
  },
});

/** The form of the page for consents that revokes one, as another site can send it. */
async function judgeRevocation(
  judge: Judge<'revoked-cross-site'>,
  world: ProviderWorld,
  session: UserSession,
): Promise<void> {
  const { consentsUri } = world;
  if (consentsUri === undefined) {
    const needed = 'No page is known where a user revokes: name it with --consents-page.';
    throw new NeedsOption(needed, '--consents-page');
  }
  const audience = world.audience().issuer;
  await world.idJag(session, audience);
  const formOf = async (visitor: Visitor) =>
    revocationOf(await signedInAt(visitor, consentsUri, session.email, world.means), audience);
  const visitor = world.visitor();
  const revocation = await formOf(visitor);
  const other = await formOf(world.visitor());
  if (revocation === undefined || other === undefined) {
    throw new NotApplicable(`No form of ${consentsUri} names the audience ${audience}.`);
  }
  const { form, pressed } = revocation;
  const tokens = tokenNames(form, other.form);
  const forged = without({ ...form.values, ...pressed }, tokens);
  const action = bareAction(form.action, tokens);
  const from = FROM.foreignPage(world.invented.host());
  const isKept = async () => isMinted(await world.client.mint(session.idToken, audience));
  const sent = await postForm(visitor, action, forged, from);
  if (!judge.expect('revoked-cross-site', await isKept(), sent)) return;
  const anyway = await postForm(visitor, action, forged, from, 'same-site');
  judge.expect('revoked-cross-site', await isKept(), anyway, { reading: NOT_SENT });
}

/** The question that a signed-in user is asked, and what another site can know of its form. */
interface Target {
  readonly consentUri: string;
  readonly visitor: Visitor;
  readonly page: Page;
  readonly form: PageForm;
  readonly values: {
    readonly forged: Readonly<Record<string, string>>;
    /** The form has hidden tokens that another site cannot send. */
    readonly isTokenless: boolean;
  };
}

async function targetOf(
  world: ProviderWorld,
  session: UserSession,
  audience: string,
): Promise<Target> {
  const consentUri = await askedUri(world, session, audience);
  const visitor = world.visitor();
  const page = await signedInAt(visitor, consentUri, session.email, world.means);
  const form = questionOf(page);
  if (form === undefined) {
    throw new CannotTest(
      `The consent page (${page.answer.describe()}) has no form with a button to approve.`,
    );
  }
  const approve = { ...form.values, ...pressedFor(form, 'approve') };
  // Values that differ between sessions are secrets of the page: another site cannot send them.
  const other = questionOf(
    await signedInAt(world.visitor(), consentUri, session.email, world.means),
  );
  const forged = Object.fromEntries(
    Object.entries(approve).filter(
      ([name, value]) => !(name in form.values) || other?.values[name] === value,
    ),
  );
  const isTokenless = Object.keys(forged).length < Object.keys(approve).length;
  return { consentUri, visitor, page, form, values: { forged, isTokenless } };
}

async function judgeCookies(
  judge: Judge<'cookies'>,
  world: ProviderWorld,
  visitor: Visitor,
  page: Page,
): Promise<readonly KeptCookie[]> {
  const kept = await sessionCookies(world, visitor, page);
  judge.table(page.answer, {
    cookies: kept.map((cookie) => {
      const flaws = flawsOf(cookie, new URL(page.url).protocol === 'https:');
      // Browsers default to SameSite=Lax.
      return { ok: flaws.length === 0, seen: `${cookie.key} without ${flaws.join(', ')}` };
    }),
  });
  judge.skip('cookies', 'No single cookie carries the session.');
  return kept;
}

interface KeptCookie {
  readonly key: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: string;
}

/** The cookies that keep a user signed in by themselves. */
async function sessionCookies(
  world: ProviderWorld,
  visitor: Visitor,
  page: Page,
): Promise<readonly KeptCookie[]> {
  const kept: KeptCookie[] = [];
  for (const cookie of await visitor.cookies(page.url)) {
    const alone = world.visitor();
    await alone.plant(page.url, [cookie]);
    const seen = await alone.open(page.url);
    if (questionOf(seen) === undefined) continue;
    const { httpOnly, key, sameSite, secure } = cookie;
    kept.push({ key, httpOnly, secure, sameSite: sameSite ?? 'none' });
  }
  return kept;
}

function flawsOf({ httpOnly, sameSite, secure }: KeptCookie, isTls: boolean): readonly string[] {
  return [
    ...(httpOnly ? [] : ['HttpOnly']),
    ...(/^(lax|strict)$/i.test(sameSite) ? [] : ['SameSite']),
    ...(secure || !isTls ? [] : ['Secure']),
  ];
}
