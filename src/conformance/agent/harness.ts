import type { Clock, Random, Sleep } from '../../runtime/index.ts';
import type { AgentFile, AgentJob, AgentRun } from './agent-task.ts';

/** What a server of the stage answers. Rejects with a `ConnectionDropped` to say nothing at all. */
export type Handler = (request: Request) => Promise<Response>;

export interface HostOptions {
  /** Behind a certificate that nobody has a reason to trust. */
  readonly untrusted?: boolean;
}

/**
 * Where one scenario is played: servers on loopback, a machine of the agent's own, and the agent. The
 * real one is `SystemHarness`; the suite's own tests have one without network, processes and waiting.
 */
export interface Harness {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  /** Why nothing can be judged at all. */
  readonly failure?: Error | undefined;
  /** Serves on loopback; resolves to the origin. */
  host(build: (origin: string) => Promise<Handler>, options?: HostOptions): Promise<string>;
  /** Serves every plain http address that is not on loopback, as far as the agent can be led there. */
  elsewhere(handler: Handler): Promise<void>;
  /** What a handler awaits to never answer. Rejects when the run is over. */
  silence(): Promise<never>;
  /** Ends the run that is under way. */
  stop(): void;
  run(job: AgentJob): Promise<AgentRun>;
  /** Everything below the agent's home, configuration, working and temporary folders. */
  files(): Promise<readonly AgentFile[]>;
  /** Replaces a file of the agent by a symbolic link to a copy; resolves to a reader of that copy. */
  relink(path: string): Promise<() => Promise<string>>;
  /** A file in the agent's working folder; resolves to its `file:` address. */
  plant(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}
