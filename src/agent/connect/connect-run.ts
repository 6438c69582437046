import { AgentError } from '../agent-error.ts';
import type { Service } from '../model.ts';
import type { Tools } from '../tools.ts';
import { connectArgs } from './connect-args.ts';
import type { ConnectRequest, ConnectStep } from './connect-request.ts';

/** What the steps of one `connect` share. */
export interface ConnectRun {
  readonly tools: Tools;
  readonly request: ConnectRequest;
  readonly service: Service;
  readonly tell: (step: ConnectStep) => void;
}

/** The user's email address, from whoever can ask for it. @throws AgentError `answer_missing`. */
export async function askForEmail(request: ConnectRequest): Promise<string> {
  const email = await request.user?.email?.();
  if (email !== undefined) return email;
  throw answerMissing('The email address of the user', '--email', { ...request, email: 'EMAIL' });
}

/** @param filled the request, with a placeholder for what is missing. */
export function answerMissing(what: string, flag: string, filled: ConnectRequest): AgentError {
  return new AgentError(`${what} is missing, and there is no user to ask.`, {
    code: 'answer_missing',
    hint: `Give it with ${flag}.`,
    next: { command: 'connect', args: [filled.service, ...connectArgs(filled)] },
  });
}
