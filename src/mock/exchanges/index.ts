export { recordExchanges } from './record-exchanges.ts';
