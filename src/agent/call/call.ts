import { displayText, isSameOrigin } from '../../protocol/index.ts';
import type { FetchInit, Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { discard, Peer } from '../http/peer.ts';
import type { AccessToken, Warning } from '../model.ts';
import type { CallAnswer } from '../outcomes.ts';
import { keepClock, type TokenCandidate, takeIntoUse } from '../records/in-use.ts';
import { findServiceRecord } from '../records/select-service.ts';
import type { CallRequest } from '../requests.ts';
import { type Owner, type TokenSource, tokenSource } from '../token/given-token.ts';
import { tokenCandidates } from '../token/token.ts';
import type { Tools } from '../tools.ts';
import { callTarget } from './call-target.ts';
import { judgeCall } from './judge-call.ts';

/**
 * The clock of the server was set, in milliseconds: less is not worth a write. Machines that answer by one name
 * may be seconds apart, and a call must not write the file each time that it meets another of them.
 */
const CLOCK_MOVED = 10_000;

export async function call(
  tools: Tools,
  target: string,
  request: CallRequest,
): Promise<CallAnswer> {
  checkRequest(request);
  const source = await tokenSource(tools, request.service ?? absolute(target));
  if (source.from === 'environment') return callWithGivenToken(tools, target, request, source);
  const inUse = await takeIntoUse(tools, request.service ?? (await serviceOf(tools, target)));
  const url = callTarget(target, inUse.record.resource);
  // The times that are stored are on the clock of the server, which an API elsewhere does not show.
  const peer = isSameOrigin(url, inUse.record.issuer) ? inUse.peer : new Peer(tools.context);
  const candidates = tokenCandidates(tools, inUse);
  const warnings: Warning[] = [...source.warnings];
  let refused: CallAnswer | undefined;
  for (;;) {
    // It throws when no token is left, and each kind of token comes once: no loop (BRR-11).
    const candidate = await nextCandidate(candidates, refused);
    if (refused !== undefined) discard(refused.response);
    warnings.push(...candidate.warnings);
    const sent = await send(tools, peer, url, request, candidate.token);
    const answer = { ...sent, warnings };
    if (answer.status !== 401) {
      if (peer === inUse.peer) await keepClock(tools, inUse, CLOCK_MOVED);
      if (answer.status !== 403 || candidate.registration.crossApp === undefined) {
        return judgeCall(answer, candidate.registration);
      }
      const { callWider } = await import('./call-wider.ts');
      const again = (token: AccessToken) => send(tools, peer, url, request, token);
      return callWider(tools, inUse, { answer, again, candidate });
    }
    if (refused === undefined) {
      // Loaded when first needed, as are further candidates.
      const { lookAgain } = await import('./look-again.ts');
      await lookAgain(tools, inUse.record, answer);
    }
    refused = answer;
  }
}

/** The last refusal goes with the error: its body may hold the reason. */
async function nextCandidate(
  candidates: AsyncGenerator<TokenCandidate, never>,
  refused: CallAnswer | undefined,
): Promise<TokenCandidate> {
  try {
    return (await candidates.next()).value;
  } catch (error) {
    if (refused === undefined) throw error;
    if (error instanceof AgentError) throw error.with({ answer: refused });
    discard(refused.response);
    throw error;
  }
}

/** The service that the target belongs to, a path at the origin used last; `undefined`: the one used last. */
async function serviceOf(tools: Tools, target: string): Promise<string | undefined> {
  const credentials = await tools.store.read();
  const { lastService } = credentials;
  const url =
    absolute(target) ?? (lastService === null ? undefined : callTarget(target, lastService));
  return url && findServiceRecord(credentials, url)?.resource;
}

async function callWithGivenToken(
  tools: Tools,
  target: string,
  request: CallRequest,
  { owner, value }: Extract<TokenSource, { from: 'environment' }>,
): Promise<CallAnswer> {
  const url = callTarget(target, await resourceOf(tools, owner));
  const sentAs = storedAs(owner, value);
  const answer = await send(tools, new Peer(tools.context), url, request, sentAs);
  if (answer.status !== 401) return judgeCall(answer, undefined);
  throw new AgentError('The service refuses the token in AGENT_AUTH_TOKEN.', {
    code: 'token_refused',
    answer,
    hint: 'Set a valid token, or unset the variable to use the stored registration.',
  });
}

/** A token that is stored here, too, as in a command that `exec` runs, goes in the header of its service. */
function storedAs({ record }: Owner, value: Secret): GivenToken {
  const stored = record?.registrations.find(({ token }) => {
    return token?.value.reveal() === value.reveal();
  });
  return stored?.token ?? { value };
}

type GivenToken = Pick<AccessToken, 'value' | 'header'>;

/** A token from outside belongs to a service that need not be registered with. */
async function resourceOf(tools: Tools, { record, url }: Owner): Promise<string> {
  if (record !== undefined) return record.resource;
  const { discover } = await import('../discovery/discover.ts');
  return (await discover(tools, { address: url })).service.resource;
}

function absolute(target: string): string | undefined {
  return URL.canParse(target) ? target : undefined;
}

async function send(
  { signal }: Tools,
  peer: Peer,
  url: string,
  { method = 'GET', headers = {}, body }: CallRequest,
  token: GivenToken,
): Promise<CallAnswer> {
  const init: FetchInit = {
    method,
    headers: { ...headers, ...credentialHeader(token, headers) },
    // A copy where it is bytes: they may be in memory that is shared.
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  };
  const response = await peer.open(url, init, signal);
  return { url, status: response.status, headers: response.headers, response, warnings: [] };
}

/**
 * What could not be sent as it was asked for, before a token is looked for.
 * @throws AgentError `header_not_allowed` or `bad_call`.
 */
function checkRequest({ method = 'GET', headers = {}, body }: CallRequest): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new AgentError(`That is not an HTTP method: ${displayText(method, 40)}.`, {
      code: 'bad_call',
    });
  }
  if (body !== undefined && /^(GET|HEAD)$/i.test(method)) {
    throw new AgentError(`A ${method} carries no body.`, {
      code: 'bad_call',
      hint: 'Name another method.',
    });
  }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
}

function checkHeader(name: string, value: string): void {
  // One token, by one method (BRR-03).
  if (name.toLowerCase() === 'authorization') {
    throw new AgentError('The Authorization header is set by the agent.', {
      code: 'header_not_allowed',
      hint: 'Leave it out; a token of your own goes into AGENT_AUTH_TOKEN.',
    });
  }
  try {
    new Headers([[name, value]]);
  } catch {
    // Its value is not echoed: it may be a credential.
    throw new AgentError(`The header ${displayText(name, 60)} cannot be sent as it is.`, {
      code: 'header_not_allowed',
    });
  }
}

/**
 * The header that a token travels in: `Authorization` as a bearer token (RFC 6750 §2.1); else the one that the
 * service named for its direct credential, with nothing but the credential in it.
 * @throws AgentError `header_not_allowed` where the caller set that header, too.
 */
function credentialHeader(
  { value, header }: Pick<AccessToken, 'value' | 'header'>,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (header === undefined) return { authorization: `Bearer ${value.reveal()}` };
  const isSame = (name: string) => name.toLowerCase() === header.toLowerCase();
  if (Object.keys(others).some(isSame)) {
    throw new AgentError(`The header ${header} is set by the agent.`, {
      code: 'header_not_allowed',
      hint: 'Leave it out: the service takes the agent’s credential there.',
    });
  }
  return { [header]: value.reveal() };
}
