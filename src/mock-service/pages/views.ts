import { signInView } from '../../mock/pages/sign-in-view.ts';
import type { Site } from '../../mock/pages/site.ts';
import { wrongAccountView } from '../../mock/sessions/wrong-account-view.ts';
import {
  claimCodeView,
  claimEndView,
  claimView,
  confirmClaimView,
  mailedClaimView,
} from './claim-view.ts';
import { connectionsView, linkReviewView } from './connections-view.ts';
import { mailsView } from './mails-view.ts';

/** What each page shows, from plain values. */
const VIEWS = {
  signIn: signInView,
  wrongAccount: wrongAccountView,
  claim: claimView,
  claimEnd: claimEndView,
  confirmClaim: confirmClaimView,
  claimCode: claimCodeView,
  connections: connectionsView,
  linkReview: linkReviewView,
  mailedClaim: mailedClaimView,
  mails: mailsView,
} as const;

export type Views = typeof VIEWS & {
  /** The site that each page is of. */
  readonly site: Site;
};

export function viewsOf(site: Site): Views {
  return { ...VIEWS, site };
}
