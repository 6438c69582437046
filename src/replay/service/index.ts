export {
  createReplayedService,
  type ReplayedService,
  type ReplayedServiceOptions,
} from './replayed-service.ts';
