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
export { type JudgeAgentOptions, judgeAgent } from './agent/judge-agent.ts';
export type { Handler, HostOptions, Stage } from './agent/stage.ts';
export { SystemStage, type SystemStageOptions } from './agent/system-stage.ts';
export { ALL_SCENARIOS, type ScenarioOutline } from './all-scenarios.ts';
export { drawSeed } from './invented.ts';
export * from './model.ts';
export { BrowserPerson, type BrowserPersonOptions } from './person/browser-person.ts';
export { CommandPerson, type CommandPersonOptions } from './person/command-person.ts';
export { ManualPerson, type ManualPersonOptions } from './person/manual-person.ts';
export type { ClaimReport, ClaimTask, Person, PersonDesk } from './person/person.ts';
export { type JudgeProviderOptions, judgeProvider } from './provider/judge-provider.ts';
export {
  type MockProviderTarget,
  startMockProviderTarget,
} from './provider/mock-provider-target.ts';
export { Catalog } from './requirements/catalog.ts';
export { readRequirements } from './requirements/read-requirements.ts';
export type { Requirement } from './requirements/requirement.ts';
export type { Progress } from './run-scenarios.ts';
export { checkIds, type Scenario } from './scenario.ts';
export { AGENT_SCENARIOS } from './scenarios/agent/index.ts';
export { PROVIDER_SCENARIOS } from './scenarios/provider/index.ts';
export { SERVICE_SCENARIOS } from './scenarios/service/index.ts';
export type { Selection } from './selection.ts';
export { BadTarget } from './service/connect.ts';
export { type JudgeServiceOptions, judgeService } from './service/judge-service.ts';
export { type MockTarget, startMockTarget } from './service/mock-target.ts';
