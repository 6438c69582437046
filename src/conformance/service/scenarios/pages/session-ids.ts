import type { Cookie, Page } from '../../../pages/visitor.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const sessionIds = serviceScenario({
  id: 'session-ids',
  title: 'Somebody knows or sees the session of a user',
  checks: {
    fixation: 'Cookies that a browser had before a sign-in are of no use after it.',
    'hidden-from-scripts': 'The session cookie is HttpOnly.',
    'hidden-from-others':
      'The session cookie has a SameSite of Lax or Strict, and is Secure where the page is https.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const link = claim.verificationUri;
    const hops = new Hops(world);
    await hops.toSignIn(link);
    const before = await hops.visitor.cookies(link);
    const page = await hops.toCode(link, email);
    const after = await hops.visitor.cookies(page.url);
    const seen = (how: string) => `the page with the code, by cookies ${how}`;
    judge.expect('fixation', !(await isEnough(world, link, before)), seen('of before the sign-in'));

    // As though somebody had slipped cookies in, under the names that the service uses.
    const victim = new Hops(world);
    await victim.visitor.plant(link, after, madeUp);
    const planted = await victim.visitor.cookies(link);
    await victim.toCode(link, email);
    judge.expect('fixation', !(await isEnough(world, link, planted)), seen('that were planted'));

    const needed = await sessionCookies(world, page, after);
    if (needed.length === 0) {
      judge.skip(
        ['hidden-from-scripts', 'hidden-from-others'],
        'No cookie is needed by itself: which of them is the session is not to be told.',
      );
    }
    for (const cookie of needed) {
      judge.expect('hidden-from-scripts', cookie.httpOnly, 'none', {
        expected: `HttpOnly on ${cookie.key}`,
      });
      judge.expect(
        'hidden-from-others',
        /^(lax|strict)$/i.test(cookie.sameSite ?? ''),
        cookie.sameSite ?? 'none',
        { expected: `SameSite=Lax or Strict on ${cookie.key}` },
      );
      judge.expect('hidden-from-others', cookie.secure || !page.url.startsWith('https:'), 'none', {
        expected: `Secure on ${cookie.key}`,
      });
    }
  },
});

/** Whether these cookies make somebody of a browser that has nothing else. */
async function isEnough(
  world: ServiceWorld,
  link: string,
  cookies: readonly Cookie[],
): Promise<boolean> {
  const hops = new Hops(world);
  await hops.visitor.plant(link, cookies);
  return hops.isSignedIn(link);
}

/** Those without which nobody is signed in. */
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

/** As long, of the same characters, and of nobody. */
function madeUp(value: string): string {
  return value.replace(/[A-Ya-y0-8]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 1),
  );
}
