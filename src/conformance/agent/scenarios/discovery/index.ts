import { largeAnswers } from './large-answers.ts';
import { challenges, issuerPath, newMetadata } from './places.ts';
import { foreignEndpoints, wrongIssuer, wrongResource } from './refusals.ts';
import { certificate, oddMetadata, plainHttp, redirectedMetadata } from './transport.ts';

export const DISCOVERY_SCENARIOS = [
  challenges,
  issuerPath,
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
