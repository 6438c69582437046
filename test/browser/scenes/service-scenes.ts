import { ceremonyOf } from '../../mock-service/harness.ts';
import type { Scene } from './scene.ts';
import type { Place, World } from './world.ts';

export const ALICE = 'alice@example.com';
const MINUTES = 60_000;
const COMPLETE = '/agent/identity/claim/complete';

interface Open {
  readonly code: string;
  readonly link: string;
  readonly claimToken: string;
}

/** A claim for Alice, begun by an agent that names itself. */
export async function openClaim(
  place: Place,
  { named = 'Cleo, a coding agent', email = ALICE }: { named?: string; email?: string } = {},
): Promise<Open> {
  const body = await place.post('/agent/identity', {
    type: 'service_auth',
    login_hint: email,
    client_name: named,
  });
  const { user_code, verification_uri } = ceremonyOf({ body });
  return { code: user_code, link: verification_uri, claimToken: String(body['claim_token']) };
}

/** Alice has given an agent access, in another window. */
async function claimed(place: Place, named?: string): Promise<void> {
  const { code, link } = await openClaim(place, named === undefined ? {} : { named });
  const other = place.otherBrowser();
  const page = await other.openSignedIn(link, ALICE);
  await other.submit(page, COMPLETE, { user_code: code, decision: 'approve' });
}

/** An agent of a provider that asks for the account of Alice. */
async function askedByProvider({ issuer, service }: World): Promise<string> {
  await service.otherBrowser().openSignedIn(`${service.url}/login`, ALICE);
  const assertion = await issuer.idJag({ aud: service.url, email: ALICE });
  const body = await service.post('/agent/identity', { type: 'identity_assertion', assertion });
  return ceremonyOf({ body }).verification_uri;
}

function wrong(code: string): string {
  return code === '111111' ? '222222' : '111111';
}

const CODE = 'Code that your agent shows you';
const QUESTION = 'Give an agent access?';

/** The pages of a service on which the code is typed, and those that every service has. */
export const SERVICE_SCENES: readonly Scene[] = [
  {
    name: 'service-sign-in',
    heading: 'Sign in',
    open: async ({ page, world: { service } }) => {
      await page.goto((await openClaim(service)).link);
    },
  },
  {
    name: 'service-sign-in-wrong',
    heading: 'Sign in',
    open: async ({ hands, page, world: { service } }) => {
      await page.goto(`${service.url}/login`);
      await hands.type('Email address', 'alice..b@example.com');
      await hands.press('Sign in');
    },
  },
  {
    name: 'claim',
    heading: QUESTION,
    open: async ({ hands, world: { clock, service } }) => {
      const { link } = await openClaim(service);
      clock.advance(1 * MINUTES + 20_000);
      await hands.signIn(link, ALICE);
    },
  },
  {
    name: 'claim-by-provider',
    heading: QUESTION,
    open: async ({ hands, world }) => hands.signIn(await askedByProvider(world), ALICE),
  },
  {
    name: 'claim-wrong-code',
    heading: QUESTION,
    open: async ({ hands, world: { service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      await hands.type(CODE, wrong(code));
      await hands.press('Approve');
    },
  },
  {
    name: 'claim-no-tries-left',
    heading: 'No tries left',
    open: async ({ hands, world: { service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      for (let tries = 0; tries < 5; tries += 1) {
        await hands.type(CODE, wrong(code));
        await hands.press('Approve');
      }
    },
  },
  {
    name: 'claim-approved',
    heading: 'The agent has access',
    open: async ({ hands, world: { service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      await hands.type(CODE, code);
      await hands.press('Approve');
    },
  },
  {
    name: 'claim-denied',
    heading: 'Access denied',
    open: async ({ hands, world: { service } }) => {
      await hands.signIn((await openClaim(service)).link, ALICE);
      await hands.press('Deny');
    },
  },
  {
    name: 'claim-expired',
    heading: 'This link has expired',
    open: async ({ hands, world: { clock, service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      clock.advance(10 * MINUTES);
      await hands.type(CODE, code);
      await hands.press('Approve');
    },
  },
  {
    name: 'claim-denied-elsewhere',
    heading: 'This was denied before',
    open: async ({ hands, world: { service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      const other = service.otherBrowser();
      await other.submit(await other.openSignedIn(link, ALICE), COMPLETE, { decision: 'deny' });
      await hands.type(CODE, code);
      await hands.press('Approve');
    },
  },
  {
    name: 'claim-approved-elsewhere',
    heading: 'This was approved before',
    open: async ({ hands, world: { service } }) => {
      const { code, link } = await openClaim(service);
      await hands.signIn(link, ALICE);
      const other = service.otherBrowser();
      const page = await other.openSignedIn(link, ALICE);
      await other.submit(page, COMPLETE, { user_code: code, decision: 'approve' });
      await hands.press('Deny');
    },
  },
  {
    name: 'claim-other-account',
    heading: 'This link belongs to another account',
    open: async ({ hands, world: { service } }) =>
      hands.signIn((await openClaim(service)).link, 'bob@example.com'),
  },
  {
    name: 'connections',
    heading: 'Agents with access',
    open: async ({ hands, world: { service } }) => {
      await claimed(service);
      await claimed(service, 'Build bot of the web team');
      await hands.signIn(`${service.url}/connections`, ALICE);
    },
  },
  {
    name: 'connections-asked',
    heading: 'Agents with access',
    open: async ({ hands, world: { service } }) => {
      await claimed(service);
      await hands.signIn(`${service.url}/connections`, ALICE);
      await hands.unfold(/^End access…/);
    },
  },
  {
    name: 'connections-ended',
    heading: 'Agents with access',
    open: async ({ hands, world: { service } }) => {
      await claimed(service);
      await hands.signIn(`${service.url}/connections`, ALICE);
      await hands.unfold(/^End access…/);
      await hands.press(/^End access of/);
    },
  },
  {
    name: 'link-review',
    heading: 'Keep the link to Example Provider?',
    open: async ({ hands, world: { issuer, service } }) => {
      const email = 'made@example.com';
      const assertion = await issuer.idJag({ aud: service.url, email });
      const members = { type: 'identity_assertion', assertion, client_name: 'Cleo' };
      await service.post('/agent/identity', members);
      await hands.signIn(`${service.url}/connections`, email);
    },
  },
  {
    name: 'claim-long-names',
    heading: QUESTION,
    open: async ({ hands, world: { longNamed } }) =>
      hands.signIn((await openClaim(longNamed)).link, ALICE),
  },
  {
    name: 'claim-hostile-name',
    heading: QUESTION,
    open: async ({ hands, world: { service } }) => {
      const named = `<img src=x onerror=alert(1)>\u202e\u001b[31m${'W'.repeat(400)}`;
      const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
      await hands.signIn((await openClaim(service, { named, email })).link, email);
    },
  },
];

/** The pages where the code goes the other way round. */
export const OTHER_WAY_SCENES: readonly Scene[] = [
  {
    name: 'read-back',
    heading: QUESTION,
    open: async ({ hands, world }) => hands.signIn(await readBackLink(world), ALICE),
  },
  {
    name: 'read-back-code',
    heading: 'Read this code to your agent',
    open: async ({ hands, world }) => {
      await hands.signIn(await readBackLink(world), ALICE);
      await hands.press('Approve and show the code');
    },
  },
  {
    name: 'mailed-claim',
    heading: QUESTION,
    open: async ({ hands, page, world: { mailed } }) => {
      await sendMail(mailed);
      await hands.signIn(`${mailed.url}/mails`, ALICE);
      const link = page.getByRole('link', { name: `${mailed.url}/c/` });
      await hands.press((await link.textContent()) ?? '');
    },
  },
  {
    name: 'mails',
    heading: 'Mails',
    open: async ({ hands, world: { mailed } }) => {
      await sendMail(mailed);
      await hands.signIn(`${mailed.url}/mails`, ALICE);
    },
  },
  {
    name: 'mails-none',
    heading: 'Mails',
    open: async ({ hands, world: { mailed } }) => hands.signIn(`${mailed.url}/mails`, ALICE),
  },
  {
    name: 'mails-never',
    heading: 'Mails',
    open: async ({ hands, world: { service } }) => hands.signIn(`${service.url}/mails`, ALICE),
  },
];

async function readBackLink({ readBack }: World): Promise<string> {
  const body = await readBack.post('/agent/identity', {
    type: 'service_auth',
    login_hint: ALICE,
    client_name: 'Cleo, a coding agent',
  });
  const link = JSON.stringify(body).match(/https?:[^"]*\/c\/[^"]*/)?.[0];
  if (link === undefined) throw new Error(`No link in ${JSON.stringify(body)}`);
  return link;
}

async function sendMail(place: Place): Promise<void> {
  await place.post('/agent/identity', {
    type: 'identity_assertion',
    assertion_type: 'verified_email',
    assertion: ALICE,
  });
}
