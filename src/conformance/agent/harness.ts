import type { Clock, Random, Sleep } from '../../runtime/index.ts';
import type { AgentFile, AgentJob, AgentRun } from './agent-task.ts';

/** Answers the requests of a server. Rejects with `ConnectionDropped` to close the connection instead. */
export type Handler = (request: Request) => Promise<Response>;

/** How a peer is hosted. */
export interface HostOptions {
  /** Whether it has a self-signed certificate for another name. */
  readonly untrusted?: boolean;
}

/**
 * Runs the agent and its servers for one scenario. `SystemHarness` uses loopback ports, a home folder
 * and processes; the harness of the suite's own tests has no network, no processes and no waiting.
 */
export interface Harness {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  /** Why the agent cannot be run at all. */
  readonly failure?: Error | undefined;
  /** Serves on loopback; resolves to the origin. */
  host(build: (origin: string) => Promise<Handler>, options?: HostOptions): Promise<string>;
  /** Answers plain http requests of the agent to hosts other than loopback, as far as they can be seen. */
  elsewhere(handler: Handler): Promise<void>;
  /** The hosts other than loopback that the agent wanted to reach by https, as far as they can be seen. */
  secureHosts(): readonly string[];
  /** Awaited by a handler that never answers. Rejects when the run ends. */
  silence(): Promise<never>;
  /** Kills the current run; `why` goes after “it”. */
  endRun(why: string): void;
  /** Kills the current run, and lets no other begin. */
  stop(): void;
  /** Runs the command of the agent once, to its end or its limit. */
  run(job: AgentJob): Promise<AgentRun>;
  /** Empties the agent's folders: the next run knows nothing of the earlier ones. */
  forget(): Promise<void>;
  /** Everything below the agent's home, configuration, working and temporary folders. */
  files(): Promise<readonly AgentFile[]>;
  /** Replaces a file of the agent by a symbolic link to a copy; resolves to a function that reads the copy. */
  relink(path: string): Promise<() => Promise<string>>;
  /** Writes a file into the agent's working folder; resolves to its `file:` URL. */
  plant(name: string, text: string): Promise<string>;
  /** Ends whatever still runs, and removes the folders of the agent. */
  close(): Promise<void>;
}
