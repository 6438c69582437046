import { NotApplicable } from '../../../engine/judge.ts';
import { type PageForm, signOutForm } from '../../../pages/forms.ts';
import { ForeignRedirect } from '../../../pages/guarded-visitor.ts';
import type { Page } from '../../../pages/visitor.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signOut = serviceScenario({
  id: 'sign-out',
  title: 'A user opens a link with the wrong account, and signs out',
  checks: {
    'own-pages': 'Signing out redirects to no foreign site.',
    ended: 'After signing out the cookies of the session are of no use.',
  },
  restsOn: { 'own-pages': 'sign-in-redirects.after-sign-in' },
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
