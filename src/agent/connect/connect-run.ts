import { AgentError } from '../agent-error.ts';
import type { AccessToken, Service } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { ConnectRequest, ConnectStep, TokenFacts } from './connect-request.ts';

/** What the steps of one `connect` share. */
export interface ConnectRun {
  readonly tools: Tools;
  readonly request: ConnectRequest;
  readonly service: Service;
  readonly tell: (step: ConnectStep) => void;
}

/** A token without the token. */
export function tokenFacts(
  tools: Tools,
  issuer: string,
  { value: _, ...facts }: AccessToken,
): TokenFacts {
  const { expiresAt } = facts;
  const remaining = expiresAt === null ? null : expiresAt - peerOf(tools, issuer).now();
  return { ...facts, remaining };
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

type Asked = Omit<ConnectRequest, 'signal' | 'user' | 'onStep' | 'service'>;

/** The same request as arguments of the command, to go on with. */
export function connectArgs(asked: Asked): readonly string[] {
  const { client, type, email, provider, scopes = [], claim, call, leave } = asked;
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, value];
  return [
    // What goes with the id is kept.
    ...option('--client-id', client?.id),
    ...option('--type', type),
    ...option('--provider', provider),
    ...option('--email', email),
    ...scopes.flatMap((scope) => ['--scope', scope]),
    ...(claim ? ['--claim'] : []),
    ...option('--call', call),
    ...(leave ? ['--leave'] : []),
  ];
}
