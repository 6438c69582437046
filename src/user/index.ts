export { type Page, type PageForm, readPage } from './page.ts';
export { ScriptedUser } from './scripted-user.ts';
export {
  approveClaim,
  approveConsent,
  approveSignIn,
  type CodeOnPage,
  openClaimPage,
  openSignedIn,
  tryCode,
} from './user-steps.ts';
