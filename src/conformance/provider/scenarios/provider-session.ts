import {
  CannotTest,
  type Judge,
  judgePart,
  NeedsOption,
  NotApplicable,
} from '../../engine/judge.ts';
import {
  destinationNames,
  follow,
  foreignDestinations,
  type GuardedVisitor,
  hiddenDestinations,
  type WayAbroad,
  withDestination,
} from '../../pages/foreign-destinations.ts';
import { FROM, postForm } from '../../pages/forged-forms.ts';
import { saidSignOut } from '../../pages/forms.ts';
import { type Cookie, madeUp, type Page, type Visitor } from '../../pages/visitor.ts';
import { describePage } from '../../user/describe-page.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decisionValues } from '../../user/form-user.ts';
import { signIn } from '../../user/sign-in.ts';
import { signInForm } from '../../user/sign-in-form.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
import { pressedFor, questionOf, signedInAt } from '../sign-in.ts';
import { askedUri } from '../steps/asked-uri.ts';

export const providerSession = providerScenario({
  id: 'provider-session',
  title: 'An attacker plants a session in the browser of a user',
  checks: {
    fixation: 'Cookies from before a sign-in give no access after it (session fixation).',
    'signed-out': 'After its user signed out the cookies of a session are of no use.',
    'foreign-sign-in': 'A sign-in that another site sends signs nobody in (login CSRF).',
  },
  resting: { 'consent-attacks.cross-site': ['foreign-sign-in'] },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    world.needNewcomers();
    const session = await world.session();
    const { email } = session;
    const link = await askedUri(world, session, world.audience().issuer);
    const user: SignedIn = { email, link, isIn: (visitor) => isAsked(visitor, link) };
    if (await user.isIn(world.visitor())) {
      throw new CannotTest(
        'The consent page asks without a sign-in, so no session is known by it.',
      );
    }
    await judgePlanted(judge, world, user);
    await judgePart(judge, 'fixation', () => judgeOtherAccount(judge, world, user));
    await judgePart(judge, 'signed-out', () => judgeSignedOut(judge, world, user));
    await judgePart(judge, 'foreign-sign-in', () => judgeForeign(judge, world, user));
  },
});

/** A user, and the page that asks nobody but this user. */
interface SignedIn {
  readonly email: string;
  readonly link: string;
  isIn(visitor: Visitor): Promise<boolean>;
}

type Attack<Name extends string> = (
  judge: Judge<Name>,
  world: ProviderWorld,
  user: SignedIn,
) => Promise<void>;

const isQuestion = (page: Page): boolean => questionOf(page) !== undefined;

async function isAsked(visitor: Visitor, link: string): Promise<boolean> {
  return isQuestion(await visitor.open(link));
}

/** Cookies that were there before the sign-in, given by the provider or made up. */
const judgePlanted: Attack<'fixation'> = async (judge, world, { email, isIn, link }) => {
  const visitor = world.visitor();
  await visitor.open(link);
  const before = await visitor.cookies(link);
  await signedInAt(visitor, link, email, world.means);
  if (!(await isIn(visitor))) {
    throw new CannotTest('After the sign-in its user is not asked on the consent page.');
  }
  const after = await visitor.cookies(link);
  const victim = world.visitor();
  await victim.plant(link, after, madeUp);
  const planted = await victim.cookies(link);
  await signedInAt(victim, link, email, world.means);
  for (const [what, cookies] of [
    ['from before the sign-in', before],
    ['that were planted', planted],
  ] as const) {
    judge.expect('fixation', !(await opens(world, link, cookies)), `access by cookies ${what}`);
  }
};

/** The attacker is signed in with another account, and plants the cookies of that session. */
const judgeOtherAccount: Attack<'fixation'> = async (judge, world, { email, isIn, link }) => {
  const form = (await world.visitor().open(link)).url;
  const attacker = world.visitor();
  await signedInAt(attacker, link, world.freshEmail(), world.means);
  if (await isIn(attacker)) {
    throw new CannotTest(
      'The consent page asks any account, so it does not show whose session it is.',
    );
  }
  const cookies = await attacker.cookies(link);
  const victim = world.visitor();
  await victim.plant(link, cookies);
  if (!(await signInAgain(world, victim, form, email)) || !(await isIn(victim))) {
    throw new NotApplicable('In the session of another account no user can sign in.');
  }
  const seen = 'access by the cookies of another account, in which the user signed in';
  judge.expect('fixation', !(await opens(world, link, cookies)), seen);
};

/** Asks for a sign-in as OpenID Connect Core §3.1.2.1 does: who is signed in is asked, too. */
async function signInAgain(
  { means }: ProviderWorld,
  visitor: Visitor,
  signInUrl: string,
  email: string,
): Promise<boolean> {
  const again = new URL(signInUrl);
  again.searchParams.set('prompt', 'login');
  for (const url of [signInUrl, again.href]) {
    const page = await visitor.open(url);
    if (signInForm(page) === undefined) continue;
    await signIn(visitor, page, email, means, { until: isQuestion });
    return true;
  }
  return false;
}

/** Signs out where a page offers that: that of another account's link, that of consents, the first one. */
const judgeSignedOut: Attack<'signed-out'> = async (judge, world, { email, isIn, link }) => {
  const visitor = world.visitor();
  await signedInAt(visitor, link, email, world.means);
  const cookies = await visitor.cookies(link);
  const places = [link, world.consentsUri, world.facts.issuer].filter((url) => url !== undefined);
  for (const place of places) {
    const page = await visitor.open(place);
    const form = saidSignOut(page);
    if (form === undefined) continue;
    const { answer } = await visitor.submit(page, form, {});
    if (await isIn(visitor)) break;
    const seen = 'access by the cookies from before the sign-out';
    const { exchange } = answer;
    judge.expect('signed-out', !(await opens(world, link, cookies)), seen, { exchange });
    return;
  }
  throw new NotApplicable('No page that is known offers a way to sign out.');
};

/** The author of a page of another site has the victim's browser sign in as the author. */
const judgeForeign: Attack<'foreign-sign-in'> = async (judge, world, { email, isIn, link }) => {
  const author = world.guarded();
  await signedInAt(author.visitor, link, email, world.means);
  const posts = author.posts();
  if (!(await isIn(author.visitor)) || posts.length === 0) {
    throw new CannotTest('The sign-in of the suite itself did not succeed.');
  }
  for (const hasSession of [false, true]) {
    const victim = world.guarded();
    if (hasSession) await victim.visitor.open(link);
    for (const { sending, url } of posts) {
      const values = Object.fromEntries(new URLSearchParams(String(sending.body)));
      await postForm(victim.visitor, url, values, FROM.foreignPage(world.elsewhere));
    }
    const isSignedIn = await isIn(victim.visitor);
    judge.expect('foreign-sign-in', !isSignedIn, `${email} signed in, in the browser of another`, {
      exchange: victim.posts().at(-1)?.answer.exchange,
    });
  }
};

/** Whether a browser with these cookies alone is that of the user. */
async function opens(
  world: ProviderWorld,
  link: string,
  cookies: readonly Cookie[],
): Promise<boolean> {
  const visitor = world.visitor();
  await visitor.plant(link, cookies);
  return isAsked(visitor, link);
}

export const providerRedirects = providerScenario({
  id: 'provider-redirects',
  title: 'A link makes the sign-in of the provider redirect to a foreign site',
  checks: {
    'after-sign-in': 'After a sign-in no URL in its link or its form redirects to a foreign site.',
    'when-signed-in': 'A link with such a URL redirects no signed-in user to a foreign site.',
  },
  resting: { 'provider-redirects.after-sign-in': ['when-signed-in'] },
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
