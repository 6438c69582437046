import type { Page } from './page.ts';
import type { ScriptedUser } from './scripted-user.ts';

/** A code that its user types on a page. */
export interface CodeOnPage {
  readonly verificationUri: string;
  readonly userCode: { reveal(): string };
}

/** Opens a link and signs in if the page asks for it. */
export async function openSignedIn(user: ScriptedUser, link: string, email: string): Promise<Page> {
  return signInWhereAsked(user, await user.open(link), email);
}

async function signInWhereAsked(user: ScriptedUser, page: Page, email: string): Promise<Page> {
  const asksWho = page.forms.some(({ controls }) => controls.includes('email'));
  return asksWho ? user.submit(page, { email }) : page;
}

export function openClaimPage(user: ScriptedUser, link: string, email: string): Promise<Page> {
  return openSignedIn(user, link, email);
}

export function tryCode(user: ScriptedUser, page: Page, code: string): Promise<Page> {
  return user.submit(page, { user_code: code, decision: 'approve' });
}

/** Follows the link up to the approval. @throws Error when the page does not say that it worked. */
export async function approveClaim(
  user: ScriptedUser,
  { verificationUri, userCode }: CodeOnPage,
  email: string,
): Promise<void> {
  const page = await openClaimPage(user, verificationUri, email);
  const done = await tryCode(user, page, userCode.reveal());
  if (done.status !== 200) throw new Error(`The claim page answered ${done.status}.`);
}

/** Device sign-in at the provider: who, then the code, then whatever it asks to be confirmed. */
export async function approveSignIn(
  user: ScriptedUser,
  link: string,
  code: string,
  email: string,
): Promise<void> {
  const page = await openSignedIn(user, link, email);
  const next = await user.submit(page, { user_code: code });
  // A code can want a newer sign-in than the one that led to its page.
  await agreeWhileAsked(user, await signInWhereAsked(user, next, email));
}

/** Agrees on the provider's consent page. */
export async function approveConsent(
  user: ScriptedUser,
  consentUri: string,
  email: string,
): Promise<void> {
  await agreeWhileAsked(user, await openSignedIn(user, consentUri, email));
}

async function agreeWhileAsked(user: ScriptedUser, start: Page): Promise<void> {
  let page = start;
  while (page.forms.some(({ controls }) => controls.includes('decision'))) {
    page = await user.submit(page, { decision: 'approve' });
  }
  if (page.status !== 200) throw new Error(`The page answered ${page.status}.`);
}
