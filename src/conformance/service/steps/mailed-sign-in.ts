import { NotApplicable } from '../../engine/judge.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { Page } from '../../pages/visitor.ts';
import { asksForCode, isCodeField, pressed } from '../../user/form-fields.ts';
import type { Mailbox } from '../../user/mailbox.ts';
import { mailedOf } from '../../user/mailed-step.ts';
import { codeIn } from '../../user/read-mail.ts';
import { signInForm, signInValues } from '../../user/sign-in-form.ts';
import type { ServiceWorld } from '../service-world.ts';
import { Hops } from './hops.ts';

const NO_MAILBOX = 'No mails are read: the sign-in needs none, or --mail-command was not given.';

/** Where the mails of the run's users are read. @throws NotApplicable */
export function mailboxOf({ means }: ServiceWorld): Mailbox {
  if (means.mailbox === undefined) throw new NotApplicable(NO_MAILBOX);
  return means.mailbox;
}

/** A browser that has asked for a mailed code, and stands before the field for it. */
export class MailedSignIn {
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
export function mailedCode(
  world: ServiceWorld,
  email: string,
  within?: number,
): Promise<string | undefined> {
  return mailboxOf(world).next(email, codeIn, within);
}
