import {
  type Operation,
  PageOperations,
  pageEnvelope,
  queryParameter,
  sampleToken,
} from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import { type DescribedProvider, SAMPLE_AUDIENCE } from './samples.ts';

/** What the user of a provider sees. */
export function providerPages({ config, site }: DescribedProvider): readonly Operation[] {
  const pages = new PageOperations(config.issuer, pageEnvelope(site));
  const csrf_token = 'EXAMPLE';
  const request = sampleToken('csr_');
  const text = { type: 'string' };
  return [
    ...pages.signIn(),
    pages.page({
      id: 'showDevice',
      method: 'GET',
      path: PATHS.device,
      summary: 'Ask for the code of an agent',
      description: 'The user types the code of a sign-in, and sees which agent asks and for what.',
      parameters: [queryParameter('user_code', 'The code.', text)],
      shows: 'The question.',
      refuses: ['invalid_user_code', 'too_many_attempts', 'claim_attempt_expired'],
      signedIn: true,
    }),
    pages.page({
      id: 'decideDevice',
      method: 'POST',
      path: PATHS.device,
      summary: 'Approve or deny a sign-in',
      description: 'The agent is signed in as the user, or is not.',
      form: {
        approve: { csrf_token, user_code: 'BCDF-GHJK', decision: 'approve' },
        deny: { csrf_token, user_code: 'BCDF-GHJK', decision: 'deny' },
        look: { csrf_token, user_code: 'BCDF-GHJK' },
      },
      shows: 'What became of it.',
      refuses: [
        'invalid_request',
        'invalid_user_code',
        'csrf_failed',
        'too_many_attempts',
        'claim_attempt_expired',
      ],
      signedIn: true,
    }),
    pages.page({
      id: 'showConsent',
      method: 'GET',
      path: PATHS.consent,
      summary: 'Ask for a consent',
      description: 'Which service learns who the user is, and for which scopes.',
      parameters: [queryParameter('request', 'Names the request of the agent.', text)],
      shows: 'The question.',
      refuses: ['wrong_account', 'invalid_claim_attempt', 'claim_attempt_expired'],
      signedIn: true,
    }),
    pages.page({
      id: 'decideConsent',
      method: 'POST',
      path: PATHS.consent,
      summary: 'Give or refuse a consent',
      description: 'The agent may then mint ID-JAGs for that service, or may not.',
      form: {
        approve: { csrf_token, request, decision: 'approve' },
        deny: { csrf_token, request, decision: 'deny' },
      },
      shows: 'What became of it.',
      refuses: [
        'invalid_request',
        'csrf_failed',
        'wrong_account',
        'invalid_claim_attempt',
        'claim_attempt_expired',
      ],
      signedIn: true,
    }),
    pages.page({
      id: 'showConsents',
      method: 'GET',
      path: PATHS.consents,
      summary: 'Show which services learn who the user is',
      description: 'The consents of the user, and the events on their way to services.',
      shows: 'The consents.',
      signedIn: true,
    }),
    pages.page({
      id: 'changeConsents',
      method: 'POST',
      path: PATHS.consents,
      summary: 'Take a consent back on the page',
      description: 'Takes a consent back and tells the service, or sends an event to it again.',
      form: {
        revoke: { csrf_token, action: 'revoke', audience: SAMPLE_AUDIENCE },
        send_again: { csrf_token, action: 'send_again', event: 'evt_1' },
      },
      leads: ['It is done.', PATHS.consents],
      refuses: ['invalid_request', 'csrf_failed', 'invalid_claim_attempt'],
      signedIn: true,
    }),
    ...pages.assets({ style: '/style.css', icon: '/favicon.svg' }),
  ];
}
