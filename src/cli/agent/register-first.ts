import type { AgentError } from '../../agent/agent-error.ts';
import { callTarget } from '../../agent/call/call-target.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { CallAnswer } from '../../agent/outcomes.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import { displayText } from '../../protocol/text.ts';
import { isSameOrigin, withoutQuery } from '../../protocol/urls.ts';
import type { FetchInit } from '../../runtime/ports.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { absoluteUrl, chooseService } from '../prompts/service.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { nextLine, typedAgain } from '../shell/next-line.ts';
import { otherDialect } from './registration-lines.ts';

/** A call as it was asked for. */
interface AskedCall {
  /** A URL, or a path of the service. */
  readonly target: string;
  readonly init: Required<Pick<FetchInit, 'method' | 'headers'>>;
}

/**
 * The call of an agent that is not registered yet (`missing` says so): where the URL answers 401, registers
 * anonymously from its challenge and sends. A new identity is never made silently (wire contract §6): the user agrees
 * to it, or did so with `--yes`. Any other answer than 401 needs no identity: it is the answer of the call.
 */
export async function registerFirst(
  context: Context,
  asked: AskedCall,
  missing: AgentError,
  send: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const { canAsk, interrupt, options, output, world } = context;
  const { agent, store } = await openAgent(context);
  if (!canAsk && options.yes !== true) throw await askForYes(context, store, asked, missing);
  const url = URL.canParse(asked.target)
    ? absoluteUrl(asked.target, 'The URL', options)
    : callTarget(asked.target, await chooseService(context, store, undefined));
  // A registration that exists but was not accepted is no reason to make another one.
  const credentials = await store.read();
  const isKnown =
    findServiceRecord(credentials, url) ??
    credentials.services.find(({ resource }) => isSameOrigin(resource, url));
  if (isKnown !== undefined) throw missing;
  const { host } = new URL(url);
  const question = `This agent is not registered at ${host}. Register anonymously?`;
  if (options.yes !== true && !(await world.ask.confirm(question, true))) throw missing;

  const answer = await askWithoutToken(context, url, asked.init);
  if ('url' in answer) return answer;
  const { signal } = interrupt;
  const discovery = await agent.discover({ address: url, ...answer }, { signal });
  const outcome = await agent.register({ service: discovery, type: 'anonymous', signal });
  if (outcome.status === 'registered') {
    for (const { message } of outcome.warnings) output.warn(message);
    const { id } = outcome.registration;
    const how = otherDialect(outcome.registration);
    output.say(
      `Registered anonymously at ${host}: ${id}${how === '' ? '' : `, in the dialect ${how}`}.`,
    );
  }
  return send();
}

/** Nobody can be asked, and nobody has agreed beforehand. */
async function askForYes(
  context: Context,
  store: CredentialStore,
  { target }: AskedCall,
  missing: AgentError,
): Promise<CliError> {
  const isKnown =
    URL.canParse(target) ||
    (await chooseService(context, store, undefined).catch(() => undefined)) !== undefined;
  const more = isKnown ? ['--yes'] : ['--service', 'URL', '--yes'];
  return new CliError('unregistered', {
    code: missing.code,
    message: missing.message,
    hint: 'With --yes it registers anonymously first if the service asks for a token.',
    next: typedAgain(context, ...more) ?? nextLine(context, 'call', target, ...more),
    cause: missing,
  });
}

/**
 * What the URL answers without a token: the headers of its 401, else its answer. A method that may
 * change something is not sent without a token: a GET asks in its place.
 * @throws CliError where that GET is answered by anything but a 401.
 */
async function askWithoutToken(
  context: Context,
  url: string,
  init: AskedCall['init'],
): Promise<CallAnswer | { readonly challenge: Headers }> {
  const fetch = await context.fetch();
  const isSafe = init.method === 'GET' || init.method === 'HEAD';
  const response = await fetch(url, isSafe ? init : { method: 'GET' });
  const { headers, status } = response;
  if (isSafe && status !== 401) {
    context.output.say(
      'No token was sent: the service does not ask for one, and this agent has none.',
    );
    return { url, status, headers, response, warnings: [] };
  }
  response.body?.cancel().catch(() => {});
  if (status === 401) return { challenge: headers };
  throw new CliError('unregistered', {
    code: 'no_challenge',
    message: `${displayText(new URL(url).host)} answered a GET without a token with ${status}, not with 401, so this agent did not register, and nothing was sent.`,
    hint: 'Register first if the call needs a token.',
    next: nextLine(context, 'register', withoutQuery(url)),
  });
}
