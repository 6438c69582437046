import { status } from '../../../engine/rows.ts';
import {
  destinationNames,
  follow,
  foreignDestinations,
  type Hop,
  hiddenDestinations,
  type WayAbroad,
  withDestination,
} from '../../../pages/foreign-destinations.ts';
import { asUrl, FROM, followForeignLink, postForm } from '../../../pages/forged-forms.ts';
import type { PageForm } from '../../../pages/forms.ts';
import { signIn } from '../../../user/sign-in.ts';
import { signInForm, signInValues } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-world.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const signInRedirects = serviceScenario({
  id: 'sign-in-redirects',
  title: 'A link makes a sign-in redirect to a foreign site',
  checks: {
    'after-sign-in': 'After a sign-in no URL in its link or its form redirects to a foreign site.',
    'when-signed-in': 'A link with such a URL redirects no signed-in user to a foreign site.',
    'no-header': 'A line break in a URL adds no header to an answer.',
    'not-resent': 'No redirect after a sign-in is a 307 or 308, which would send the form again.',
    'see-other': 'A redirect after a sign-in is a 303.',
  },
  resting: { 'sign-in-redirects.after-sign-in': ['when-signed-in'] },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const signedIn = new Hops(world);
    const first = await signedIn.toSignIn(claim.verificationUri);
    signedIn.mustAskForCode(await signedIn.signIn(first, email));
    for (const { answer } of signedIn.posts()) {
      if (answer.status < 300 || answer.status >= 400) continue;
      judge.table(answer, {
        'not-resent': { ok: answer.status !== 307 && answer.status !== 308 },
        'see-other': status(303),
      });
    }
    judge.skip(['not-resent', 'see-other'], 'The sign-in does not redirect.');

    const names = destinationNames(claim.verificationUri, first.url);
    const { host } = new URL(first.url);
    const header = world.invented.header();
    const injected = `/\r\n${header}: 1\r\n\r\n`;
    for (const destination of [...foreignDestinations(world.elsewhere, host), injected]) {
      const link = withDestination(first.url, names, destination);
      const expectNoRedirect = (check: 'after-sign-in' | 'when-signed-in', outcome: WayAbroad) => {
        const { exchange, foreignUrl, isInjected } = outcome;
        const details = { case: JSON.stringify(destination), exchange };
        judge.expect(check, foreignUrl === undefined, `a way to ${foreignUrl}`, details);
        judge.expect('no-header', !isInjected, `a header ${header}`, { exchange });
      };
      // By forms whose hidden URLs are changed as well.
      const change = (form: PageForm) => hiddenDestinations(form, destination);
      const walk = async ({ visitor }: Hops) =>
        signIn(visitor, await visitor.open(link), email, world.means, { mayFail: true, change });
      const open = ({ visitor }: Hops) => visitor.open(link);
      expectNoRedirect('after-sign-in', await follow(new Hops(world), header, walk));
      expectNoRedirect('when-signed-in', await follow(signedIn, header, open));
    }
  },
});

export const signInForgery = serviceScenario({
  id: 'sign-in-forgery',
  title: 'A foreign page signs a user in as somebody else (login CSRF)',
  checks: {
    'foreign-page':
      'A sign-in that a foreign page sends, with what its author got from the service, signs nobody in.',
    'by-address': 'A sign-in whose values stand in a URL signs nobody in.',
  },
  resting: { 'sign-in-forgery.foreign-page': ['by-address'] },
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
