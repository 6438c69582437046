import type { IdentityType } from '../../protocol/index.ts';

/** The tasks of the adapter contract. `docs/conformance-agent.md` explains them to adapter writers. */
export const AGENT_TASKS = {
  call: 'Get an access token, registering by `type` if needed, and GET `resource` with it.',
  begin: 'Register by `type`, open a claim for `email`, show its code and its page, and exit.',
  claim:
    'Register by `type` if needed, let `email` claim the registration, wait for the claim, and GET `resource`.',
  resume: 'Resume the claim of an earlier run, and GET `resource`.',
  leave: 'Revoke the access token of an earlier run and forget the registration.',
  skill: 'Show the skill file of the service to the user.',
  directory: 'Read the directory at `resource` and show its services.',
  connect:
    'Sign `email` in at `provider`, get an ID-JAG for `resource`, redeem it at its server, and POST the `initialize` of MCP to `resource` with the token.',
} as const;

/** A task that an adapter is given: a key of {@link AGENT_TASKS}. */
export type AgentTask = keyof typeof AGENT_TASKS;

/** The `client_id` of every agent at the provider of the suite. */
export const AGENT_CLIENT_ID = 'agent-auth';

/** The exit code of an adapter for a task that its agent does not support. */
export const DECLINED = 77;

/** The hint for a command that sends nothing. */
export const READS_ITS_TASK =
  'The command has to read its task from AGENT_AUTH_CONTEXT: docs/conformance-agent.md.';

/** `AGENT_AUTH_CONTEXT`, as JSON. Later versions may add members. */
export interface AgentTaskContext {
  /** The form of this object. */
  readonly schema: 'agent-auth.conformance-agent/1';
  /** The scenario that asks, for logs. */
  readonly scenario: string;
  /** What the agent has to do. */
  readonly task: AgentTask;
  /** The service's base URL; also `AGENT_AUTH_SERVICE`. */
  readonly service: string;
  /** The URL of the protected resource. */
  readonly resource: string;
  /** How it registers, where it has to. */
  readonly type: IdentityType;
  /** The email of the agent's user. */
  readonly email: string;
  /** The issuer of the provider that mints the ID-JAG; for `type` `identity_assertion` and for `connect` only. */
  readonly provider?: string;
  /** What the agent is called at the provider, a public client; with `provider`, but for `connect`. */
  readonly client_id?: string;
  /** The client at the provider, for `connect` only. */
  readonly client_at_provider?: TaskClient;
  /** The client at the server of the resource, for `connect` only. */
  readonly client_at_service?: TaskClient;
  /** Whether the user says yes to the agent's questions. */
  readonly person_agrees: boolean;
  /** Whether the agent should open pages in the browser, where it can. */
  readonly open_browser: boolean;
  /** The run is killed after this time. */
  readonly timeout_seconds: number;
}

/** A client of the agent, and its credentials: for one server alone. */
export interface TaskClient {
  /** The server that knows it. */
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** What one run of the agent is given. */
export interface AgentJob {
  /** The environment variables of the contract. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds; then it is killed. */
  readonly limit: number;
  /** Whether the environment looks as if it had a browser. */
  readonly browser: boolean;
  /**
   * What the user's browser does with a page that the agent hands to it: resolves to where on this machine it is led
   * at last, which the harness then requests.
   */
  readonly browse?: ((url: string) => Promise<string | undefined>) | undefined;
}

/** The result of a run. */
export interface AgentRun {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** Whether it was killed: it ran into its limit, or printed or sent too much. */
  readonly killed: boolean;
  /** Why it was killed; goes after “it”. */
  readonly killedFor?: string | undefined;
  /** Whether it was killed because its time was over. */
  readonly timedOut?: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The arguments of every process of the run; undefined where the system does not show them. */
  readonly argv: readonly (readonly string[])[] | undefined;
  /** What was handed to a browser. */
  readonly opened: readonly string[];
}

/** A file that the agent wrote. */
export interface AgentFile {
  /** Relative to the folder of the run. */
  readonly path: string;
  /** The permission bits. */
  readonly mode: number;
  /** Whether it is in a folder of the agent that only its owner can enter. */
  readonly sheltered?: boolean;
  readonly text: string;
}
