import { AgentError } from '../agent-error.ts';
import { call } from '../call/call.ts';
import { discard } from '../http/peer.ts';
import type { Warning } from '../model.ts';
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
export async function prove({ tools, request, service }: ConnectRun, path: string): Promise<Proof> {
  const { signal } = request;
  try {
    const { url, status, response, warnings } = await call(tools, path, {
      service: service.resource,
      signal,
    });
    discard(response);
    return { kind: 'answered', call: { url, status }, warnings };
  } catch (error) {
    if (!(error instanceof AgentError) || error.answer === undefined) throw error;
    const { url, status, response, warnings } = error.answer;
    discard(response);
    if (error.code !== 'insufficient_scope') throw error;
    const scopes = error.problem?.scope ?? [];
    return { kind: 'too_narrow', call: { url, status }, warnings, scopes, error };
  }
}
