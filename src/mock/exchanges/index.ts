export type { BodyState, Exchange, ExchangeMessage, ExchangeMock } from './exchange.ts';
export { exchangeJson, readExchange } from './exchange-json.ts';
export {
  ExchangeLog,
  type ExchangePage,
  type ExchangeQuery,
  exchangeLog,
} from './exchange-log.ts';
export { recordExchanges } from './record-exchanges.ts';
export {
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
  transcript,
} from './transcript.ts';
