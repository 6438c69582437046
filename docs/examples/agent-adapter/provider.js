// The provider: device authorization (RFC 8628), then token exchange (RFC 8693) for an ID-JAG.
import { ask, codeOf, patiently, postForm, Refusal, sleep } from './http.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** @typedef {{ issuer: string, clientId: string, idToken?: string | undefined, say: (text: string) => void }} Session */

/**
 * An ID-JAG for a service; signs the user in and waits for their consent where that is needed.
 * @param {Session} session
 * @param {{ issuer: string, resource: string }} service
 */
export async function mint(session, service) {
  const { json: metadata } = await ask(`${session.issuer}/.well-known/oauth-authorization-server`);
  if (metadata?.issuer !== session.issuer) throw new Error('The provider is another one.');
  const isOld = session.idToken === undefined;
  for (let tries = 1; tries <= 20; tries += 1) {
    session.idToken ??= await signIn(session, metadata, tries > 1 || !isOld);
    const answer = await patiently(() =>
      postForm(metadata.token_endpoint, {
        grant_type: EXCHANGE_GRANT,
        client_id: session.clientId,
        requested_token_type: ID_JAG,
        audience: service.issuer,
        resource: service.resource,
        subject_token: session.idToken ?? '',
        subject_token_type: ID_TOKEN,
      }),
    );
    if (answer.status === 200) return String(answer.json?.access_token);
    const code = codeOf(answer.json);
    if (code === 'insufficient_user_authentication' && tries <= 2) {
      session.idToken = undefined;
    } else if (code === 'consent_required') {
      session.say(`To let this agent in, agree at ${answer.json.consent_uri}`);
      await sleep(2000);
    } else throw new Refusal(answer);
  }
  throw new Error('Nobody agreed.');
}

/**
 * @param {Session} session
 * @param {any} metadata
 * @param {boolean} isFresh whether an earlier sign-in is too old
 * @returns {Promise<string>}
 */
async function signIn(session, metadata, isFresh) {
  const begun = await patiently(() =>
    postForm(metadata.device_authorization_endpoint, {
      client_id: session.clientId,
      scope: 'openid email',
      ...(isFresh && { prompt: 'login' }),
    }),
  );
  if (begun.status !== 200) throw new Refusal(begun);
  const { device_code, user_code, verification_uri, interval = 5, expires_in = 600 } = begun.json;
  session.say(`Sign in at ${verification_uri} with the code ${user_code}`);
  let pause = Math.max(1, Number(interval) || 5) * 1000;
  const end = Date.now() + Math.min(expires_in, 3600) * 1000;
  while (Date.now() + pause < end) {
    await sleep(pause);
    const answer = await postForm(metadata.token_endpoint, {
      grant_type: DEVICE_GRANT,
      client_id: session.clientId,
      device_code,
    });
    if (answer.status === 200) return String(answer.json?.id_token);
    const code = codeOf(answer.json);
    if (code === 'slow_down') pause += 5000;
    else if (code !== 'authorization_pending') throw new Refusal(answer);
  }
  throw new Error('Nobody signed in in time.');
}
