export { type Difference, NOTHING } from './difference.ts';
export { type LiveRequest, liveRequest } from './live-request.ts';
export { type MatchedRequest, matchRequest, targetOf } from './match-request.ts';
export { type Bind, matchText } from './match-text.ts';
export { type Comparison, isJwt, matchValue, shown } from './match-value.ts';
export { withoutOrigins } from './without-origins.ts';
