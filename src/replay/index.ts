export { type ReplayedAgentOptions, type ReplayedStep, replayAgent } from './agent/index.ts';
export type { Difference } from './match/index.ts';
export { MAX_TRANSCRIPT, readTranscript, TranscriptError } from './recording/index.ts';
export {
  createReplayedService,
  type ReplayedService,
  type ReplayedServiceOptions,
} from './service/index.ts';
