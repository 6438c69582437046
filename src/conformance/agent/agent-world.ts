import type { IdentityType } from '../../protocol/index.ts';
import type { Invented } from '../engine/invented.ts';
import { CannotTest, NotApplicable } from '../engine/judge.ts';
import type { Recorder } from '../http/recorder.ts';
import { type AgentRun, type AgentTask, type AgentTaskContext, DECLINED } from './agent-task.ts';
import type { Harness } from './harness.ts';
import { Peer, type Rule, type Scene } from './peer.ts';
import type { Kind, Seen } from './seen.ts';
import {
  classifyStranger,
  type PlayedService,
  type ProviderPeer,
  playProvider,
  playService,
  type ServicePeer,
} from './service-peer.ts';

export interface RunFacts {
  readonly service: Pick<ServicePeer, 'origin' | 'resource'>;
  readonly type?: IdentityType;
  /** Default: that of the service. */
  readonly resource?: string;
  readonly provider?: string;
  readonly agrees?: boolean;
  readonly browser?: boolean;
  /** Milliseconds; never more than what the whole run was given. */
  readonly limit?: number;
}

/** A run and what the agent did in it. */
export interface Played extends AgentRun {
  readonly ok: boolean;
  /** stdout and stderr, one after the other. */
  readonly output: string;
  /** What was seen from the beginning of this run to its end. */
  readonly traffic: readonly Seen[];
}

export interface AgentWorldFacts {
  readonly scenario: string;
  /** Milliseconds. */
  readonly limit: number;
  readonly invented: Invented;
}

/** What an agent's scenario works with: servers of its own, a machine of its own, and the agent. */
export class AgentWorld implements Scene {
  readonly stage: Harness;
  readonly recorder: Recorder;
  readonly traffic: Seen[] = [];
  /** Names and values that are made up. */
  readonly invented: Invented;
  readonly email: string;
  readonly #scenario: string;
  readonly #limit: number;
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(stage: Harness, recorder: Recorder, facts: AgentWorldFacts) {
    this.stage = stage;
    this.recorder = recorder;
    this.invented = facts.invented;
    this.email = facts.invented.email();
    this.#scenario = facts.scenario;
    this.#limit = facts.limit;
  }

  service(options: PlayedService = {}): Promise<ServicePeer> {
    return playService(this, options, (close) => this.#closing.push(close));
  }

  provider(options: { readonly idJag?: number } = {}): Promise<ProviderPeer> {
    const { email } = this;
    return playProvider(this, { email, ...options }, (close) => this.#closing.push(close));
  }

  /** A server that has no part in the story. What it is asked at all is what matters. */
  async stranger(name = 'stranger', options: { untrusted?: boolean } = {}): Promise<Stranger> {
    const peer = this.#stranger(name);
    const origin = await this.stage.host(async () => peer.handle, options);
    return Object.assign(peer, { origin });
  }

  /** Everything that is no loopback address, where the agent can be led there. */
  async elsewhere(): Promise<Peer> {
    const peer = this.#stranger('elsewhere');
    await this.stage.elsewhere(peer.handle);
    return peer;
  }

  #stranger(name: string): Peer {
    return new Peer(name, this, async () => new Response(null, { status: 404 }), classifyStranger);
  }

  /** Runs the agent once. @throws NotApplicable when its adapter declines the task. */
  async run(task: AgentTask, facts: RunFacts): Promise<Played> {
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
      person_agrees: facts.agrees ?? false,
      open_browser: facts.browser ?? false,
      timeout_seconds: Math.floor(limit / 1000),
    };
    const before = this.traffic.length;
    const run = await this.stage.run({
      variables: {
        AGENT_AUTH_SERVICE: service.origin,
        AGENT_AUTH_SCENARIO: this.#scenario,
        AGENT_AUTH_CONTEXT: JSON.stringify(context),
      },
      limit,
      browser: facts.browser ?? false,
    });
    const traffic = this.traffic.slice(before);
    if (run.exitCode === DECLINED) {
      throw new NotApplicable(`The adapter says that its agent does not do this (task ${task}).`);
    }
    const output = `${run.stdout}\n${run.stderr}`;
    return { ...run, ok: run.exitCode === 0, output, traffic };
  }

  /** Runs it where it has to go well for the rest to make sense. @throws CannotTest */
  async mustRun(task: AgentTask, facts: RunFacts): Promise<Played> {
    const played = await this.run(task, facts);
    if (!played.ok) throw new CannotTest(`The task ${task} did not succeed: ${ending(played)}.`);
    return played;
  }

  /** Every secret that a peer has given out, by the member that held it. */
  secrets(): readonly { readonly name: string; readonly value: string }[] {
    const found = new Map<string, string>();
    for (const { answered } of this.traffic) {
      for (const name of SECRETS) {
        const value = answered?.[name];
        if (typeof value === 'string' && value.length >= 16) found.set(value, name);
      }
    }
    return [...found].map(([value, name]) => ({ name, value }));
  }

  async close(): Promise<void> {
    await this.stage.close();
    for (const close of this.#closing) await close();
  }
}

const SECRETS = ['access_token', 'identity_assertion', 'claim_token', 'id_token', 'device_code'];

export type Stranger = Peer & { readonly origin: string };

/** How a run ended, for sentences of a report. */
export function ending({ exitCode, killed, stderr }: AgentRun): string {
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 160) ?? '';
  const how = killed ? 'it was ended by force' : `exit ${exitCode ?? 'by a signal'}`;
  return last === '' ? how : `${how}, “${last}”`;
}

/** Requests of some kinds, in the order of their arrival. */
export function ofKind(traffic: readonly Seen[], ...kinds: readonly Kind[]): readonly Seen[] {
  return traffic.filter(({ kind }) => kinds.includes(kind));
}

/** Changes the members of a JSON answer; `undefined` takes one out. */
export function spoil(change: (body: Record<string, unknown>) => unknown): Rule {
  return async (_ask, next) => {
    const reply = await next();
    if (!(reply instanceof Response) || !reply.ok) return reply;
    const body = (await reply.json()) as Record<string, unknown>;
    const headers = new Headers(reply.headers);
    headers.delete('content-length');
    return new Response(JSON.stringify(change(body)), { status: reply.status, headers });
  };
}

export function spoilMembers(members: Readonly<Record<string, unknown>>): Rule {
  return spoil((body) => ({ ...body, ...members }));
}

/** An error of OAuth, in whatever shape. */
export function refusal(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const type = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}
