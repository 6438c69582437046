import { NotApplicable } from '../../../engine/judge.ts';
import { ForeignRedirect } from '../../../pages/foreign-destinations.ts';
import { type PageForm, signOutForm } from '../../../pages/forms.ts';
import { type Cookie, madeUp, type Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { signInForm } from '../../../user/sign-in-form.ts';
import { whyNoResource } from '../../service-client.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { shownBy } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { renamedValues } from '../../steps/renamed-values.ts';

export const sessionIds = serviceScenario({
  id: 'session-ids',
  title: 'Somebody plants or reads the session cookie of a user',
  checks: {
    fixation: 'Cookies from before a sign-in give no access after it (session fixation).',
    'hidden-from-scripts': 'The session cookie is HttpOnly.',
    'hidden-from-others':
      'The session cookie has a SameSite of Lax or Strict, and is Secure where the page is https.',
    'for-pages': 'The session cookie opens the pages, and not the protected resource.',
  },
  resting: { 'challenge.open': ['for-pages'] },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const link = claim.verificationUri;
    const hops = new Hops(world);
    await hops.toSignIn(link);
    const before = await hops.visitor.cookies(link);
    const page = await hops.toCode(link, email);
    const after = await hops.visitor.cookies(page.url);
    const expectUseless = async (cookies: readonly Cookie[], what: string) => {
      const isUseless = !(await isEnough(world, link, cookies));
      judge.expect('fixation', isUseless, `the page with the code, by cookies ${what}`);
    };
    await expectUseless(before, 'from before the sign-in');

    // As though somebody had planted cookies, under the names that the service uses.
    const victim = new Hops(world);
    await victim.visitor.plant(link, after, madeUp);
    const planted = await victim.visitor.cookies(link);
    await victim.toCode(link, email);
    await expectUseless(planted, 'that were planted');

    if (world.facts.resource === undefined) {
      const { reason, ...none } = whyNoResource(world.facts);
      judge.skip('for-pages', reason, none);
    } else {
      const called = await victim.visitor.exchange(world.client.protectedUrl(), { from: 'user' });
      judge.expect('for-pages', !called.ok, called);
    }

    const needed = await sessionCookies(world, page, after);
    if (needed.length === 0) {
      judge.skip(
        ['hidden-from-scripts', 'hidden-from-others'],
        'No cookie is needed by itself, so none is known to be the session.',
      );
    }
    for (const { httpOnly, key, sameSite, secure } of needed) {
      const isSameSite = /^(lax|strict)$/i.test(sameSite ?? '');
      const isSecure = secure || !page.url.startsWith('https:');
      judge.expect('hidden-from-scripts', httpOnly, `${key} without HttpOnly`);
      judge.expect(
        'hidden-from-others',
        isSameSite,
        `${key} with SameSite ${sameSite ?? 'missing'}`,
      );
      judge.expect('hidden-from-others', isSecure, `${key} without Secure`);
    }
  },
});

/** Whether a browser with these cookies alone is signed in. */
async function isEnough(
  world: ServiceWorld,
  link: string,
  cookies: readonly Cookie[],
): Promise<boolean> {
  const hops = new Hops(world);
  await hops.visitor.plant(link, cookies);
  return hops.isSignedIn(link);
}

/** The cookies without which the browser is not signed in. */
async function sessionCookies(
  world: ServiceWorld,
  { url }: Page,
  cookies: readonly Cookie[],
): Promise<readonly Cookie[]> {
  const needed: Cookie[] = [];
  for (const cookie of cookies) {
    const others = cookies.filter((other) => other !== cookie);
    if (!(await isEnough(world, url, others))) needed.push(cookie);
  }
  return needed;
}

export const plantedSession = serviceScenario({
  id: 'planted-session',
  title: 'Somebody who is signed in plants their own session into the browser of a user',
  checks: {
    'signed-in-over':
      'The session of somebody who was signed in is not that of the user who signs in over it.',
    'signed-out-first':
      'The session of somebody who was signed in is not that of the user who signs out and in again.',
  },
  async run(judge, world) {
    const victim = await openClaim(world);
    const attacker = await openClaim(world);
    const link = victim.claim.verificationUri;
    const signInUrl = (await new Hops(world).toSignIn(link)).url;

    await judgeWay('signed-in-over', async ({ visitor }) => {
      // Some show the form to whoever is signed in, some when it is asked for (OpenID Connect, prompt).
      const again = new URL(signInUrl);
      again.searchParams.set('prompt', 'login');
      let page = await visitor.open(link);
      for (const url of [signInUrl, again.href]) {
        if (signInForm(page) === undefined) page = await visitor.open(url);
      }
      return page;
    });
    await judgeWay('signed-out-first', async ({ visitor }) => {
      const wrong = await visitor.open(link);
      const form = signOutForm(wrong);
      if (form === undefined) return wrong;
      const out = await visitor.submit(wrong, form, {});
      return signInForm(out) === undefined ? visitor.open(link) : out;
    });

    /** @param toSignIn How the user gets from the planted session to a form to sign in with. */
    async function judgeWay(
      name: 'signed-in-over' | 'signed-out-first',
      toSignIn: (hops: Hops) => Promise<Page>,
    ): Promise<void> {
      const planted = await cookiesOf(world, attacker);
      const before = new Hops(world);
      await before.visitor.plant(link, planted);
      if (await before.isSignedIn(link)) {
        const reason = 'The page asks whoever is signed in for the code, so it shows no session.';
        return judge.skip(name, reason);
      }
      const user = new Hops(world);
      await user.visitor.plant(link, planted);
      const asked = await toSignIn(user);
      if (signInForm(asked) === undefined) {
        const reason = 'Whoever is signed in is shown no form to sign in as another user.';
        return judge.skip(name, reason);
      }
      const signedIn = await user.signIn(asked, victim.email);
      const isThere = signedIn.forms.some(asksForCode);
      const page = isThere ? signedIn : await user.visitor.open(link);
      if (!page.forms.some(asksForCode)) {
        const reason = `The user does not get in over the session of another (${page.answer.describe()}).`;
        return judge.untestable(name, reason);
      }
      const thief = new Hops(world);
      await thief.visitor.plant(link, planted);
      const isIn = await thief.isSignedIn(link);
      const seen = "the user's page with the code, by the session that was planted";
      judge.expect(name, !isIn, seen, page.answer);
    }
  },
});

export const readableSession = serviceScenario({
  id: 'readable-session',
  title: 'Somebody writes another user into their own session cookie',
  checks: {
    altered: 'No cookie that names its user is believed once it names another one.',
  },
  async run(judge, world) {
    const own = await openClaim(world);
    const other = await openClaim(world);
    const earlier = valuesOf(await cookiesOf(world, own));
    const others = valuesOf(await cookiesOf(world, other));
    const cookies = await cookiesOf(world, own);
    const link = other.claim.verificationUri;

    const control = new Hops(world);
    await control.visitor.plant(own.claim.verificationUri, cookies);
    if (!(await control.isSignedIn(own.claim.verificationUri)))
      return judge.untestable('altered', 'Cookies alone do not sign a browser in.');

    // That no cookie names its user is what most services do, and is right.
    judge.expect('altered', true, 'no cookie that names its user');
    for (const { key, value } of cookies) {
      const names = { own: own.email, other: other.email };
      const samples = { earlier: earlier.get(key), other: others.get(key) };
      for (const altered of renamedValues(value, names, samples)) {
        const hops = new Hops(world);
        const kept = cookies.filter((cookie) => cookie.key !== key);
        const changed = cookies.filter((cookie) => cookie.key === key);
        await hops.visitor.plant(link, kept);
        await hops.visitor.plant(link, changed, () => altered);
        const isIn = await hops.isSignedIn(link);
        const shown = hops.all.at(-1)?.answer;
        const seen = "the other user's page with the code, by an altered cookie";
        judge.expect('altered', !isIn, seen, { case: key, ...(shown && shownBy(shown)) });
      }
    }
  },
});

/** The cookies of somebody who signed in to their own account. */
async function cookiesOf(
  world: ServiceWorld,
  { claim, email }: OpenClaim,
): Promise<readonly Cookie[]> {
  const hops = new Hops(world);
  const page = await hops.toCode(claim.verificationUri, email);
  return hops.visitor.cookies(page.url);
}

function valuesOf(cookies: readonly Cookie[]): ReadonlyMap<string, string> {
  return new Map(cookies.map(({ key, value }) => [key, value]));
}

export const signOut = serviceScenario({
  id: 'sign-out',
  title: 'A user opens a link with the wrong account, and signs out',
  checks: {
    'own-pages': 'Signing out redirects to no foreign site.',
    ended: 'After signing out the cookies of the session are of no use.',
  },
  resting: { 'sign-in-redirects.after-sign-in': ['own-pages'] },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const theirs = await openClaim(world);
    const link = claim.verificationUri;
    const theirLink = theirs.claim.verificationUri;

    const { form, page, hops } = await wrongAccount(world, link, theirs.email);
    if (form === undefined) throw new NotApplicable('The page offers no way to sign out.');

    const other = await wrongAccount(world, link, theirs.email);
    const { visitor } = hops;
    const cookies = await visitor.cookies(page.url);
    // Some forms are accepted from the latest view of their page only.
    const latest = await visitor.open(page.url);
    const signedOut = await visitor.submit(latest, signOutForm(latest) ?? form, {});
    await hops.signIn(signedOut, email);
    const thief = new Hops(world);
    await thief.visitor.plant(page.url, cookies);
    const isOver = !(await thief.isSignedIn(theirLink));
    judge.expect('ended', isOver, 'the page with the code, by the former cookies');

    if (other.form === undefined) return;
    const redirect = await foreignRedirect(() => signOutAbroad(other.form ?? form));
    judge.expect('own-pages', redirect === undefined, `a redirect to ${redirect?.url}`, redirect);

    /** Signs out by a form whose hidden paths lead to a foreign site. */
    async function signOutAbroad(own: PageForm): Promise<void> {
      const changed = own.fields
        .filter(({ type, value }) => type === 'hidden' && value.startsWith('/'))
        .map(({ name }) => [name, `//${world.elsewhere}/`]);
      const next = await other.hops.visitor.submit(other.page, own, Object.fromEntries(changed));
      await other.hops.signIn(next, theirs.email);
    }
  },
});

/** The page of a user who opens the link of another account. */
async function wrongAccount(
  world: ServiceWorld,
  link: string,
  email: string,
): Promise<{
  readonly hops: Hops;
  readonly page: Page;
  /** The one to sign out with. */
  readonly form: PageForm | undefined;
}> {
  const hops = new Hops(world);
  const page = await hops.signIn(await hops.toSignIn(link), email);
  return { hops, page, form: signOutForm(page) };
}

async function foreignRedirect(walk: () => Promise<void>): Promise<ForeignRedirect | undefined> {
  try {
    await walk();
    return undefined;
  } catch (error) {
    if (error instanceof ForeignRedirect) return error;
    throw error;
  }
}
