import { AgentError } from '../agent-error.ts';
import { call } from '../call/call.ts';
import { isNotForGet, MCP_INITIALIZE } from '../discovery/ask-for-challenge.ts';
import { discard } from '../http/peer.ts';
import type { Service, Warning } from '../model.ts';
import type { CallRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import type { ProofCall } from './connect-request.ts';
import type { ConnectRun } from './connect-run.ts';

/** What the call showed: an answer, or that the token is too narrow for it. */
type Proof =
  | {
      readonly kind: 'answered';
      readonly call: ProofCall;
      /** What was odd about the exchanges that it needed. */
      readonly warnings: readonly Warning[];
    }
  | {
      readonly kind: 'too_narrow';
      readonly call: ProofCall;
      readonly warnings: readonly Warning[];
      /** What the service says that it needs; empty: it does not say. */
      readonly scopes: readonly string[];
      readonly error: AgentError;
    };

/** One GET with the token. Whatever its status is, it is an answer; its body is not read. */
export function prove({ tools, service }: ConnectRun, path: string): Promise<Proof> {
  return proveBy(tools, path, { service: service.resource });
}

/** The call that shows that a resource takes the token. */
interface ProofAsked {
  /** Where somebody named one. */
  readonly path: string | undefined;
  /** How the resource asked for a token: it is asked so again. */
  readonly challenged: 'GET' | 'POST' | undefined;
}

/** @returns `undefined` where nothing asked for a token, so that no call would show anything. */
export async function proveAt(
  tools: Tools,
  { resource }: Service,
  { challenged, path }: ProofAsked,
): Promise<Proof | undefined> {
  const request = { service: resource };
  if (path !== undefined) return proveBy(tools, path, request);
  if (challenged === undefined) return undefined;
  const got = challenged === 'GET' ? await proveBy(tools, resource, request) : undefined;
  // An MCP server has nothing for GET (MCP, streamable HTTP).
  if (got !== undefined && !(got.kind === 'answered' && isNotForGet(got.call.status))) return got;
  return proveBy(tools, resource, { ...request, ...MCP_INITIALIZE });
}

async function proveBy(tools: Tools, target: string, request: CallRequest): Promise<Proof> {
  const method = request.method === 'POST' ? ({ method: 'POST' } as const) : {};
  try {
    const { url, status, response, warnings } = await call(tools, target, request);
    discard(response);
    return { kind: 'answered', call: { url, status, ...method }, warnings };
  } catch (error) {
    if (!(error instanceof AgentError) || error.answer === undefined) throw error;
    const { url, status, response, warnings } = error.answer;
    discard(response);
    if (error.code !== 'insufficient_scope') throw error;
    const scopes = error.problem?.scope ?? [];
    return { kind: 'too_narrow', call: { url, status, ...method }, warnings, scopes, error };
  }
}
