import type { CommandSpec, Row } from '../shell/command.ts';
import { PROVIDER_DEFAULT } from '../shell/help-text.ts';
import { CONSENT, LOGIN, MINT, REVOKE, TIMEOUT } from './options.ts';

const URL: Row = ['[url]', `the provider ${PROVIDER_DEFAULT}`];
export const PROVIDER: CommandSpec = {
  summary: 'sign in at an agent provider and mint ID-JAGs',
  description:
    'The provider side: sign in by device code, consent per service, mint ID-JAGs, revoke consent.',
  commands: {
    login: {
      summary: 'sign in at a provider',
      description:
        'Shows a code and the page to type it on, or the page to sign in on, and waits for the sign-in.\n\n' +
        'With --client-id the user signs in to that client of the provider, such as one that cross-app access ' +
        'was set up for: by authorization code with PKCE, whose answer comes to http://127.0.0.1/callback on any ' +
        'port, or by device code where no browser can be opened here.',
      arguments: [URL],
      options: LOGIN,
      load: async () => (await import('./login.ts')).providerLogin,
      examples: [
        'provider login http://127.0.0.1:4801',
        'provider login http://127.0.0.1:4801 --no-wait --json',
        'provider login http://127.0.0.1:4801 --client-id app --client-secret @secret.txt',
        'provider login wait --timeout 60s',
      ],
      commands: {
        wait: {
          summary: 'wait for an open sign-in, even one of another process',
          description:
            'Waits until the open sign-in is completed, denied or expired. Never opens one.',
          arguments: [['[url]', 'the provider (default: the only one with an open sign-in)']],
          options: TIMEOUT,
          inherits: true,
          load: async () => (await import('./login.ts')).providerLoginWait,
          examples: [
            'provider login wait',
            'provider login wait http://127.0.0.1:4801 --timeout 60s --json',
          ],
        },
      },
    },
    consent: {
      summary: 'ask the user to consent to being identified to a service',
      description: 'Takes the user to the consent page of the provider, for one audience.',
      arguments: [URL],
      options: CONSENT,
      load: async () => (await import('./consent.ts')).providerConsent,
      examples: [
        'provider consent --audience http://127.0.0.1:4800',
        'provider consent --audience http://127.0.0.1:4800 --no-wait',
        'provider consent wait --audience http://127.0.0.1:4800 --timeout 60s',
      ],
      commands: {
        wait: {
          summary: 'wait until the user has consented',
          description:
            'Waits until the user has consented on the consent page. Give the same audience and scopes as before.',
          arguments: [URL],
          options: TIMEOUT,
          inherits: true,
          load: async () => (await import('./consent.ts')).providerConsentWait,
          examples: ['provider consent wait --audience http://127.0.0.1:4800'],
        },
      },
    },
    mint: {
      summary: 'print an ID-JAG for a service',
      description: 'Mints an ID-JAG for one audience and prints nothing else.',
      arguments: [URL],
      options: MINT,
      load: async () => (await import('./mint.ts')).providerMint,
      examples: [
        'provider mint --audience http://127.0.0.1:4800 | agent-auth register --assertion -',
      ],
    },
    revoke: {
      summary: 'revoke the consent to be identified to a service',
      description:
        'Revokes the consent for one audience, and reports whether the service was notified. ' +
        'Exit 8 when the service refused the notification; revoke again once it accepts events.',
      arguments: [URL],
      options: REVOKE,
      load: async () => (await import('./revoke.ts')).providerRevoke,
      examples: [
        'provider revoke',
        'provider revoke http://127.0.0.1:4801 --audience http://127.0.0.1:4800',
      ],
    },
  },
  examples: [
    'provider login http://127.0.0.1:4801',
    'provider mint --audience http://127.0.0.1:4800 | agent-auth register --assertion -',
  ],
};
