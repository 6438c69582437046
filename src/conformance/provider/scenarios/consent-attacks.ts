import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { pressedFor, questionOf, signedInAt } from '../sign-in.ts';
import { isRefused } from './mint-refusals.ts';

export const consentAttacks = providerScenario({
  id: 'consent-attacks',
  title: 'Somebody else tries to agree in the name of a user',
  checks: {
    'cross-site': 'A form that another site sends is no consent.',
    address: 'Opening an address is no consent.',
    stranger: 'Another account cannot agree for a user.',
    cookies: 'The session cookie is out of reach of scripts, other sites and plain connections.',
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
      throw new CannotTest('The consent page has no form with a button to refuse.');
    }
    const approve = { ...form.values, ...pressedFor(form, 'approve') };
    const kept = await sessionCookies(world, visitor, page);
    for (const cookie of kept) {
      const flaws = flawsOf(cookie, new URL(consentUri).protocol === 'https:');
      judge.expect(
        'cookies',
        flaws.length === 0,
        // Browsers of today take a cookie that says nothing for a Lax one.
        `${cookie.key} without ${flaws.join(', ')}`,
        { exchange: page.answer.exchange, warn: flaws.every((flaw) => flaw === 'SameSite') },
      );
    }
    judge.skip('cookies', 'No single cookie keeps the session.');

    // What differs from session to session is a secret of the page: no other site knows it.
    const elsewhere = questionOf(await signedInAt(world.visitor(), consentUri, session.email));
    const forged = Object.fromEntries(
      Object.entries(approve).filter(
        ([name, value]) => !(name in form.values) || elsewhere?.values[name] === value,
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
    // A browser keeps such a cookie from a form of another site, whatever the server would do with it.
    const guarded =
      kept.length > 0 && kept.every(({ sameSite }) => /^(lax|strict)$/i.test(sameSite));
    judge.expect('cross-site', isRefused(afterForm), afterForm, {
      expected: `no consent by a form of another site${tokenless ? ', without the hidden token' : ''}`,
      warn: guarded,
    });
    if (!isRefused(afterForm)) return;
    const target = new URL(form.action);
    for (const [name, value] of Object.entries(forged)) target.searchParams.set(name, value);
    await visitor.open(target.href);
    const afterGet = await stillRefused();
    judge.expect('address', isRefused(afterGet), afterGet);
    if (!isRefused(afterGet)) return;

    const stranger = world.visitor();
    const email = world.freshEmail();
    const theirs = await signedInAt(stranger, consentUri, email);
    const question = questionOf(theirs);
    if (question !== undefined) {
      await stranger.submit(theirs, question, pressedFor(question, 'approve'));
    }
    const afterStranger = await stillRefused();
    judge.expect('stranger', isRefused(afterStranger), afterStranger);
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
  throw new CannotTest('The consent_uri is no address.');
}

interface KeptCookie {
  readonly key: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: string;
}

/** The cookies that alone keep a user signed in: other ones may be as open as they like. */
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
