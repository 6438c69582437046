import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { pressedFor, questionOf, signedInAt } from '../sign-in.ts';
import { isRefused } from '../steps/rows.ts';

export const consentAttacks = providerScenario({
  id: 'consent-attacks',
  title: 'An attacker tries to consent in the name of a user',
  checks: {
    'cross-site': 'A form that another site submits is no consent.',
    address: 'Opening a URL is no consent.',
    stranger: 'Another account cannot consent for a user.',
    cookies: 'The session cookie is HttpOnly, SameSite=Lax or Strict, and Secure on https.',
  },
  async run(judge, world) {
    world.needNewcomers();
    const audience = world.audience().issuer;
    const session = await world.session();
    const consentUri = await questionFor(world, session, audience);
    const stillRefused = () => world.client.mint(session.idToken, audience);

    const visitor = world.visitor();
    const page = await signedInAt(visitor, consentUri, session.email);
    const form = questionOf(page);
    if (form === undefined) {
      throw new CannotTest('The consent page has no form with a button to deny.');
    }
    const approve = { ...form.values, ...pressedFor(form, 'approve') };
    const kept = await sessionCookies(world, visitor, page);
    judge.table(page.answer, {
      cookies: kept.map((cookie) => {
        const flaws = flawsOf(cookie, new URL(consentUri).protocol === 'https:');
        // Browsers default to SameSite=Lax.
        const warn = flaws.every((flaw) => flaw === 'SameSite');
        return { ok: flaws.length === 0, seen: `${cookie.key} without ${flaws.join(', ')}`, warn };
      }),
    });
    judge.skip('cookies', 'No single cookie carries the session.');

    // Values that differ between sessions are secrets of the page: another site cannot send them.
    const otherSession = questionOf(await signedInAt(world.visitor(), consentUri, session.email));
    const forged = Object.fromEntries(
      Object.entries(approve).filter(
        ([name, value]) => !(name in form.values) || otherSession?.values[name] === value,
      ),
    );
    const tokenless = Object.keys(forged).length < Object.keys(approve).length;
    await visitor.exchange(form.action, {
      method: 'POST',
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['origin', world.invented.origin()],
        ['sec-fetch-site', 'cross-site'],
      ],
      body: new URLSearchParams(forged).toString(),
    });
    const afterForm = await stillRefused();
    // Browsers do not send such a cookie with a form of another site.
    const guarded =
      kept.length > 0 && kept.every(({ sameSite }) => /^(lax|strict)$/i.test(sameSite));
    judge.expect('cross-site', isRefused(afterForm), afterForm, {
      ...(tokenless && { case: 'without the hidden token' }),
      warn: guarded,
    });
    if (!isRefused(afterForm)) return;
    const target = new URL(form.action);
    for (const [name, value] of Object.entries(forged)) target.searchParams.set(name, value);
    await visitor.open(target.href);
    const afterGet = await stillRefused();
    judge.expect('address', isRefused(afterGet), afterGet);
    if (!isRefused(afterGet)) return;

    const otherVisitor = world.visitor();
    const email = world.freshEmail();
    const theirs = await signedInAt(otherVisitor, consentUri, email);
    const question = questionOf(theirs);
    if (question !== undefined) {
      await otherVisitor.submit(theirs, question, pressedFor(question, 'approve'));
    }
    const afterOther = await stillRefused();
    judge.expect('stranger', isRefused(afterOther), afterOther);
  },
});

async function questionFor(
  world: ProviderWorld,
  { idToken }: UserSession,
  audience: string,
): Promise<string> {
  const asked: Answer = await world.client.mint(idToken, audience);
  const consentUri = world.must(asked, 'consent_uri', 'a mint without consent');
  if (URL.canParse(consentUri)) return consentUri;
  throw new CannotTest('The consent_uri is not a URL.');
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
