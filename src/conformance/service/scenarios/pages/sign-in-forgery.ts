import type { Answer } from '../../../http/answer.ts';
import {
  asUrl,
  bareAction,
  FROM,
  followForeignLink,
  postForm,
  tokenNames,
  without,
} from '../../../pages/forged-forms.ts';
import type { Hop } from '../../../pages/guarded-visitor.ts';
import { signInForm, signInValues } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { shownBy } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signInForgery = serviceScenario({
  id: 'sign-in-forgery',
  title: 'A foreign page signs a user in as somebody else (login CSRF)',
  checks: {
    'foreign-page':
      'A sign-in that a foreign page sends, with what its author got from the service, signs nobody in.',
    'by-address': 'A sign-in whose values stand in a URL signs nobody in.',
    'token-needed': 'A sign-in without the token of its form signs nobody in.',
  },
  restsOn: {
    'by-address': 'sign-in-forgery.foreign-page',
    'token-needed': 'sign-in-forgery.foreign-page',
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
        ['foreign-page', 'by-address', 'token-needed'],
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

    const bare = new Hops(world);
    const own = signInForm(await bare.toSignIn(link));
    if (own === undefined) return;
    const tokens = tokenNames(own, form);
    const values = without({ ...own.values, ...signInValues(own, email, world.means) }, tokens);
    const target = bareAction(own.action, tokens);
    const sent = await postForm(bare.visitor, target, values, FROM.ownPage(own.action));
    // Where a second step follows, the first one has to be refused already.
    const goesOn = posts.length > 1 && (sent.ok || leadsAlike(sent, posts[0]?.answer));
    const isIn = goesOn || (await bare.isSignedIn(link));
    const hasToken = tokens.length > 0;
    const seen = hasToken ? sent : 'a form without any token of the session';
    judge.expect('token-needed', hasToken && !isIn, seen, shownBy(sent));
  },
});

/** Both redirect to one page: that of the next step. */
function leadsAlike(one: Answer, other: Answer | undefined): boolean {
  const [to, too] = [one, other].map((answer) => answer?.header('location')?.split('?')[0]);
  return to !== undefined && to === too;
}

async function replay({ elsewhere, visitor }: Hops, { url, sending }: Hop): Promise<void> {
  const values = Object.fromEntries(new URLSearchParams(String(sending.body)));
  await postForm(visitor, url, values, FROM.foreignPage(elsewhere));
}
