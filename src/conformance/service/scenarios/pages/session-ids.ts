import { type Cookie, madeUp, type Page } from '../../../pages/visitor.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

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
  restsOn: { 'for-pages': 'challenge.open' },
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

/** Those without which the browser is not signed in. */
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
