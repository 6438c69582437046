import { type Served, serve } from '../../../mock-service/index.ts';
import { type Clock, type Random, type Sleep, silentLog } from '../../../runtime/index.ts';
import { drawSeed, Invented } from '../../engine/invented.ts';
import type { ScenarioResult } from '../../engine/model.ts';
import { type RunOptions, runScenarios } from '../../engine/runner.ts';
import type { TaskClient } from '../agent-task.ts';
import type { Handler } from '../harness.ts';
import { mcpOf } from '../steps/cross-app.ts';
import { Stage } from './stage.ts';
import { isWatched, type Seen, WATCHED_SCENARIOS } from './watched-scenarios.ts';

/** What is told to whoever has an agent. */
export interface Invitation {
  /** The service's base URL. */
  readonly service: string;
  readonly resource: string;
  /** The user for whom the agent acts; the suite plays them. */
  readonly email: string;
  /** What any agent is to be told: a person's, or a language model's. */
  readonly sentence: string;
  /** What a client of cross-app access needs: the MCP server, and what it and its provider know the client by. */
  readonly mcp: string;
  readonly clients: readonly TaskClient[];
}

/** A request that has come, and its status. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface WatchAgentOptions
  extends Pick<RunOptions<Seen>, 'catalog' | 'onResult' | 'selection'> {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly seed?: number;
  /** Where the service listens on 127.0.0.1. Default: a free port. */
  readonly port?: number | undefined;
  /** The watch ends when nothing has come for so long. Milliseconds. */
  readonly quiet: number;
  readonly onInvitation: (invitation: Invitation) => void;
  /** Called with each request that was answered. */
  readonly onRequest?: (request: AnsweredRequest) => void;
  /** Ends the watch. What was seen until then is judged, and the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The first request may take longer: somebody has to give the sentence to an agent. Milliseconds. */
const FIRST_REQUEST = 10 * 60_000;
/** After the last thing that was asked for. Milliseconds. */
const FAREWELL = 2_000;
/** Between two looks. Milliseconds. */
const LOOK_EVERY = 100;

/**
 * Judges an agent that somebody else starts, by what reaches one service: its user is played, and each scenario
 * is judged as far as the traffic shows it.
 */
export async function watchAgent(options: WatchAgentOptions): Promise<readonly ScenarioResult[]> {
  const { clock, random, signal, port = 0, catalog, selection, onResult } = options;
  const seed = options.seed ?? drawSeed(random);
  const servers: Served[] = [];
  const ports = [port];
  const stage = new Stage({
    ...options,
    invented: new Invented(seed, 'watch'),
    host: async (build) => {
      const served = await serve({
        host: '127.0.0.1',
        // The service is the first; its provider is told of by name.
        port: ports.pop() ?? 0,
        log: silentLog,
        build: async (origin) => telling(await build(origin), options.onRequest),
      });
      servers.push(served);
      return served.origin;
    },
  });
  try {
    const { origin, resource } = await stage.open();
    const { email } = stage;
    options.onInvitation({
      service: origin,
      resource,
      email,
      sentence: sentenceFor(resource, origin, email),
      mcp: mcpOf(stage.both),
      clients: [stage.both.atProvider, stage.both.atService],
    });
    await untilOver(stage, options);
    stage.isCut = signal?.aborted === true;
    const results = await runScenarios({
      scenarios: WATCHED_SCENARIOS,
      world: (recorder, { id }) => {
        if (isWatched(id)) recorder.takeOver(stage.recorder);
        return stage;
      },
      catalog,
      clock,
      repeat: false,
      ...(selection && { selection }),
      ...(onResult && { onResult }),
    });
    signal?.throwIfAborted();
    return results;
  } finally {
    await stage.close();
    await Promise.all(servers.map((server) => server.close()));
  }
}

function telling(handle: Handler, tell: WatchAgentOptions['onRequest']): Handler {
  return async (request) => {
    const response = await handle(request);
    const { pathname: path } = new URL(request.url);
    tell?.({ method: request.method, path, status: response.status });
    return response;
  };
}

function sentenceFor(resource: string, service: string, email: string): string {
  return (
    `Fetch ${resource} for ${email}. What you need to know about that service is at ${service}/auth.md. ` +
    `Register there if you must, and have ${email} claim the registration: show the code and the page, and wait. ` +
    'Fetch it twice more after that, with a pause between, and revoke your access token at the end.'
  );
}

/** Waits until the token was revoked, nothing comes any more, nobody came at all, or the run was interrupted. */
async function untilOver(
  { traffic }: Stage,
  { clock, sleep, quiet, signal }: WatchAgentOptions,
): Promise<void> {
  const began = clock.now();
  while (signal?.aborted !== true) {
    const last = traffic.at(-1);
    const silence = clock.now() - (last?.at ?? began);
    const isLeft = last?.kind === 'revoke' && last.answer?.status === 200;
    if (silence > (last === undefined ? FIRST_REQUEST : isLeft ? FAREWELL : quiet)) return;
    await sleep(LOOK_EVERY, signal).catch(() => {});
  }
}
