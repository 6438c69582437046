import type { IdentityType } from '../../protocol/index.ts';
import type { Invented } from '../engine/invented.ts';
import { CannotTest, NeedsOption, NotApplicable } from '../engine/judge.ts';
import { scenariosOf } from '../engine/scenario.ts';
import type { Recorder } from '../http/recorder.ts';
import {
  AGENT_CLIENT_ID,
  type AgentJob,
  type AgentRun,
  type AgentTask,
  type AgentTaskContext,
  DECLINED,
} from './agent-task.ts';
import type { CommandEnd, ControlRuns } from './control-runs.ts';
import type { Harness } from './harness.ts';
import { isResponse, Peer, type PeerContext, type Rule } from './peer.ts';
import type { ReceivedRequest, RequestKind } from './received-request.ts';
import {
  classifyOther,
  type ProviderPeer,
  type ProviderPeerOptions,
  type ServicePeer,
  type ServicePeerOptions,
  startProvider,
  startService,
} from './service-peer.ts';

interface RunFacts {
  readonly service: Pick<ServicePeer, 'origin' | 'resource'>;
  readonly type?: IdentityType;
  /** Default: the service's own. */
  readonly resource?: string;
  readonly provider?: string;
  /** The clients of cross-app access. */
  readonly clients?: Pick<AgentTaskContext, 'client_at_provider' | 'client_at_service'>;
  /** What the user's browser does with what it is handed. */
  readonly browse?: AgentJob['browse'];
  readonly agrees?: boolean;
  readonly browser?: boolean;
  /** Milliseconds; at most the limit of the suite's run. */
  readonly limit?: number;
}

/** A run of the agent, with its requests. */
export interface ObservedRun extends AgentRun {
  readonly ok: boolean;
  /** stdout and stderr, one after the other. */
  readonly output: string;
  /** The requests of this run. */
  readonly traffic: readonly ReceivedRequest[];
}

interface AgentWorldFacts {
  readonly scenario: string;
  /** What this agent does where everything is right. */
  readonly controls: ControlRuns;
  /** Milliseconds. */
  readonly limit: number;
  readonly invented: Invented;
  /** Absent in a control, and in a world beside another. */
  readonly beside?: Beside | undefined;
}

/**
 * Tries each case in a world of its own, as many at once as there are places. Rejects as the first of them that
 * does, when all have ended.
 */
export type Beside = (cases: readonly ((world: AgentWorld) => Promise<void>)[]) => Promise<void>;

/** What a scenario for an agent works with: servers, a working environment, and the agent. */
export class AgentWorld implements PeerContext {
  readonly harness: Harness;
  readonly recorder: Recorder;
  readonly traffic: ReceivedRequest[] = [];
  /** Random names and values. */
  readonly invented: Invented;
  readonly email: string;
  readonly controls: ControlRuns;
  /** How many requests came before the current run. */
  runBegan = 0;
  readonly #scenario: string;
  readonly #limit: number;
  readonly #beside: Beside | undefined;
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(harness: Harness, recorder: Recorder, facts: AgentWorldFacts) {
    this.harness = harness;
    this.recorder = recorder;
    this.invented = facts.invented;
    this.email = facts.invented.email();
    this.controls = facts.controls;
    this.#scenario = facts.scenario;
    this.#limit = facts.limit;
    this.#beside = facts.beside;
  }

  /**
   * Tries each case in a world of its own, with folders and servers of its own: all at once where there are places.
   * Rejects as the first case that does, when all have ended.
   */
  eachBeside<Case>(
    cases: readonly Case[],
    attempt: (world: AgentWorld, one: Case) => Promise<void>,
  ): Promise<void> {
    if (this.#beside === undefined) throw new TypeError('This world has none beside it.');
    return this.#beside(cases.map((one) => (world) => attempt(world, one)));
  }

  /** A service of the suite, on an origin of its own. */
  service(options: ServicePeerOptions = {}): Promise<ServicePeer> {
    return startService(this, options, (close) => this.#closing.push(close));
  }

  /** A provider of the suite, on an origin of its own. */
  provider(options: ProviderPeerOptions = {}): Promise<ProviderPeer> {
    const { email } = this;
    return startProvider(this, { email, ...options }, (close) => this.#closing.push(close));
  }

  /** A server that the agent has no reason to send anything to. */
  async otherServer(
    name = 'other-server',
    options: { untrusted?: boolean } = {},
  ): Promise<OtherServer> {
    const peer = this.#emptyPeer(name);
    const origin = await this.harness.host(async () => peer.handle, options);
    return Object.assign(peer, { origin });
  }

  /** Receives plain http to any host that is not loopback. */
  async elsewhere(): Promise<Peer> {
    const peer = this.#emptyPeer('elsewhere');
    await this.harness.elsewhere(peer.handle);
    return peer;
  }

  #emptyPeer(name: string): Peer {
    return new Peer(name, this, async () => new Response(null, { status: 404 }), classifyOther);
  }

  noteRequest(): void {
    this.controls.noteRequest();
  }

  /** Runs the agent once. @throws NotApplicable when its adapter declines the task. */
  async run(task: AgentTask, facts: RunFacts): Promise<ObservedRun> {
    const { service, provider } = facts;
    const limit = Math.min(facts.limit ?? this.#limit, this.#limit);
    const context: AgentTaskContext = {
      schema: 'agent-auth.conformance-agent/1',
      scenario: this.#scenario,
      task,
      service: service.origin,
      resource: facts.resource ?? service.resource,
      type: facts.type ?? 'anonymous',
      email: this.email,
      ...(provider !== undefined && { provider }),
      ...(facts.clients ?? (provider !== undefined && { client_id: AGENT_CLIENT_ID })),
      person_agrees: facts.agrees ?? false,
      open_browser: facts.browser ?? false,
      timeout_seconds: Math.floor(limit / 1000),
    };
    this.runBegan = this.traffic.length;
    const job: AgentJob = {
      variables: {
        AGENT_AUTH_SERVICE: service.origin,
        AGENT_AUTH_SCENARIO: this.#scenario,
        AGENT_AUTH_CONTEXT: JSON.stringify(context),
      },
      limit,
      browser: facts.browser ?? false,
      browse: facts.browse,
    };
    const run = await this.controls.run(
      () => this.harness.run(job),
      () => this.traffic.length - this.runBegan,
    );
    const traffic = this.traffic.slice(this.runBegan);
    if (run.timedOut === true && limit === this.#limit && limit < LEAST_LIMIT) {
      throw new NeedsOption(
        `The task “${task}” ${run.killedFor ?? 'had not ended in time'}; an agent may take as long as ${LEAST_LIMIT / 1000} s.`,
        '--timeout',
      );
    }
    if (run.exitCode === DECLINED) {
      const { type = 'anonymous' } = facts;
      const how = type === 'anonymous' ? '' : ` with the type ${type}`;
      throw new NotApplicable(
        `The command declined the task “${task}”${how} (exit ${DECLINED}). If the agent can do it, let its adapter do it.`,
      );
    }
    const output = `${run.stdout}\n${run.stderr}`;
    return { ...run, ok: run.exitCode === 0, output, traffic };
  }

  /** Runs the agent once; undefined when its adapter declines the task. */
  async runIfKnown(task: AgentTask, facts: RunFacts): Promise<ObservedRun | undefined> {
    try {
      return await this.run(task, facts);
    } catch (error) {
      if (error instanceof NotApplicable && !(error instanceof NeedsOption)) return undefined;
      throw error;
    }
  }

  /** Runs a task that the rest of the scenario depends on. @throws CannotTest when it fails. */
  async mustRun(task: AgentTask, facts: RunFacts): Promise<ObservedRun> {
    const run = await this.run(task, facts);
    if (!run.ok) {
      throw new CannotTest(`The task “${task}” at a right service failed: ${ending(run)}.`);
    }
    return run;
  }

  /** Every secret that a peer has issued, with the name of its member. */
  secrets(): readonly Secret[] {
    return secretsIn(this.traffic);
  }

  /** Ends what the scenario opened. */
  async close(): Promise<void> {
    await this.harness.close();
    for (const close of this.#closing) await close();
  }
}

/**
 * The least limit of a run: with less time, an agent that waits for a slow server could not be told from one that
 * hangs. Milliseconds.
 */
const LEAST_LIMIT = 60_000;

/** A secret that a peer has issued. */
export interface Secret {
  /** The name of its member. */
  readonly name: string;
  readonly value: string;
}

/** Every secret in the answers to some requests. */
export function secretsIn(traffic: readonly ReceivedRequest[]): readonly Secret[] {
  const found = new Map<string, string>();
  for (const { answered } of traffic) {
    for (const name of SECRETS) {
      const value = answered?.[name];
      if (typeof value === 'string' && value.length >= 16) found.set(value, name);
    }
  }
  return [...found].map(([value, name]) => ({ name, value }));
}

const SECRETS = [
  'access_token',
  'identity_assertion',
  'claim_token',
  'id_token',
  'refresh_token',
  'device_code',
];

export type OtherServer = Peer & { readonly origin: string };

/** How a run ended, for a finding: `exit 1, “last line of stderr”`. */
export function ending({ exitCode, killed, killedFor, stderr }: CommandEnd): string {
  const lines = stderr.trim().split('\n');
  // Node ends what it says of an uncaught error with its version.
  const thrown = /^Node\.js v\d/.test(lines.at(-1) ?? '')
    ? lines.findLast((line) => /^\w*Error\b/.test(line))
    : undefined;
  const last = (thrown ?? lines.at(-1) ?? '').slice(0, 160);
  const ended = exitCode === null ? 'ended by a signal' : `exit ${exitCode}`;
  const how = killed ? `killed: it ${killedFor ?? 'had not ended in time'}` : ended;
  return last === '' ? how : `${how}, “${last}”`;
}

/** Requests of some kinds, in the order of their arrival. */
export function ofKind(
  traffic: readonly ReceivedRequest[],
  ...kinds: readonly RequestKind[]
): readonly ReceivedRequest[] {
  return traffic.filter(({ kind }) => kinds.includes(kind));
}

/** Rewrites the text of a successful answer. */
export function changeText(change: (text: string) => string): Rule {
  return async (_ask, next) => {
    const reply = await next();
    if (!isResponse(reply) || !reply.ok) return reply;
    const headers = new Headers(reply.headers);
    headers.delete('content-length');
    return new Response(change(await reply.text()), { status: reply.status, headers });
  };
}

/** Rewrites a successful JSON answer; a member of `undefined` is left out. */
export function changeJson(change: (body: Record<string, unknown>) => unknown): Rule {
  return changeText((text) => JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)));
}

export function changeMembers(members: Readonly<Record<string, unknown>>): Rule {
  return changeJson((body) => ({ ...body, ...members }));
}

type Members = Readonly<Record<string, unknown>>;

/** Rewrites members of the claim attempt in an answer of the claim endpoint. */
export function changeAttempt(change: Members | ((attempt: Members) => Members)): Rule {
  return changeJson((body) => {
    const attempt = body['claim_attempt'] as Members;
    const members = typeof change === 'function' ? change(attempt) : change;
    return { ...body, claim_attempt: { ...attempt, ...members } };
  });
}

/** An error response with a JSON body. */
export function refusal(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const type = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}

/** Defines a scenario that judges an agent. */
export const agentScenario = scenariosOf<AgentWorld>();
