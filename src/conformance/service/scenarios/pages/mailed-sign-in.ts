import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import type { PageForm } from '../../../pages/forms.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, isCodeField, pressed } from '../../../user/form-fields.ts';
import { mailedOf } from '../../../user/mailed-step.ts';
import { codeIn, linkIn, type Mailbox } from '../../../user/read-mail.ts';
import { signInForm, signInValues } from '../../../user/sign-in-form.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { shownBy } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { codeBits, LONG_CODE, LONG_CODE_BITS, wrongCodes } from '../../steps/user-codes.ts';

const GUESSES = 20;
/** Milliseconds that a mail is waited for which should not come. */
const SHORTLY = 3000;
const SIGNED_IN = 'the page with the code of the claim';

export const mailedSignIn = serviceScenario({
  id: 'mailed-sign-in',
  title: 'Somebody signs in by a mail that was not theirs',
  checks: {
    'own-code': 'A code that was mailed to one address signs in nobody of another address.',
    once: 'A mailed code signs in once.',
    guesses: 'Guessing a mailed code is stopped.',
    'look-alike': 'A mail to an address that looks like that of an account signs in to no account.',
    'opened-link': 'Opening a mailed link, as mail scanners do, signs in no other browser.',
    'link-host': 'No forwarding header changes the host of a mailed link.',
  },
  async run(judge, world) {
    const mailbox = mailboxOf(world);
    const victim = await openClaim(world);
    const attacker = await openClaim(world);
    const link = victim.claim.verificationUri;

    await judgeOnce();
    await judgeOwnCode();
    await judgeGuesses();
    await judgeLookAlikes();
    await judgeOpenedLink();
    await judgeHost();

    /** The right way first: a refusal of others counts only where it leads somewhere. */
    async function judgeOnce(): Promise<void> {
      const { code, right } = await mailed(victim);
      const before = await right.hops.visitor.cookies(right.page.url);
      const typed = await right.type(code);
      if (!(await right.hops.isSignedIn(link)))
        throw new CannotTest(`A mailed code signs nobody in (${typed.answer.describe()}).`);
      const again = new Hops(world);
      await again.visitor.plant(right.page.url, before);
      const { answer } = await right.type(code, again);
      judge.expect('once', !(await again.isSignedIn(link)), SIGNED_IN, answer);
    }

    async function judgeOwnCode(): Promise<void> {
      const asked = await mustAsk(victim);
      const { code } = await mailed(attacker);
      const { answer } = await asked.type(code);
      judge.expect('own-code', !(await asked.hops.isSignedIn(link)), SIGNED_IN, answer);
    }

    async function judgeGuesses(): Promise<void> {
      const { code, right } = await mailed(victim);
      for (const guess of wrongCodes(code, GUESSES)) await right.type(guess);
      const { answer } = await right.type(code);
      judge.expect('guesses', !(await right.hops.isSignedIn(link)), SIGNED_IN, {
        case: `the right code after ${GUESSES} wrong ones`,
        reading: codeBits(code) >= LONG_CODE_BITS ? LONG_CODE : undefined,
        ...shownBy(answer),
      });
    }

    async function judgeLookAlikes(): Promise<void> {
      for (const email of lookAlikes(victim.email)) {
        const asked = await MailedSignIn.ask(world, link, email);
        const code = asked && (await mailedCode(world, email, SHORTLY));
        const answer = code === undefined ? asked?.page.answer : (await asked?.type(code))?.answer;
        const isIn = code !== undefined && (await asked?.hops.isSignedIn(link)) === true;
        const shown = answer === undefined ? {} : shownBy(answer);
        judge.expect('look-alike', !isIn, SIGNED_IN, { case: email, ...shown });
      }
    }

    async function judgeOpenedLink(): Promise<void> {
      const asked = await mustAsk(victim);
      const { url } = asked.page;
      const opened = await mailbox.next(victim.email, (mail) => linkIn(mail, url), SHORTLY);
      if (opened === undefined) return judge.skip('opened-link', 'The mail has no link.');
      world.means.conceal?.(opened);
      const { answer } = await world.visitor().open(opened);
      judge.expect('opened-link', !(await asked.hops.isSignedIn(link)), SIGNED_IN, answer);
    }

    async function judgeHost(): Promise<void> {
      const hops = new Hops(world);
      const page = await hops.toSignIn(link);
      const form = signInForm(page);
      if (form === undefined) return;
      await mailbox.note(victim.email);
      const values = { ...form.values, ...signInValues(form, victim.email, world.means) };
      const sent = await hops.visitor.exchange(form.action, {
        method: 'POST',
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['origin', new URL(page.url).origin],
          ['x-forwarded-host', world.elsewhere],
          ['forwarded', `host=${world.elsewhere}`],
        ],
        body: new URLSearchParams(values).toString(),
      });
      const mail = await mailbox.next(victim.email, (text) => text || undefined, SHORTLY);
      if (mail === undefined) return judge.skip('link-host', 'With these headers no mail comes.');
      const isTheirs = mail.includes(world.elsewhere);
      judge.expect('link-host', !isTheirs, `a mail that names ${world.elsewhere}`, sent);
    }

    async function mustAsk({ claim, email }: OpenClaim): Promise<MailedSignIn> {
      const asked = await MailedSignIn.ask(world, claim.verificationUri, email);
      if (asked !== undefined) return asked;
      throw new CannotTest(`The sign-in sends no mail to ${email}.`);
    }

    /** A sign-in, and the code that was mailed for it. */
    async function mailed(
      claim: OpenClaim,
    ): Promise<{ readonly right: MailedSignIn; readonly code: string }> {
      const right = await mustAsk(claim);
      const code = await mailedCode(world, claim.email);
      if (code === undefined) throw new CannotTest(`No mail with a code came to ${claim.email}.`);
      world.means.conceal?.(code);
      return { right, code };
    }
  },
});

/** What folds into the same address where Unicode is folded (Unicode TR 36, CVE-2019-19844). */
function lookAlikes(email: string): readonly string[] {
  const [name = '', host = ''] = email.split('@');
  const wide = String.fromCodePoint((name.codePointAt(0) ?? 0) + 0xfee0);
  const names = [
    `${wide}${name.slice(1)}`,
    name.replace('k', '\u212a'),
    name.replace('s', '\u017f'),
  ];
  return names.filter((each) => each !== name).map((each) => `${each}@${host}`);
}

const NO_MAILBOX = 'No mails are read: the sign-in needs none, or --mail-command was not given.';

/** Where the mails of the run's users are read. @throws NotApplicable */
function mailboxOf({ means }: ServiceWorld): Mailbox {
  if (means.mailbox === undefined) throw new NotApplicable(NO_MAILBOX);
  return means.mailbox;
}

/** A browser that has asked for a mailed code, and stands before the field for it. */
class MailedSignIn {
  readonly hops: Hops;
  readonly page: Page;
  readonly #form: PageForm;

  private constructor(hops: Hops, page: Page, form: PageForm) {
    this.hops = hops;
    this.page = page;
    this.#form = form;
  }

  /**
   * Asks for a mail to that email address; undefined where the service refuses to send one there.
   * @param link Of a claim: its sign-in is used.
   * @throws NotApplicable where the sign-in asks for no mailed code.
   */
  static async ask(
    world: ServiceWorld,
    link: string,
    email: string,
  ): Promise<MailedSignIn | undefined> {
    const hops = new Hops(world);
    const first = await hops.toSignIn(link);
    const form = signInForm(first);
    if (form === undefined) return undefined;
    await mailboxOf(world).note(email);
    const values = signInValues(form, email, world.means);
    return MailedSignIn.before(world, hops, await hops.visitor.submit(first, form, values));
  }

  /** What the page asks for; undefined where it is a refusal. @throws NotApplicable */
  static before(world: ServiceWorld, hops: Hops, page: Page): MailedSignIn | undefined {
    if (!page.answer.ok) return undefined;
    const begun = { gaveEmail: true, gavePassword: false, gaveCode: false, followedLink: false };
    const mailed = mailedOf(page, { ...begun, means: world.means });
    const form = page.forms.find(asksForCode);
    if (mailed === undefined || form === undefined)
      throw new NotApplicable('The sign-in asks for no mailed code.');
    return new MailedSignIn(hops, page, form);
  }

  /** The page after a code was typed. */
  type(code: string, hops = this.hops): Promise<Page> {
    const field = this.#form.fields.find(isCodeField)?.name ?? '';
    const values = { ...pressed(this.#form, undefined), [field]: code };
    return hops.visitor.submit(this.page, this.#form, values);
  }
}

/** The code of the mail that has come since; undefined where none comes in time. */
function mailedCode(
  world: ServiceWorld,
  email: string,
  within?: number,
): Promise<string | undefined> {
  return mailboxOf(world).next(email, codeIn, within);
}
