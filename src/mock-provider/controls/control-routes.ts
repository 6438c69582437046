import { type ControlRoute, get, post } from '../../mock/controls/control-routes.ts';
import {
  controlProblem,
  readControlBody,
  readOptionalText,
  readPathText,
} from '../../mock/controls/read-control.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SignInDecision } from '../config/rules.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import { type AskedConsent, CONSENT_DECISIONS } from '../store/consent-requests.ts';
import type { MintedIdJag, WantedIdJag } from '../tokens/mint-as-asked.ts';
import type { ProviderControls } from './provider-controls.ts';
import { policyJson, readPolicy } from './read-policy.ts';
import { readWanted } from './read-wanted.ts';

/**
 * `/__mock/sign-in` and `/__mock/consents`: what users decide at the provider, without its pages. `/__mock/mint`: an
 * ID-JAG as it is asked. `/__mock/policy`: the rules that decide what clients reach. `/__mock/outbox`: the events for
 * services, sent or still to be sent, and sending one again.
 */
export function providerControlRoutes(
  controls: ProviderControls,
  outbox: Outbox,
  mint: (wanted: WantedIdJag) => Promise<MintedIdJag>,
): readonly ControlRoute[] {
  return [
    get('/sign-in', async () => ({ ...(await controls.signIn()) })),
    post('/sign-in', async (c) => {
      return { ...(await controls.setSignIn(readSignIn(await readControlBody(c)))) };
    }),
    get('/consents', async () => {
      return { requests: (await controls.consentRequests()).map(requestJson) };
    }),
    ...CONSENT_DECISIONS.map((decision) =>
      post(`/consents/:id/${decision}`, async (c) =>
        requestJson(await controls.decideConsent(readPathText(c, 'id'), decision)),
      ),
    ),
    post('/mint', async (c) => {
      const { idJag, ...said } = await mint(readWanted(await readControlBody(c)));
      return { id_jag: idJag, ...said };
    }),
    get('/policy', async () => ({ policy: policyJson(await controls.policy()) })),
    post('/policy', async (c) => {
      const rules = readPolicy(await readControlBody(c));
      return { policy: policyJson(await controls.setPolicy(rules)) };
    }),
    get('/outbox', async () => ({ events: (await outbox.list()).map(eventJson) })),
    post('/outbox/:id/send', async (c) => {
      const entry = await outbox.sendAgain(readPathText(c, 'id'));
      if (entry === undefined) throw controlProblem('not_found', 'There is no such event.');
      return eventJson(entry);
    }),
  ];
}

function readSignIn(body: JsonObject): SignInDecision {
  const { kind } = body;
  const email = readOptionalText(body, 'email');
  if (kind === 'approve' && email !== undefined) return { kind, email };
  if ((kind === 'ask' || kind === 'deny') && email === undefined) return { kind };
  throw controlProblem(
    'invalid_request',
    'kind must be ask or deny, or approve with the email of the user.',
  );
}

function requestJson(request: AskedConsent): JsonObject {
  const { audience, client = null, email, expiresAt, id, resource = null, state } = request;
  const scopes = request.scopes ?? null;
  return { id, email, audience, client, scopes, resource, state, expires_at: instant(expiresAt) };
}

function eventJson(entry: OutboxEntry): JsonObject {
  const { attempts, audience, email, id, issuer, problem, state, subject } = entry;
  const at = (time: number | undefined) => (time === undefined ? null : instant(time));
  return {
    id,
    issuer,
    audience,
    subject,
    email,
    revoked_at: instant(entry.revokedAt),
    state,
    attempts,
    last_attempt_at: at(entry.lastAttemptAt),
    next_attempt_at: at(entry.nextAttemptAt),
    problem: problem
      ? { code: problem.code, status: problem.status ?? null, text: problem.text ?? null }
      : null,
  };
}
