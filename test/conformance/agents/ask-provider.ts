import { type Json, type Kit, type Reply, Stop } from './agent-kit.ts';
import type { FoundService } from './find-service.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const CLIENT = { client_id: 'agent-auth' };

/** What is kept of a sign-in. */
export interface Session {
  idToken?: string | undefined;
  idJag?: string | undefined;
}

/** Mints an ID-JAG; signs the user in and waits for consent where that is needed. */
export async function mint(kit: Kit, service: FoundService, session: Session): Promise<string> {
  if (kit.is('keepsIdJag') && session.idJag !== undefined) return session.idJag;
  const issuer = kit.context.provider;
  if (issuer === undefined) throw new Stop('There is no provider.');
  const found = await kit.send(`${issuer}/.well-known/oauth-authorization-server`);
  const document = found.json ?? {};
  let signedIn = 0;
  for (let tries = 1; tries <= 20; tries += 1) {
    if (session.idToken === undefined) {
      signedIn += 1;
      session.idToken = await signIn(kit, document, signedIn > 1);
    }
    const reply = await exchange(kit, service, document, session.idToken);
    if (reply.status === 200) {
      session.idJag = String(reply.json?.['access_token']);
      return session.idJag;
    }
    const error = kit.errorOf(reply);
    if (error === 'insufficient_user_authentication' && !kit.is('ignoresStale') && signedIn < 2) {
      session.idToken = undefined;
      continue;
    }
    if (error !== 'consent_required') throw await kit.refused(reply);
    if (!kit.is('hidesConsent')) kit.say(`Agree here: ${String(reply.json?.['consent_uri'])}`);
    if (!kit.is('mintsInLoop')) await kit.tools.sleep(2000);
  }
  throw new Stop('Nobody agreed.');
}

function exchange(
  kit: Kit,
  service: FoundService,
  document: Json,
  idToken: string,
): Promise<Reply> {
  const resource = kit.is('fragmentResource') ? `${service.resource}#part` : service.resource;
  return kit.postForm(kit.checkUrl(document['token_endpoint']), {
    ...CLIENT,
    grant_type: EXCHANGE,
    requested_token_type: ID_JAG,
    audience: kit.is('mintsForResource') ? service.resource : service.issuer,
    ...(!kit.is('mintsUnnamed') && { resource }),
    subject_token: idToken,
    subject_token_type: ID_TOKEN,
    ...(kit.is('sendsClientSecret') && { client_secret: 'not-so-secret' }),
  });
}

async function signIn(kit: Kit, document: Json, fresh: boolean): Promise<string> {
  const begun = await kit.postForm(kit.checkUrl(document['device_authorization_endpoint']), {
    ...CLIENT,
    scope: 'openid email',
    ...(fresh && { prompt: 'login' }),
  });
  const {
    device_code: code,
    user_code: shown,
    verification_uri: page,
    interval,
  } = begun.json ?? {};
  if (begun.status !== 200) throw await kit.refused(begun);
  kit.say(`Sign in at ${String(page)} with ${String(shown)}`);
  for (let polls = 0; polls < 60; polls += 1) {
    await kit.tools.sleep(Number(interval ?? 5) * 1000);
    const reply = await kit.postForm(kit.checkUrl(document['token_endpoint']), {
      ...CLIENT,
      grant_type: DEVICE,
      device_code: String(code),
    });
    const token = reply.json?.['id_token'];
    if (typeof token === 'string') return token;
    if (kit.errorOf(reply) !== 'authorization_pending') throw await kit.refused(reply);
  }
  throw new Stop('Nobody signed in.');
}
