import { NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import type { PageForm } from '../../../pages/forms.ts';
import type { Page } from '../../../pages/visitor.ts';
import { signIn } from '../../../user/sign-in.ts';
import { isPassword, signInForm, signInValues } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-world.ts';
import { notLimited } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { textOf } from '../../steps/injected-markup.ts';
import { openClaim } from '../../steps/open-claim.ts';

const NO_PASSWORDS = 'No password is known of the users who sign in (--accounts).';

export const passwordSignIn = serviceScenario({
  id: 'password-sign-in',
  title: 'Somebody signs in with their own password as another user, or asks who has an account',
  checks: {
    'own-account':
      'A later step of a sign-in that names another email signs in nobody but the user whose password it has.',
    'unknown-alike':
      'The first step of a sign-in is answered alike, whether its email has an account.',
  },
  async run(judge, world) {
    const victim = await openClaim(world);
    const passwordOf = (email: string) => world.means.account(email)?.password;
    if (passwordOf(victim.email) === undefined) throw new NotApplicable(NO_PASSWORDS);
    const link = victim.claim.verificationUri;
    await judgeOwnAccount();
    await judgeUnknown();

    async function judgeOwnAccount(): Promise<void> {
      const attacker = await openClaim(world);
      if (passwordOf(attacker.email) === passwordOf(victim.email)) {
        const reason = 'Both users have one password: the users of --accounts need their own.';
        return judge.skip('own-account', reason, { needs: '--accounts' });
      }
      // The right way first: a refusal counts only where that leads somewhere.
      await new Hops(world).toCode(attacker.claim.verificationUri, attacker.email);
      const hops = new Hops(world);
      let step = 0;
      let hasNamed = false;
      const change = (form: PageForm) => {
        step += 1;
        const named = step === 1 ? {} : renamed(form, attacker.email, victim.email);
        hasNamed ||= Object.keys(named).length > 0;
        return named;
      };
      const first = await hops.toSignIn(link);
      const walk = { change, mayFail: true };
      const { answer } = await signIn(hops.visitor, first, attacker.email, world.means, walk);
      if (!hasNamed) {
        return judge.skip('own-account', 'No later step of the sign-in carries the email.');
      }
      const seen = "the victim's page with the code, by the password of somebody else";
      judge.expect('own-account', !(await hops.isSignedIn(link)), seen, answer);
    }

    /** The known one between two that are not: what those have in common, it has to have too. */
    async function judgeUnknown(): Promise<void> {
      const [before, after] = [world.unknownEmail(), world.unknownEmail()];
      if (passwordOf(before) !== undefined) {
        const text = 'Every email here may have an account: name a pattern without a password too.';
        throw new NeedsOption(text, '--accounts');
      }
      const first = await traitsOf(before);
      const known = await traitsOf(victim.email);
      const last = await traitsOf(after);
      for (const name of ['status', 'location', 'page'] as const) {
        const isShared = first[name] === last[name];
        const isAlike = !isShared || known[name] === first[name];
        const seen = `${name} is ${known[name]} for a user, and ${first[name]} for nobody`;
        judge.expect('unknown-alike', isAlike, seen, last.asked.answer);
      }
    }

    /** What the first step answers, without the email; a password that it asks for is wrong. */
    async function traitsOf(email: string) {
      const hops = new Hops(world);
      const page = await hops.toSignIn(link);
      const form = signInForm(page);
      if (form === undefined) throw new NotApplicable('The sign-in has no form.');
      const wrong = form.fields.filter(isPassword).map(({ name }) => [name, 'wrong password 0']);
      const values = { ...signInValues(form, email), ...Object.fromEntries(wrong) };
      const sent = hops.all.length;
      const asked: Page = await hops.visitor.submit(page, form, values);
      const answers = hops.all.slice(sent).map(({ answer }) => notLimited(answer));
      const anonymous = (text: string) =>
        text.replaceAll(email, '…').replaceAll(encodeURIComponent(email), '…');
      return {
        asked,
        status: answers.map(({ status }) => status).join(', '),
        location: anonymous(answers.map((each) => each.header('location') ?? 'none').join(', ')),
        page: anonymous(textOf(asked)),
      };
    }
  },
});

/** The fields that carry one email, with another one. */
function renamed(form: PageForm, own: string, other: string): Readonly<Record<string, string>> {
  const named = form.fields.filter(({ value }) => value.toLowerCase() === own.toLowerCase());
  return Object.fromEntries(named.map(({ name }) => [name, other]));
}
