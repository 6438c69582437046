import { CannotTest, NeedsOption } from '../../engine/judge.ts';
import {
  destinationNames,
  follow,
  foreignDestinations,
  hiddenDestinations,
  type WayAbroad,
  withDestination,
} from '../../pages/foreign-destinations.ts';
import type { GuardedVisitor } from '../../pages/guarded-visitor.ts';
import type { Page } from '../../pages/visitor.ts';
import { signIn } from '../../user/sign-in.ts';
import { signInForm } from '../../user/sign-in-form.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { questionOf, signedInAt } from '../sign-in.ts';

export const providerRedirects = providerScenario({
  id: 'provider-redirects',
  title: 'A link makes the sign-in of the provider redirect to a foreign site',
  checks: {
    'after-sign-in': 'After a sign-in no URL in its link or its form redirects to a foreign site.',
    'when-signed-in': 'A link with such a URL redirects no signed-in user to a foreign site.',
  },
  restsOn: { 'when-signed-in': 'provider-redirects.after-sign-in' },
  async run(judge, world) {
    const email = world.email();
    const start = await pageBehindSignIn(world);
    const signedIn = world.guarded();
    const first = await signedIn.visitor.open(start);
    if (signInForm(first) === undefined) {
      throw new CannotTest(
        `Behind ${new URL(start).pathname} (${first.answer.describe()}) no form asks a user to sign in.`,
      );
    }
    const page = await signedInAt(signedIn.visitor, start, email, world.means);
    if (signInForm(page) !== undefined || !page.answer.ok) {
      throw new CannotTest(`The sign-in ended at a page with ${page.answer.describe()}.`);
    }
    const names = destinationNames(start, first.url);
    for (const destination of foreignDestinations(world.elsewhere, new URL(first.url).host)) {
      const link = withDestination(first.url, names, destination);
      const expectNoRedirect = (check: 'after-sign-in' | 'when-signed-in', way: WayAbroad) => {
        const { exchange, foreignUrl } = way;
        const details = { case: JSON.stringify(destination), exchange };
        judge.expect(check, foreignUrl === undefined, `a way to ${foreignUrl}`, details);
      };
      const walk = (hops: GuardedVisitor) => signInBy(world, hops, { link, email, destination });
      const open = ({ visitor }: GuardedVisitor) => visitor.open(link);
      expectNoRedirect('after-sign-in', await follow(world.guarded(), '', walk));
      expectNoRedirect('when-signed-in', await follow(signedIn, '', open));
    }
  },
});

/** A page of the provider for which a user has to sign in. */
async function pageBehindSignIn(world: ProviderWorld): Promise<string> {
  if (world.facts.deviceEndpoint !== undefined) return (await world.startSignIn()).verificationUri;
  if (world.consentsUri !== undefined) return world.consentsUri;
  throw new NeedsOption(
    'No page is known for which a user signs in: name one with --consents-page.',
    '--consents-page',
  );
}

/** Signs in by a link, and by forms whose hidden URLs are changed as well. */
async function signInBy(
  { means }: ProviderWorld,
  { visitor }: GuardedVisitor,
  { destination, email, link }: { link: string; email: string; destination: string },
): Promise<Page> {
  return signIn(visitor, await visitor.open(link), email, means, {
    until: (page) => questionOf(page) !== undefined,
    mayConfirm: () => false,
    mayFail: true,
    change: (form) => hiddenDestinations(form, destination),
  });
}
