export { type ReplayedAgentOptions, type ReplayedStep, replayAgent } from './replay-agent.ts';
