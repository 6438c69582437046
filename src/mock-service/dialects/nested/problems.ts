import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../mock/http/envelopes.ts';
import { json, WireProblem } from '../../../mock/http/response.ts';
import { wireText } from '../../../protocol/text.ts';
import type { ProblemWire } from '../dialect.ts';

/** What a code is called here, and its status where it is another one. */
interface Spelling {
  readonly code: string;
  readonly status?: number;
}

/** Spellings by surface, then by code. What is not listed keeps its name. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, Spelling>>>> = {
  identity: {
    anonymous_not_enabled: { code: 'anonymous_registration_disabled' },
    service_auth_not_enabled: { code: 'service_auth_registration_disabled' },
    identity_assertion_not_enabled: { code: 'auth_method_disabled', status: 403 },
    rate_limited: { code: 'rate_limit_exceeded' },
  },
  claim: {
    claimed_or_in_flight: { code: 'already_claimed' },
  },
  read_back: {
    // There is no code to hand in, as though it had expired: the way on is the same.
    claim_not_started: { code: 'user_code_expired', status: 410 },
    claim_attempt_expired: { code: 'user_code_expired' },
    access_denied: { code: 'claim_denied' },
  },
};

/** The two codes whose text is in `error_description`. */
const DESCRIBED: ReadonlySet<string> = new Set(['interaction_required', 'login_required']);

export const PROBLEMS: ProblemWire = {
  registration: (problem, request) => {
    const spelled = spell(problem);
    const right = registrationEnvelope(spelled, request);
    const text = wireText(spelled.description);
    const wait = Number(spelled.headers['retry-after'] ?? Number.NaN);
    const body = {
      error: spelled.code,
      ...(DESCRIBED.has(spelled.code) ? { error_description: text } : { message: text }),
      ...(Number.isSafeInteger(wait) && { retry_after: wait }),
      ...spelled.members,
    };
    return respelled(right, body);
  },
  oauth: oauthEnvelope,
  event: eventEnvelope,
};

/** How a code of the list of wire codes is spelled here; undefined where it keeps its name and status. */
export function spellingOf(surface: string, code: string): Spelling | undefined {
  return SPELLINGS[surface]?.[code];
}

function spell(problem: WireProblem): WireProblem {
  const { code, description, headers, members, status, surface } = problem;
  const spelling = spellingOf(surface, code);
  if (spelling === undefined) return problem;
  return new WireProblem({
    ...{ surface, description, members, headers },
    code: spelling.code,
    status: spelling.status ?? status,
  });
}

/** Status, challenge and caching as everywhere, around another body. */
async function respelled(right: Response | Promise<Response>, body: object): Promise<Response> {
  const { headers, status } = await right;
  return json(body, { status, headers: Object.fromEntries(headers) });
}
