import { signOutForm } from '../../../pages/sign-out-form.ts';
import type { Cookie, Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { signInForm } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { shownBy } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';

export const plantedSession = serviceScenario({
  id: 'planted-session',
  title: 'Somebody who is signed in plants their own session into the browser of a user',
  checks: {
    'signed-in-over':
      'The session of somebody who was signed in is not that of the user who signs in over it.',
    'signed-out-first':
      'The session of somebody who was signed in is not that of the user who signs out and in again.',
  },
  async run(judge, world) {
    const victim = await openClaim(world);
    const attacker = await openClaim(world);
    const link = victim.claim.verificationUri;
    const signInUrl = (await new Hops(world).toSignIn(link)).url;

    await judgeWay('signed-in-over', async ({ visitor }) => {
      // Some show the form to whoever is signed in, some when it is asked for (OpenID Connect, prompt).
      const again = new URL(signInUrl);
      again.searchParams.set('prompt', 'login');
      let page = await visitor.open(link);
      for (const url of [signInUrl, again.href]) {
        if (signInForm(page) === undefined) page = await visitor.open(url);
      }
      return page;
    });
    await judgeWay('signed-out-first', async ({ visitor }) => {
      const wrong = await visitor.open(link);
      const form = signOutForm(wrong);
      if (form === undefined) return wrong;
      const out = await visitor.submit(wrong, form, {});
      return signInForm(out) === undefined ? visitor.open(link) : out;
    });

    /** @param toSignIn How the user gets from the planted session to a form to sign in with. */
    async function judgeWay(
      name: 'signed-in-over' | 'signed-out-first',
      toSignIn: (hops: Hops) => Promise<Page>,
    ): Promise<void> {
      const planted = await cookiesOf(attacker);
      const before = new Hops(world);
      await before.visitor.plant(link, planted);
      if (await before.isSignedIn(link)) {
        const reason = 'The page asks whoever is signed in for the code, so it shows no session.';
        return judge.skip(name, reason);
      }
      const user = new Hops(world);
      await user.visitor.plant(link, planted);
      const asked = await toSignIn(user);
      if (signInForm(asked) === undefined) {
        const reason = 'Whoever is signed in is shown no form to sign in as another user.';
        return judge.skip(name, reason);
      }
      const signedIn = await user.signIn(asked, victim.email);
      const isThere = signedIn.forms.some(asksForCode);
      const page = isThere ? signedIn : await user.visitor.open(link);
      if (!page.forms.some(asksForCode)) {
        const reason = `The user does not get in over the session of another (${page.answer.describe()}).`;
        return judge.untestable(name, reason);
      }
      const thief = new Hops(world);
      await thief.visitor.plant(link, planted);
      const isIn = await thief.isSignedIn(link);
      const seen = "the user's page with the code, by the session that was planted";
      judge.expect(name, !isIn, seen, shownBy(page.answer));
    }

    /** The cookies of somebody who signed in to their own account. */
    async function cookiesOf({ claim, email }: OpenClaim): Promise<readonly Cookie[]> {
      const hops = new Hops(world);
      const page = await hops.toCode(claim.verificationUri, email);
      return hops.visitor.cookies(page.url);
    }
  },
});
