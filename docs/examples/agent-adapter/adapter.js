#!/usr/bin/env node
// The adapter: reads one task of `agent-auth conformance agent` and has the agent beside it do it.
// The contract is docs/conformance-agent.md. Run it with: agent-auth conformance agent -- node adapter.js
import { Agent } from './agent.js';

const DONE = 0;
const FAILED = 1;
const DECLINED = 77;

/** @typedef {{ task: string, service: string, resource: string, type: string, email: string, provider?: string, client_id?: string, person_agrees: boolean, open_browser: boolean, timeout_seconds: number }} Context */

/** @type {Context} */
const context = JSON.parse(process.env['AGENT_AUTH_CONTEXT'] ?? '{}');
const agent = new Agent(context);

/** @type {Record<string, () => Promise<void>>} */
const TASKS = {
  call: async () => {
    if (!agent.isRegistered) await agent.register();
    await agent.call();
  },
  begin: async () => {
    if (!agent.isRegistered) await agent.register();
    if (!agent.hasOpenClaim) await agent.openClaim();
  },
  claim: async () => {
    if (!agent.isRegistered) await agent.register();
    if (!agent.hasOpenClaim) await agent.openClaim();
    await agent.waitForClaim();
    await agent.call();
  },
  resume: async () => {
    await agent.waitForClaim();
    await agent.call();
  },
  leave: () => agent.leave(),
  skill: () => agent.showSkill(),
  directory: () => agent.showDirectory(),
};

const task = TASKS[context.task];
if (task === undefined) process.exit(DECLINED);
try {
  await task();
  process.exitCode = DONE;
} catch (error) {
  agent.warn(error instanceof Error ? error.message : String(error));
  process.exitCode = FAILED;
}
