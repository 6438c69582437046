import type { IdentityType } from '../../protocol/index.ts';

/** What an agent can be asked to do. A closed set: `docs/conformance-agent.md` says it for adapter writers. */
export const AGENT_TASKS = {
  call: 'Have an access token, registering as `type` says where that is needed, and GET `resource` with it.',
  begin:
    'Register as `type` says, open a claim for `email`, show its code and its page, and end at once.',
  claim:
    'Register as `type` says where that is needed, let `email` claim the registration, wait for that, and GET `resource`.',
  resume: 'Go on with the claim that an earlier run began, and GET `resource`.',
  leave: 'Revoke the access token of an earlier run and forget the registration.',
  skill: 'Show the skill file of the service to the person.',
  directory: 'Read the directory at `resource` and show its services.',
} as const;

export type AgentTask = keyof typeof AGENT_TASKS;

/** What an adapter exits with for a task that its agent has no way to do. */
export const DECLINED = 77;

/** `AGENT_AUTH_CONTEXT`, as JSON. Later versions may add members. */
export interface AgentTaskContext {
  readonly schema: 'agent-auth.conformance-agent/1';
  readonly scenario: string;
  readonly task: AgentTask;
  /** The service's base address; also `AGENT_AUTH_SERVICE`. */
  readonly service: string;
  /** The protected address that is wanted. */
  readonly resource: string;
  readonly type: IdentityType;
  /** The person whom the agent works for. */
  readonly email: string;
  /** The issuer of the provider that mints; with `type` `identity_assertion` alone. */
  readonly provider?: string;
  /** Whether the person says yes when the agent asks something while it works. */
  readonly person_agrees: boolean;
  /** Whether the agent shall open pages in the browser by itself, where it can. */
  readonly open_browser: boolean;
  /** The run is ended by force after this time. */
  readonly timeout_seconds: number;
}

/** One run of the agent. */
export interface AgentJob {
  /** The environment variables of the contract. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds; then it is killed. */
  readonly limit: number;
  /** Whether it may think that somebody sees a browser here. */
  readonly browser: boolean;
}

/** What a run came to, as a person and the machine see it. */
export interface AgentRun {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** It did not end by itself in time, or it sent requests without end. */
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The arguments of every process of the run that was seen; undefined where they cannot be seen. */
  readonly argv: readonly (readonly string[])[] | undefined;
  /** What was handed to a browser. */
  readonly opened: readonly string[];
}

/** A file that the agent left behind. */
export interface AgentFile {
  /** Below the folder of the run. */
  readonly path: string;
  /** The permission bits. */
  readonly mode: number;
  /** In a folder of the agent's making that nobody else can enter. */
  readonly sheltered?: boolean;
  readonly text: string;
}
