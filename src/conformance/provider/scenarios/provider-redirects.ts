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
import { describePage } from '../../user/describe-page.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decisionValues } from '../../user/form-user.ts';
import { signIn } from '../../user/sign-in.ts';
import { signInForm } from '../../user/sign-in-form.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { pressedFor, questionOf } from '../sign-in.ts';

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
    const first = await toSignIn(world, signedIn, start);
    if (signInForm(first) === undefined) {
      throw new CannotTest(`No form asks a user to sign in: ${describePage(first)}.`);
    }
    const page = await signInFrom(world, signedIn, first, { email });
    if (signInForm(page) !== undefined || !page.answer.ok) {
      throw new CannotTest(`The sign-in ended at a page with ${page.answer.describe()}.`);
    }
    // A page behind a code cannot be opened by its URL.
    const place = first.asked === start ? first.url : start;
    const names = destinationNames(start, first.url);
    for (const destination of foreignDestinations(world.elsewhere, new URL(first.url).host)) {
      const link = withDestination(place, names, destination);
      const expectNoRedirect = (check: 'after-sign-in' | 'when-signed-in', way: WayAbroad) => {
        const { exchange, foreignUrl } = way;
        const details = { case: JSON.stringify(destination), exchange };
        judge.expect(check, foreignUrl === undefined, `a way to ${foreignUrl}`, details);
      };
      const walk = async (hops: GuardedVisitor) => {
        const form = await toSignIn(world, hops, link);
        return signInFrom(world, hops, form, { email, destination });
      };
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

/** Opens a link; a page that asks for the code first gets a fresh one. Resolves to where that leads. */
async function toSignIn(
  world: ProviderWorld,
  { visitor }: GuardedVisitor,
  link: string,
): Promise<Page> {
  let page = await visitor.open(link);
  const codeForm = page.forms.find(asksForCode);
  if (signInForm(page) === undefined && codeForm !== undefined) {
    const { userCode } = await world.startSignIn();
    const typed = decisionValues(codeForm, { userCode, decision: 'approve' });
    page = await visitor.submit(page, codeForm, typed);
    const question = questionOf(page);
    if (question !== undefined) {
      page = await visitor.submit(page, question, pressedFor(question, 'approve'));
    }
  }
  return page;
}

/** Signs in; with a destination, by forms whose hidden URLs are changed. */
async function signInFrom(
  { means }: ProviderWorld,
  { visitor }: GuardedVisitor,
  first: Page,
  { destination, email }: { readonly email: string; readonly destination?: string },
): Promise<Page> {
  return signIn(visitor, first, email, means, {
    until: (page) => questionOf(page) !== undefined,
    mayConfirm: () => false,
    mayFail: destination !== undefined,
    change: (form) => (destination === undefined ? {} : hiddenDestinations(form, destination)),
  });
}
