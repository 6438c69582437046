export { BadCommand } from './agent/agent-command.ts';
export {
  AGENT_TASKS,
  type AgentFile,
  type AgentJob,
  type AgentRun,
  type AgentTask,
  type AgentTaskContext,
  DECLINED,
} from './agent/agent-task.ts';
export type { AgentWorld } from './agent/agent-world.ts';
export type { Handler, Harness, HostOptions } from './agent/harness.ts';
export { type JudgeAgentOptions, judgeAgent } from './agent/judge-agent.ts';
export { AGENT_SCENARIOS } from './agent/scenarios/index.ts';
export { SystemHarness, type SystemHarnessOptions } from './agent/system-harness.ts';
export { ALL_SCENARIOS, type ScenarioOutline } from './all-scenarios.ts';
export { Catalog } from './engine/catalog.ts';
export { drawSeed } from './engine/invented.ts';
export * from './engine/model.ts';
export type { Requirement } from './engine/read-requirements.ts';
export { readRequirements } from './engine/read-requirements.ts';
export type { Progress } from './engine/runner.ts';
export { checkIds, type Scenario } from './engine/scenario.ts';
export type { Selection } from './engine/selection.ts';
export { type SourceLink, sourceLink } from './engine/source-link.ts';
export type { Exchange, ShownToken } from './http/recorder.ts';
export type { JudgedRequirement, PassiveRule } from './passive/passive-rule.ts';
export { PASSIVE_RULES, TrafficJudge } from './passive/traffic-judge.ts';
export { type JudgeProviderOptions, judgeProvider } from './provider/judge-provider.ts';
export {
  type MockProviderTarget,
  type MockProviderTargetOptions,
  startMockProviderTarget,
} from './provider/mock-provider-target.ts';
export { PROVIDER_SCENARIOS } from './provider/scenarios/index.ts';
export { type JudgeServiceOptions, judgeService } from './service/judge-service.ts';
export { type MockTarget, type MockTargetOptions, startMockTarget } from './service/mock-target.ts';
export { SERVICE_SCENARIOS } from './service/scenarios/index.ts';
export type { WriteRequest } from './service/write-request.ts';
export { BadTarget } from './target/bad-target.ts';
export type { ControlUrl } from './target/http-control.ts';
export { BrowserUser, type BrowserUserOptions } from './user/browser-user.ts';
export { CommandUser, type CommandUserOptions } from './user/command-user.ts';
export { ManualUser, type ManualUserOptions } from './user/manual-user.ts';
export type { ClaimReport, ClaimTask, User, UserTerminal } from './user/user.ts';
export type { AccountsGiven } from './user/users-of.ts';
