import { signInForm, signInValues } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { asUrl, FROM, led, post, tokenNames, without } from '../../steps/forged-forms.ts';
import { Hops, type Step } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signInForgery = serviceScenario({
  id: 'sign-in-forgery',
  title: 'A foreign page signs somebody in as somebody else',
  checks: {
    'foreign-page':
      'A sign-in that a foreign page sends, with what its author got from the service, signs nobody in.',
    'by-address': 'A sign-in whose values stand in an address signs nobody in.',
    'token-needed': 'A sign-in without the token of its form signs nobody in.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const link = claim.verificationUri;
    // What the author of the foreign page has: a sign-in of their own, step by step.
    const author = new Hops(world);
    const first = await author.toSignIn(link);
    const page = await author.signIn(first, email);
    const own = author.posts();
    if (!(await author.isSignedIn(link))) {
      judge.untestable(
        ['foreign-page', 'by-address', 'token-needed'],
        `The sign-in of the suite itself did not succeed (${page.answer.describe()}).`,
      );
      return;
    }

    for (const victim of ['fresh', 'known'] as const) {
      const hops = new Hops(world);
      if (victim === 'known') await hops.toSignIn(link);
      for (const step of own) await replay(hops, step);
      judge.expect(
        'foreign-page',
        !(await hops.isSignedIn(link)),
        `${email} signed in, in the browser of somebody else`,
        {
          expected: `nobody signed in by a form from https://${world.elsewhere}`,
          exchange: hops.posts().at(-1)?.answer.exchange,
        },
      );
    }

    const linked = new Hops(world);
    const asked = signInForm(await linked.toSignIn(link));
    if (asked === undefined) return;
    const values = { ...asked.values, ...signInValues(asked, email) };
    await led(linked.visitor, asUrl(asked.action, values));
    judge.expect('by-address', !(await linked.isSignedIn(link)), `${email} signed in`, {
      exchange: linked.steps.find(({ url }) => url.includes('?') && url !== link)?.answer.exchange,
    });

    const bare = new Hops(world);
    const mine = signInForm(await bare.toSignIn(link));
    if (mine === undefined) return;
    const tokens = tokenNames(mine, asked);
    const filled = { ...mine.values, ...signInValues(mine, email) };
    const sent = await post(
      bare.visitor,
      mine.action,
      without(filled, tokens),
      FROM.ownPage(mine.action),
    );
    // Where a second step follows, the first one has to be refused already.
    const isIn = (await bare.isSignedIn(link)) || (sent.ok && own.length > 1);
    judge.expect(
      'token-needed',
      tokens.length > 0 && !isIn,
      tokens.length > 0 ? sent : 'a form without any value of the session',
      { exchange: sent.exchange },
    );
  },
});

async function replay({ elsewhere, visitor }: Hops, { url, sending }: Step): Promise<void> {
  const body = new URLSearchParams(String(sending.body));
  await post(visitor, url, Object.fromEntries(body), FROM.foreignPage(elsewhere));
}
