import { environmentToken } from '../../agent/credentials/environment-token.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import { AGENT_CLIENT_ID } from '../../agent/given-client.ts';
import { URL_PROBLEMS } from '../../agent/http/url-policy.ts';
import type { Credentials, ServiceRecord } from '../../agent/model.ts';
import { displayText } from '../../protocol/text.ts';
import { absoluteFromTyped } from '../../protocol/typed-url.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  isLoopbackHost,
  parsedUrl,
  urlProblem,
  withoutQuery,
} from '../../protocol/urls.ts';
import { NetworkError } from '../../runtime/ports.ts';
import { startDeadline } from '../../runtime/system-deadline.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { GlobalOptions } from '../shell/global-options.ts';
import { isNearby } from '../shell/nearby-host.ts';
import { nextLine, typedAgain } from '../shell/next-line.ts';
import { RuntimeFiles } from '../shell/runtime-files.ts';
import type { Choice } from '../terminal/ask.ts';
import { chooseOne } from './choose-one.ts';

/**
 * The URL that a user typed, made absolute: a bare host such as `localhost:4800` gets `http`
 * when it is this machine and `https` otherwise.
 * Plain `http` elsewhere takes `--allow-origin`.
 * @throws CliError (usage) for a URL that may not be requested.
 */
export function absoluteUrl(
  typed: string,
  where = 'The service URL',
  { allowOrigin }: Pick<GlobalOptions, 'allowOrigin'> = {},
): string {
  const absolute = absoluteFromTyped(typed);
  const problem = urlProblem(
    absolute,
    new Set(allowOrigin?.map((each) => parsedUrl(each)?.origin)),
  );
  if (problem !== undefined) {
    const isContainer = problem === 'not_https' && isNearby(absolute);
    throw usageError(`${where} cannot be used: ${URL_PROBLEMS[problem]}.`, {
      code: 'bad_address',
      ...(isContainer && {
        hint:
          `Where it is another container, allow it with --allow-origin ${new URL(absolute).origin}, ` +
          'or lead a port of this machine to it: docs/test-in-ci.md says how.',
      }),
    });
  }
  return absolute;
}

/** The service that the user named: an argument, `--service`, then `AGENT_AUTH_SERVICE`. */
export function namedService(
  context: Context,
  argument: string | undefined,
  use: { readonly environment: boolean } = { environment: true },
): string | undefined {
  const { options, world } = context;
  const typed = argument ?? options.service;
  if (typed !== undefined) return rememberService(context, absoluteUrl(typed, undefined, options));
  const service = use.environment ? world.environment.service : undefined;
  if (service === undefined) return undefined;
  return rememberService(context, absoluteUrl(service, 'AGENT_AUTH_SERVICE', options));
}

/** Remembers the service of this run for the command that is named as the next step. @returns `url`. */
export function rememberService({ about }: Context, url: string): string {
  about.service = withoutQuery(url);
  return url;
}

/**
 * The service of a command that works with what is stored: the one that was named, else, where none was
 * used last, the only one that is stored, or the one that the user chooses. `undefined`: one was used last,
 * which the agent takes by itself, or the token comes from the environment.
 * @throws CliError (usage) with the choices where no user can be asked.
 */
export async function storedService(
  context: Context,
  store: CredentialStore,
  use: { readonly environment: boolean } = { environment: true },
): Promise<string | undefined> {
  const named = namedService(context, undefined, use);
  if (named !== undefined || environmentToken(context.world.environment.source)) return named;
  const credentials = await store.read();
  const chosen = await chooseStored(context, credentials);
  const known = chosen ?? credentials.lastService;
  if (known !== null) rememberService(context, known);
  return chosen;
}

/** `undefined` where one was used last, or nothing is stored. */
async function chooseStored(
  context: Context,
  { lastService, services }: Credentials,
): Promise<string | undefined> {
  if (lastService !== null) return undefined;
  const [only, another] = services;
  if (another === undefined) return only?.resource;
  return askWhich(context, 'several are stored', services.map(serviceChoice));
}

function askWhich(context: Context, why: string, choices: readonly Choice[]): Promise<string> {
  return chooseOne(context, {
    ...{ question: 'Which service?', choices, code: 'service_missing', flag: '--service' },
    message: `No service was given, and ${why}.`,
    next: typedAgain(context, '--service', 'URL'),
  });
}

export function serviceChoice({ resource, name }: ServiceRecord): Choice {
  return {
    value: resource,
    name: name === null ? resource : `${displayText(name, 60)}  ${resource}`,
  };
}

/**
 * The service to go to: the one that was named, else the one used last, else one that is stored, else a
 * mock that runs on this machine.
 * @throws CliError (usage) with the line to type when there is none.
 */
export async function chooseService(
  context: Context,
  store: CredentialStore,
  argument: string | undefined,
): Promise<string> {
  const named = namedService(context, argument);
  if (named !== undefined) return named;
  const credentials = await store.read();
  const known = credentials.lastService ?? (await chooseStored(context, credentials));
  if (known !== undefined) return rememberService(context, known);
  const mocks = await runningMocks(context, 'service');
  const [mock, another] = mocks;
  if (another !== undefined) {
    const choices = mocks.map((each) => ({ value: each, name: each }));
    return rememberService(context, await askWhich(context, 'several mocks are running', choices));
  }
  if (mock !== undefined) return rememberService(context, mock);
  throw usageError('No service was given, none is stored, and no mock is running.', {
    code: 'service_missing',
    hint: `Name one with --service, or start a mock: ${context.line('mock up')}`,
    next: nextLine(context, 'mock up'),
  });
}

/** Whether a command that names no service has one to go to, or some to choose from. */
export async function isServiceKnown(context: Context, store: CredentialStore): Promise<boolean> {
  if (namedService(context, undefined) !== undefined) return true;
  const { lastService, services } = await store.read();
  if (lastService !== null || services.length > 0) return true;
  return (await runningMocks(context, 'service')).length > 0;
}

/**
 * The provider where the user signed in last, to that client or to the one that is kept for it; else a mock that runs.
 * @throws CliError (usage) with the line to type when there is none.
 */
export async function lastProvider(
  context: Context,
  store: CredentialStore,
  clientId: string,
): Promise<string> {
  const { clients = [], providers } = await store.read();
  const last = providers.findLast((session) => {
    const kept = clients.find(({ issuer }) => issuer === session.issuer);
    return (session.clientId ?? AGENT_CLIENT_ID) === (kept?.clientId ?? clientId);
  });
  const known = last?.issuer ?? (await runningMocks(context, 'provider'))[0];
  if (known !== undefined) return known;
  throw usageError(
    'No provider was given, the user is signed in at none, and no mock is running.',
    {
      code: 'provider_missing',
      hint: 'Name the one that the user signs in at.',
      next: typedAgain(context, '--provider', 'URL'),
    },
  );
}

/** The provider to go to, by the same rule: the one named, the one signed in at, a mock that runs. */
export async function chooseProvider(
  context: Context,
  store: CredentialStore,
  argument: string | undefined,
): Promise<string> {
  if (argument !== undefined) return absoluteUrl(argument, 'The provider URL', context.options);
  const { providers: sessions } = await store.read();
  // One of several clients there will do.
  const providers = sessions.filter(
    ({ issuer }, index) => sessions.findIndex((one) => one.issuer === issuer) === index,
  );
  const [only, another] = providers;
  if (only !== undefined && another === undefined) return only.issuer;
  if (another !== undefined) {
    return chooseOne(context, {
      question: 'Which provider?',
      choices: providers.map(({ issuer, account }) => ({
        value: issuer,
        name: account === null ? issuer : `${issuer}, as ${displayText(account, 100)}`,
      })),
      code: 'provider_missing',
      message: 'You are signed in at several providers.',
      flag: 'its URL',
      next: typedAgain(context, 'URL'),
    });
  }
  const [mock] = await runningMocks(context, 'provider');
  if (mock !== undefined) return mock;
  throw usageError('No provider was given, and no mock is running.', {
    code: 'provider_missing',
    hint: `Name one, or start a mock: ${context.line('mock up')}`,
    next: nextLine(context, 'mock up'),
  });
}

const PROBE_TIMEOUT = 5_000;

/** URLs of mocks on this machine that answer, or are too busy to, newest first. */
async function runningMocks(
  context: Context,
  part: 'service' | 'provider',
): Promise<readonly string[]> {
  const running: string[] = [];
  for (const mock of new RuntimeFiles(context.world.environment).list()) {
    const url = mock[part];
    if (url !== null && (await answers(context, url))) running.push(url);
  }
  return running;
}

/** A pid is used again after a restart, so the URL has to answer, or to let wait for its answer, too. */
async function answers(context: Context, url: string): Promise<boolean> {
  if (urlProblem(url) !== undefined || !isLoopbackHost(new URL(url).hostname)) {
    return false;
  }
  const { signal, end } = startDeadline(PROBE_TIMEOUT, context.interrupt.signal);
  try {
    const fetch = await context.fetch();
    const response = await fetch(url + AUTHORIZATION_SERVER_PATH, { signal });
    // Not awaited: a stream that does not end need not end its cancelling either.
    response.body?.cancel().catch(() => {});
    return response.status === 200;
  } catch (error) {
    // It is busy, or has a certificate of its own: it runs, and the command that goes there explains what to do.
    if (signal.aborted) return !context.interrupt.signal.aborted;
    return error instanceof NetworkError && error.code === 'tls';
  } finally {
    end();
  }
}
