export type { Recognition } from '../discovery/index.ts';
export { Agent } from './agent.ts';
export { AGENT_CODES, type ErrorKind } from './agent-codes.ts';
export {
  AgentError,
  type AgentErrorCode,
  type AgentErrorOptions,
  type AgentSurface,
  type Problem,
  type WireErrorCode,
} from './agent-error.ts';
export type * from './connect/connect-request.ts';
export type { Abortable, AgentContext, AgentSettings } from './context.ts';
export { createMemoryStore } from './credentials/memory-store.ts';
export type { CredentialStore, LockWait, ReleaseLock } from './credentials/store.ts';
export { AGENT_CLIENT_ID } from './given-client.ts';
export type * from './model.ts';
export type { NextCommand, NextStep, Step } from './next-step.ts';
export type * from './outcomes.ts';
export type * from './requests.ts';
export type { AgentOptions } from './tools.ts';
