export { MAX_TRANSCRIPT, readTranscript, TranscriptError } from './recording/index.ts';
export {
  createReplayedService,
  type ReplayedService,
  type ReplayedServiceOptions,
} from './service/index.ts';
