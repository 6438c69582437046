import { largeAnswers } from './large-answers.ts';
import { challenges, issuerPath, newMetadata, severalServers } from './places.ts';
import { foreignEndpoints, wrongIssuer, wrongResource } from './refusals.ts';
import { certificate, oddMetadata, plainHttp, redirectedMetadata } from './transport.ts';

export const DISCOVERY_SCENARIOS = [
  challenges,
  issuerPath,
  severalServers,
  newMetadata,
  wrongResource,
  wrongIssuer,
  foreignEndpoints,
  plainHttp,
  redirectedMetadata,
  certificate,
  oddMetadata,
  largeAnswers,
] as const;
