import { NotApplicable } from '../../../engine/judge.ts';
import type { PageForm } from '../../../pages/forms.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { asUrl, FROM, led, post, tokenNames, without } from '../../steps/forged-forms.ts';
import { Hops, LedAway } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signOut = serviceScenario({
  id: 'sign-out',
  title: 'Somebody opened a link with the wrong account, and signs out',
  checks: {
    offered: 'The page for another account offers to sign out.',
    'foreign-page': 'A form that a foreign page sends signs nobody out, and neither does a GET.',
    'own-pages': 'Signing out leads to no other site.',
    'way-back': 'After it the owner signs in, and gets to the code.',
    ended: 'Whoever kept the cookies of the session is signed in no longer.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const theirs = await openClaim(world);
    const link = claim.verificationUri;

    const { form, page, hops } = await wrongAccount(world, link, theirs.email);
    judge.expect('offered', form !== undefined, page.answer);
    if (form === undefined) throw new NotApplicable('The page offers no way to sign out.');

    const other = await wrongAccount(world, link, theirs.email);
    const tokens = other.form === undefined ? [] : tokenNames(form, other.form);
    const isIn = () => hops.isSignedIn(theirs.claim.verificationUri);
    const forged = await post(
      hops.visitor,
      form.action,
      without(form.values, tokens),
      // To SameSite a page at another port of the host is no foreigner: its cookies go along.
      FROM.sibling(form.action),
    );
    await led(hops.visitor, asUrl(form.action, without(form.values, tokens)));
    if (!judge.expect('foreign-page', await isIn(), forged)) return;

    const kept = await hops.visitor.cookies(page.url);
    // A form may be good for the latest view of its page alone.
    const latest = await hops.visitor.open(page.url);
    const signedOut = await hops.visitor.submit(latest, signOutForm(latest) ?? form, {});
    const back = await hops.signIn(signedOut, email);
    judge.expect('way-back', back.forms.some(asksForCode), back.answer);
    const thief = new Hops(world);
    await thief.visitor.plant(page.url, kept);
    judge.expect(
      'ended',
      !(await thief.isSignedIn(theirs.claim.verificationUri)),
      'the page with the code, by the cookies of before',
    );

    if (other.form === undefined) return;
    const addresses = other.form.fields
      .filter(({ type, value }) => type === 'hidden' && value.startsWith('/'))
      .map(({ name }) => [name, `//${world.elsewhere}/`]);
    const away = await leads(async () => {
      const next = await other.hops.visitor.submit(
        other.page,
        other.form ?? form,
        Object.fromEntries(addresses),
      );
      await other.hops.signIn(next, theirs.email);
    });
    judge.expect('own-pages', away === undefined, `a redirect to ${away?.url}`, {
      exchange: away?.exchange,
    });
  },
});

/** What somebody sees who opens the link of another account. */
async function wrongAccount(
  world: ServiceWorld,
  link: string,
  email: string,
): Promise<{
  readonly hops: Hops;
  readonly page: Page;
  /** By which they can sign out: the only one that such a page has. */
  readonly form: PageForm | undefined;
}> {
  const hops = new Hops(world);
  const page = await hops.signIn(await hops.toSignIn(link), email);
  return { hops, page, form: signOutForm(page) };
}

function signOutForm({ forms }: Page): PageForm | undefined {
  const bare = forms.filter(isBare);
  return bare.find(({ action }) => /(log|sign).?(out|off)/i.test(action)) ?? bare[0];
}

/** Nothing is typed into it. */
function isBare({ fields, method }: PageForm): boolean {
  return method === 'POST' && fields.every(({ type }) => ['hidden', 'submit'].includes(type));
}

async function leads(walk: () => Promise<void>): Promise<LedAway | undefined> {
  try {
    await walk();
    return undefined;
  } catch (error) {
    if (error instanceof LedAway) return error;
    throw error;
  }
}
