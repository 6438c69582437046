import {
  AUTHORIZATION_CODE_GRANT,
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  isJsonObject,
  JWT_BEARER_GRANT,
  type State,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import type { Exchange, Receiver } from '../exchange.ts';
import type { Actor, Explained } from './explained.ts';
import { KnownEndpoints } from './known-endpoints.ts';
import { meaningOf } from './meaning.ts';
import { stateAfter } from './state-after.ts';
import { isOfUser, STEPS, type Step } from './step.ts';
import { visibleRefusal } from './visible-refusal.ts';

/** How many registrations are followed; the one that was not seen for longest is forgotten first. */
const MOST_FOLLOWED = 10_000;

/**
 * Says of exchanges what they mean, in the order in which they happened: it learns endpoints from the
 * metadata that it sees, and the state of registrations from the answers.
 */
export class Explainer {
  readonly #endpoints = new KnownEndpoints();
  readonly #states = new Map<string, State>();
  /** The fingerprints of ID-JAGs that were taken. */
  readonly #redeemed = new Set<string>();

  /** Explains an exchange: each once, in their order. */
  explain(exchange: Exchange): Explained {
    this.#endpoints.learn(exchange);
    const { registrationId } = exchange;
    const step = this.#stepOf(exchange);
    return {
      exchange,
      from: senderOf(step, exchange),
      step,
      meaning: meaningOf(step, step === 'redeem' ? this.#withReason(exchange) : exchange),
      section: STEPS[step],
      registrationId,
      state: this.#follow(registrationId, step, exchange),
    };
  }

  #stepOf(exchange: Exchange): Step {
    const { request, response, to, url } = exchange;
    const step = this.#endpoints.stepAt(to, url);
    const body = isJsonObject(request.body) ? request.body : {};
    if (step === 'token') {
      const namesClient = CREDENTIALS.some((name) => name in body) || hasBasic(request.headers);
      return stepOfGrant(to, body['grant_type'], namesClient);
    }
    if (step !== undefined) return step;
    if (response.bodyState === 'page') return 'page';
    if (to === 'service' && body['jsonrpc'] === '2.0') return 'mcp';
    const isCall = 'authorization' in request.headers || 'www-authenticate' in response.headers;
    return to === 'service' && (isCall || /^\/api\//.test(exchange.path)) ? 'call' : 'other';
  }

  /** The exchange with what a mock would note. */
  #withReason(exchange: Exchange): Exchange {
    const { notes = [], request, response, status, url } = exchange;
    const assertion = isJsonObject(request.body) ? request.body['assertion'] : undefined;
    const fingerprint = isJsonObject(assertion) ? String(assertion['jwt']) : '';
    const isSpent = this.#redeemed.has(fingerprint);
    if (status === 200) this.#redeemed.add(fingerprint);
    const [oldest = ''] = this.#redeemed.size > MOST_FOLLOWED ? this.#redeemed : [];
    this.#redeemed.delete(oldest);
    const isRefused = isJsonObject(response.body) && response.body['error'] === 'invalid_grant';
    if (!isRefused || notes.length > 0) return exchange;
    const reason = visibleRefusal(exchange, this.#endpoints.issuerOf(url), isSpent);
    return reason === undefined ? exchange : { ...exchange, notes: [reason] };
  }

  #follow(id: string | undefined, step: Step, exchange: Exchange): State | undefined {
    if (id === undefined) return undefined;
    const before = this.#states.get(id);
    const state = stateAfter(step, exchange, before) ?? before;
    if (state === undefined) return undefined;
    this.#states.delete(id);
    this.#states.set(id, state);
    if (this.#states.size > MOST_FOLLOWED) {
      for (const [oldest] of this.#states) {
        this.#states.delete(oldest);
        break;
      }
    }
    return state;
  }
}

/** The parameters that name a client, in a form (RFC 6749 §2.3, RFC 7523 §2.2). */
const CREDENTIALS = ['client_id', 'client_secret', 'client_assertion'];

function hasBasic(headers: Exchange['request']['headers']): boolean {
  return /^basic /i.test(headers['authorization'] ?? '');
}

const OF_PAGES: ReadonlySet<string> = new Set(['document', 'font', 'image', 'script', 'style']);

function senderOf(step: Step, { request, to }: Exchange): Actor {
  if (isOfUser(step)) return 'user';
  // What a browser fetches for a page that its user looks at (Fetch Metadata, §2.1).
  if (OF_PAGES.has(String(request.headers['sec-fetch-dest']))) return 'user';
  // The same address takes the code from the user's page and from an agent that was read it.
  if (step === 'complete_claim') return 'cookie' in request.headers ? 'user' : 'agent';
  if (step === 'event') return 'provider';
  if (to === 'provider' && (step === 'keys' || step === 'client_document')) return 'service';
  return 'agent';
}

/**
 * Which step a request at a token endpoint is, by its `grant_type`. An assertion of a registration comes without
 * client credentials, and an ID-JAG with them (wire contract §13).
 */
function stepOfGrant(to: Receiver, grant: unknown, namesClient: boolean): Step {
  if (typeof grant !== 'string') return 'token';
  if (grant === JWT_BEARER_GRANT) return namesClient ? 'redeem' : 'exchange';
  if (grant === AUTHORIZATION_CODE_GRANT) return 'redeem_code';
  if (grant === TOKEN_EXCHANGE_GRANT) return 'mint';
  if (grant === 'refresh_token') return 'refresh';
  if (grant === DEVICE_CODE_GRANT) return to === 'provider' ? 'device_poll' : 'poll';
  return CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending)) ? 'poll' : 'token';
}
