export {
  type BodyState,
  DEFAULT_KEPT,
  type Exchange,
  type ExchangeMessage,
  type ExchangeNote,
  MAX_KEPT_BYTES,
  MOST_KEPT,
  REDEMPTION_REFUSED,
  type Receiver,
} from './exchange.ts';
export { exchangeJson, readExchange } from './exchange-json.ts';
export {
  ExchangeLog,
  type ExchangePage,
  type ExchangeQuery,
  exchangeLog,
  type Recorded,
} from './exchange-log.ts';
export { ACTORS, type Actor, type Explained } from './explain/explained.ts';
export { Explainer } from './explain/explainer.ts';
export { noteText } from './explain/note-text.ts';
export { STEPS, type Step } from './explain/step.ts';
export { type Finding, mistakeOf } from './finding.ts';
export type { RecordedTime } from './recorded-times.ts';
export { Redactor } from './redactor.ts';
export { isSecretName } from './secret-names.ts';
export { NO_BODY, SeenBody } from './seen-body.ts';
export { showBody } from './show-body.ts';
export {
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
  transcript,
} from './transcript.ts';
