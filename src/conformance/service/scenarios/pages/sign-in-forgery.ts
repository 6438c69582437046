import { asUrl, FROM, followForeignLink, postForm } from '../../../pages/forged-forms.ts';
import type { Hop } from '../../../pages/guarded-visitor.ts';
import { signInForm, signInValues } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signInForgery = serviceScenario({
  id: 'sign-in-forgery',
  title: 'A foreign page signs a user in as somebody else (login CSRF)',
  checks: {
    'foreign-page':
      'A sign-in that a foreign page sends, with what its author got from the service, signs nobody in.',
    'by-address': 'A sign-in whose values stand in a URL signs nobody in.',
  },
  restsOn: {
    'by-address': 'sign-in-forgery.foreign-page',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const link = claim.verificationUri;
    // What the author of the foreign page has: a sign-in of their own, request by request.
    const author = new Hops(world);
    const page = await author.signIn(await author.toSignIn(link), email);
    const posts = author.posts();
    if (!(await author.isSignedIn(link))) {
      judge.untestable(
        ['foreign-page', 'by-address'],
        `The sign-in of the suite itself did not succeed (${page.answer.describe()}).`,
      );
      return;
    }
    const signedIn = `${email} signed in, in the browser of somebody else`;

    for (const hasSession of [false, true]) {
      const victim = new Hops(world);
      if (hasSession) await victim.toSignIn(link);
      for (const hop of posts) await replay(victim, hop);
      judge.expect('foreign-page', !(await victim.isSignedIn(link)), signedIn, {
        exchange: victim.posts().at(-1)?.answer.exchange,
      });
    }

    const linked = new Hops(world);
    const form = signInForm(await linked.toSignIn(link));
    if (form === undefined) return;
    const signInUrl = asUrl(form.action, {
      ...form.values,
      ...signInValues(form, email, world.means),
    });
    await followForeignLink(linked.visitor, signInUrl);
    judge.expect('by-address', !(await linked.isSignedIn(link)), signedIn, {
      exchange: linked.all.find(({ url }) => url.includes('?') && url !== link)?.answer.exchange,
    });
  },
});

async function replay({ elsewhere, visitor }: Hops, { url, sending }: Hop): Promise<void> {
  const values = Object.fromEntries(new URLSearchParams(String(sending.body)));
  await postForm(visitor, url, values, FROM.foreignPage(elsewhere));
}
