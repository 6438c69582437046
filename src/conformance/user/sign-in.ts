import { NeedsOption } from '../engine/judge.ts';
import { plainText } from '../engine/plain-text.ts';
import type { PageForm } from '../pages/forms.ts';
import type { Page, Visitor } from '../pages/visitor.ts';
import { describePage } from './describe-page.ts';
import { asksForCode, isCodeField, pressed } from './form-fields.ts';
import { mailedOf } from './mailed-step.ts';
import { NotUnderstood } from './own-reading.ts';
import { codeIn, linkIn } from './read-mail.ts';
import { asksForEmail, isPassword, signInForm, signInValues } from './sign-in-form.ts';
import { EMAIL_ALONE, type SignInMeans } from './sign-in-means.ts';

const MAX_STEPS = 8;

export interface SignInWalk {
  /** Ends it at a page that is about something else. */
  readonly until?: (page: Page) => boolean;
  /** Whether a form without input may be confirmed on a page. Default: on all of them. */
  readonly mayConfirm?: (page: Page) => boolean;
  /** Sent instead of the right values of a form. */
  readonly change?: (form: PageForm) => Readonly<Record<string, string>>;
  /** Resolves to the page where it stopped, whatever it asks for. */
  readonly mayFail?: boolean;
}

/** How far a sign-in has come. */
interface Progress extends SignInWalk {
  readonly email: string;
  readonly means: SignInMeans;
  /** The URL that was opened. */
  readonly start: string;
  gaveEmail: boolean;
  gavePassword: boolean;
  gaveCode: boolean;
  followedLink: boolean;
}

/**
 * Submits sign-in forms until a page has another one: an email, a password on the same page or the next, a
 * code or a link that is mailed, a confirmation.
 * @throws NotUnderstood, NeedsOption with the page where it stopped.
 */
export async function signIn(
  visitor: Visitor,
  first: Page,
  email: string,
  means: SignInMeans = EMAIL_ALONE,
  walk: SignInWalk = {},
): Promise<Page> {
  const progress: Progress = {
    ...walk,
    email,
    means,
    start: first.asked ?? first.url,
    gaveEmail: false,
    gavePassword: false,
    gaveCode: false,
    followedLink: false,
  };
  let page = first;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (walk.until?.(page) === true) return page;
    try {
      const next = await nextPage(visitor, page, progress);
      if (next === undefined) return page;
      page = next;
    } catch (error) {
      if (walk.mayFail === true && isStop(error)) return page;
      throw error;
    }
  }
  if (walk.mayFail === true) return page;
  throw stopped(page, 'The sign-in does not end', neverBack(visitor) ?? OTHER_DRIVERS);
}

/** The page after the next step of a sign-in; undefined where there is none. */
async function nextPage(
  visitor: Visitor,
  page: Page,
  progress: Progress,
): Promise<Page | undefined> {
  const { email, means, start } = progress;
  const mailed = mailedOf(page, progress);
  if (mailed === 'code' || mailed === 'perhaps') {
    return typeMailedCode(visitor, page, progress, mailed === 'perhaps');
  }
  const form = signInForm(page, progress.gaveEmail && progress.mayConfirm?.(page) !== false);
  if (form !== undefined) {
    expectNoReturn(visitor, page, form, progress);
    const values = valuesFor(page, form, email, means);
    if (!progress.gaveEmail) await means.mailbox?.note(email);
    progress.gaveEmail = true;
    progress.gavePassword ||= form.fields.some(isPassword);
    return visitor.submit(page, form, { ...values, ...progress.change?.(form) });
  }
  if (mailed === 'link') return followMailedLink(visitor, page, progress);
  const isBack = page.forms.some(asksForCode) || page.asked === start;
  if (progress.followedLink && !isBack) return visitor.open(start);
  return undefined;
}

/** @throws NotUnderstood where a page comes again that has been answered. */
function expectNoReturn(
  visitor: Visitor,
  page: Page,
  form: PageForm,
  { gaveEmail, gavePassword, means }: Progress,
): void {
  const cause = neverBack(visitor);
  if (form.fields.some(isPassword)) {
    if (!gavePassword) return;
    throw stopped(
      page,
      'The sign-in asks for the password again',
      cause ?? 'check the one in --accounts',
    );
  }
  const asksAgain = gaveEmail && form.fields.some(asksForEmail);
  if (!asksAgain || (visitor.withheld.size === 0 && means.mailbox === undefined)) return;
  throw stopped(page, 'The sign-in begins again', cause ?? OTHER_DRIVERS);
}

async function typeMailedCode(
  visitor: Visitor,
  page: Page,
  progress: Progress,
  isUnsure: boolean,
): Promise<Page | undefined> {
  const { email, means, gaveCode } = progress;
  if (gaveCode) throw stopped(page, 'The sign-in did not take the mailed code', OTHER_DRIVERS);
  if (means.mailbox === undefined) {
    throw stopped(page, 'The sign-in asks for a mailed code', NAME_MAILS, MAIL_COMMAND);
  }
  const code = await means.mailbox.next(email, codeIn, isUnsure ? GLANCE : undefined);
  if (code === undefined && isUnsure) return undefined;
  if (code === undefined) throw noMail(page, 'code', email);
  means.conceal?.(code);
  progress.gaveCode = true;
  const form = page.forms.find(asksForCode);
  const field = form?.fields.find(isCodeField);
  if (form === undefined || field === undefined) return undefined;
  return visitor.submit(page, form, { ...pressed(form, undefined), [field.name]: code });
}

async function followMailedLink(visitor: Visitor, page: Page, progress: Progress): Promise<Page> {
  const { email, means } = progress;
  if (means.mailbox === undefined) {
    throw stopped(page, 'The sign-in goes on in a mail', NAME_MAILS, MAIL_COMMAND);
  }
  const link = await means.mailbox.next(email, (mail) => linkIn(mail, page.url));
  if (link === undefined) throw noMail(page, 'link', email);
  means.conceal?.(link);
  progress.followedLink = true;
  return visitor.open(link);
}

/** Milliseconds that a mail is waited for which may never come. */
const GLANCE = 5000;

const WITHHELD = {
  secure:
    'is Secure and the page is plain http, so that no browser sends it back: use https, or set it without Secure here',
  domain: 'names another host in Domain, so that no browser keeps it',
} as const;

/** Why a browser is never recognised again; undefined where that is no reason. */
function neverBack({ wasGivenCookies, withheld }: Visitor): string | undefined {
  const [first] = withheld;
  if (first !== undefined) return `its cookie ${plainText(first[0], 60)} ${WITHHELD[first[1]]}`;
  if (wasGivenCookies) return undefined;
  return 'it sets no cookie, by which a browser would be known again (some frameworks leave out one that is Secure where the page is plain http)';
}

const OTHER_DRIVERS = 'use --user manual, browser or command';
const MAIL_COMMAND = '--mail-command';
const NAME_MAILS = `name what prints it with ${MAIL_COMMAND}`;

function isStop(error: unknown): boolean {
  return error instanceof NotUnderstood || error instanceof NeedsOption;
}

/** @param option The one that would lead on. */
function stopped(page: Page, problem: string, hint: string, option?: string): Error {
  const text = `${problem}: ${hint}. It stopped at ${describePage(page)}.`;
  return option === undefined ? new NotUnderstood(text) : new NeedsOption(text, option);
}

function noMail(page: Page, what: 'code' | 'link', email: string): Error {
  const problem = `No mail with a ${what} came to ${email} in time`;
  return stopped(page, problem, 'look at --mail-command and --patience');
}

/** The values of a sign-in form. @throws NeedsOption where it asks for a password that nobody named. */
function valuesFor(
  page: Page,
  form: PageForm,
  email: string,
  means: SignInMeans,
): Readonly<Record<string, string>> {
  const account = means.account(email);
  if (form.fields.some(isPassword) && account?.password === undefined) {
    // The pattern of those that are made up: it is what --accounts takes, and one reason for all of them.
    throw stopped(
      page,
      `The sign-in asks for a password, and none is known for ${account?.email ?? email}`,
      `name it in --accounts, or ${OTHER_DRIVERS}`,
      '--accounts',
    );
  }
  return signInValues(form, email, means);
}
