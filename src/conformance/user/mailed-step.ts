import { readContent } from '../pages/page-content.ts';
import type { Page } from '../pages/visitor.ts';
import { asksForCode, buttonsOf } from './form-fields.ts';
import { signInForm } from './sign-in-form.ts';
import type { SignInMeans } from './sign-in-means.ts';
import { APPROVE_WORDS, DENY_WORDS } from './words.ts';

/** How far a sign-in has come. */
export interface MailProgress {
  readonly means: SignInMeans;
  readonly gaveEmail: boolean;
  readonly gavePassword: boolean;
  readonly gaveCode: boolean;
  readonly followedLink: boolean;
}

/** The text of a page that asks for a code that was mailed. */
const MAILED_CODE =
  /\b(?:e-?mailed|mailed|sent)\b.{0,80}\b(?:code|e-?mail|inbox)\b|\bcode\b.{0,60}\b(?:sent|e-?mailed|mailed|by e-?mail|inbox)\b|\b(?:check|open|see|look (?:in(?:to)?|at)) (?:your |the )?(?:e-?mails?|inbox|mailbox)\b(?! ad)/i;
/** The text of a page after which a mailed link leads on. */
const MAILED_LINK =
  /\b(?:check|open) (?:your |the )?(?:e-?mails?|inbox|mailbox)\b(?! ad)|\b(?:sent|e-?mailed|mailed)\b.{0,40}\b(?:e-?mail|link)\b.{0,20}\bto\b|\b(?:sign|log).?in link\b|\bmagic link\b/i;
/** Who shows the code of a claim. */
const IS_CLAIM =
  /\b(?:agent|assistant|app|application|bot|client|device|program|software|terminal)s?\b/i;

/**
 * What a page asks for that was mailed, after an email was given. The code of a claim, which the agent
 * shows, is another one: its page speaks of an agent, or has a control to approve or to deny.
 */
export function mailedOf(
  page: Page,
  progress: MailProgress,
): 'code' | 'perhaps' | 'link' | undefined {
  const { gaveCode, gaveEmail, gavePassword, followedLink, means } = progress;
  if (!gaveEmail || !page.answer.ok) return undefined;
  const { text } = readContent(page.answer, page.url);
  if (!page.forms.some(asksForCode)) {
    const isNext = MAILED_LINK.test(text) && !gavePassword && !gaveCode && !followedLink;
    return isNext && signInForm(page) === undefined ? 'link' : undefined;
  }
  if (decides(page)) return undefined;
  const isMailed = MAILED_CODE.test(text);
  if (isMailed && !IS_CLAIM.test(text)) return 'code';
  // Whoever lets mails be read expects one.
  const isExpected = means.mailbox !== undefined && !gaveCode && !followedLink;
  return isExpected && (isMailed || !gavePassword) ? 'perhaps' : undefined;
}

function decides({ forms }: Page): boolean {
  const words = forms
    .flatMap((form) => buttonsOf(form))
    .map(({ label, value }) => `${value} ${label}`);
  return words.some((each) => DENY_WORDS.test(each) || APPROVE_WORDS.test(each));
}
