import { Agent, type AgentOptions } from '../../agent/index.ts';
import { parsedUrl } from '../../protocol/index.ts';
import type { Sleep } from '../../runtime/index.ts';
import { Show } from '../answer/show.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import { watchFetch, watchStore } from '../secrets/watch.ts';
import { allowedFetch } from './allowed.ts';
import type { Waits } from './waits.ts';

/** What an MCP server of this agent is made of, and what it may do. */
export interface McpOptions {
  /** The outside world of the agent, and where it keeps things. */
  readonly agent: AgentOptions;
  /** The version of this program, for the host. */
  readonly version: string;
  /** What a user types to start this program: `npx agent-auth`. */
  readonly program: string;
  /** The service of tools that are called without one. Default: the one used last. */
  readonly service?: string | undefined;
  /** Services and providers on these origins alone. Default: any. */
  readonly only?: readonly string[] | undefined;
  /** Whether nothing is registered, claimed or left, and calls are GET and HEAD alone. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Passes the time after which a call ends whose poll is not answered. Default: the sleep of `agent`. */
  readonly limit?: Sleep | undefined;
  /** Called with what went wrong that no answer shows, such as a message that cannot be read. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** What the tools of one server share. Its fetch is without credentials: for documents that anybody may read. */
export interface McpWorld
  extends Pick<AgentOptions, 'store' | 'fetch' | 'clock' | 'random' | 'sleep'>,
    Pick<McpOptions, 'program'> {
  readonly agent: Agent;
  readonly limit: Sleep;
  /** Aborted when the host has gone. */
  readonly closed: AbortSignal;
  readonly waits: Waits;
  readonly mask: SecretMask;
  readonly show: Show;
  /** Ids of registrations that have spaces: what an error says of one could be read as ours. */
  readonly sentences: ReadonlySet<string>;
  readonly service: string | undefined;
  /** Origins; `undefined`: any. */
  readonly only: readonly string[] | undefined;
  /** Origins that may also be of plain http, and of a narrower reach than what names them. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly readOnly: boolean;
  /** Whether a token of the environment is for a known service: calls there need no registration. */
  readonly hasToken: boolean;
}

export function createMcpWorld(options: McpOptions, closed: AbortSignal): McpWorld {
  const mask = new SecretMask();
  const sentences = new Set<string>();
  const store = watchStore(options.agent.store, mask, sentences);
  const { environmentToken, clock, random, sleep } = options.agent;
  if (environmentToken !== undefined) mask.add(environmentToken.reveal());
  const { program, service, readOnly = false } = options;
  // AGENT_AUTH_SERVICE says whose the token is; --service may name another service.
  const environmentService = options.agent.environmentService ?? service;
  const only = options.only?.map((each) => new URL(each).origin);
  const allowedOrigins = new Set(
    // What is no URL, the agent refuses.
    (options.agent.allowOrigins ?? []).flatMap((each) => parsedUrl(each)?.origin ?? []),
  );
  const fetch = watchFetch(allowedFetch(options.agent.fetch, only, allowedOrigins), mask);
  const agent = new Agent({
    ...options.agent,
    ...{ store, fetch, environmentService, unownedToken: 'unused' },
  });
  return {
    ...{ agent, show: new Show(mask, (issuer) => agent.now(issuer)) },
    ...{ store, fetch, clock, random, sleep, mask, sentences, program, service, only, readOnly },
    allowedOrigins,
    ...{ closed, limit: options.limit ?? sleep },
    waits: new Map(),
    hasToken: environmentToken !== undefined && environmentService !== undefined,
  };
}
