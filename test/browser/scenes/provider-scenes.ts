import {
  DEVICE_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../src/protocol/index.ts';
import type { Scene } from './scene.ts';
import { ALICE } from './service-scenes.ts';
import type { World } from './world.ts';

const MINUTES = 60_000;
const CLIENT = { client_id: 'agent-auth' };

interface DeviceCodes {
  readonly device: string;
  readonly user: string;
  /** Where the code is typed. */
  readonly page: string;
  /** The same with the code in it. */
  readonly link: string;
}

async function startSignIn(
  { provider }: World,
  more: Readonly<Record<string, string>> = {},
): Promise<DeviceCodes> {
  const fields = { ...CLIENT, scope: 'openid email', ...more };
  const body = await provider.form('/oauth2/device_authorization', fields);
  return {
    device: String(body['device_code']),
    user: String(body['user_code']),
    page: String(body['verification_uri']),
    link: String(body['verification_uri_complete']),
  };
}

/** The page that an agent is told of which has signed Alice in, and wants an assertion for the service. */
async function consentUri(world: World): Promise<string> {
  const { provider, service } = world;
  const { device, link } = await startSignIn(world);
  const other = provider.otherBrowser();
  await other.submit(await other.openSignedIn(link, ALICE), '/device', { decision: 'approve' });
  const tokens = await provider.form('/oauth2/token', {
    ...CLIENT,
    grant_type: DEVICE_CODE_GRANT,
    device_code: device,
  });
  const minted = await provider.form('/oauth2/token', {
    ...CLIENT,
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: service.url,
    subject_token: String(tokens['id_token']),
    subject_token_type: ID_TOKEN_TYPE,
  });
  return String(minted['consent_uri']);
}

async function consented(world: World): Promise<void> {
  const other = world.provider.otherBrowser();
  const page = await other.openSignedIn(await consentUri(world), ALICE);
  await other.submit(page, '/consent', { decision: 'approve' });
}

const CONSENT = 'Let Cleo identify you to Tern Notes?';

/** The pages of the provider. */
export const PROVIDER_SCENES: readonly Scene[] = [
  {
    name: 'device',
    heading: 'Sign in an agent',
    open: async ({ hands, world }) => hands.signIn((await startSignIn(world)).page, ALICE),
  },
  {
    name: 'device-wrong-code',
    heading: 'Sign in an agent',
    open: async ({ hands, world }) => {
      await hands.signIn((await startSignIn(world)).page, ALICE);
      await hands.type('Code', 'BBBB-BBBB');
      await hands.press('Continue');
    },
  },
  {
    name: 'device-question',
    heading: 'Is this your agent?',
    open: async ({ hands, world }) => {
      const { page, user } = await startSignIn(world);
      world.clock.advance(2 * MINUTES);
      await hands.signIn(page, ALICE);
      await hands.type('Code', user);
      await hands.press('Continue');
    },
  },
  {
    name: 'device-question-with-service',
    heading: 'Is this your agent?',
    open: async ({ hands, world }) =>
      hands.signIn((await startSignIn(world, { audience: world.service.url })).link, ALICE),
  },
  {
    name: 'device-approved',
    heading: 'Your agent is signed in',
    open: async ({ hands, world }) => {
      await hands.signIn((await startSignIn(world)).link, ALICE);
      await hands.press('Approve');
    },
  },
  {
    name: 'device-denied',
    heading: 'Sign-in denied',
    open: async ({ hands, world }) => {
      await hands.signIn((await startSignIn(world)).link, ALICE);
      await hands.press('Deny');
    },
  },
  {
    name: 'device-expired',
    heading: 'This code is no longer open',
    open: async ({ hands, world }) => {
      world.clock.advance(1);
      const { link } = await startSignIn(world);
      await hands.signIn(link, ALICE);
      world.clock.advance(10 * MINUTES);
      // A refusal needs no fresh sign-in.
      await hands.press('Deny');
    },
  },
  {
    name: 'provider-sign-in-again',
    heading: 'Sign in again',
    open: async ({ hands, page, world }) => {
      await hands.signIn(`${world.provider.url}/login`, ALICE);
      world.clock.advance(6 * MINUTES);
      await page.goto((await startSignIn(world)).link);
    },
  },
  {
    name: 'consent',
    heading: CONSENT,
    open: async ({ hands, world }) => hands.signIn(await consentUri(world), ALICE),
  },
  {
    name: 'consent-approved',
    heading: 'Consent given',
    open: async ({ hands, world }) => {
      await hands.signIn(await consentUri(world), ALICE);
      await hands.press('Approve');
    },
  },
  {
    name: 'consent-denied',
    heading: 'Consent denied',
    open: async ({ hands, world }) => {
      await hands.signIn(await consentUri(world), ALICE);
      await hands.press('Deny');
    },
  },
  {
    name: 'consent-expired',
    heading: 'This request is no longer open',
    open: async ({ hands, world }) => {
      await hands.signIn(await consentUri(world), ALICE);
      world.clock.advance(61 * MINUTES);
      await hands.press('Approve');
    },
  },
  {
    name: 'consents',
    heading: 'Services that learn who you are',
    open: async ({ hands, world }) => {
      await consented(world);
      await hands.signIn(`${world.provider.url}/consents`, ALICE);
    },
  },
  {
    name: 'consents-asked',
    heading: 'Services that learn who you are',
    open: async ({ hands, world }) => {
      await consented(world);
      await hands.signIn(`${world.provider.url}/consents`, ALICE);
      await hands.unfold(/^Revoke…/);
    },
  },
  {
    name: 'consents-revoked',
    heading: 'Services that learn who you are',
    open: async ({ hands, world }) => {
      await consented(world);
      await hands.signIn(`${world.provider.url}/consents`, ALICE);
      await hands.unfold(/^Revoke…/);
      await hands.press(/^Revoke the consent/);
    },
  },
];
