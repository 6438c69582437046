export { newValue } from './new-values.ts';
export { ReplayKeys } from './replay-keys.ts';
export { type Writing, writeBody, writeText } from './write-body.ts';
export { writeResponse } from './write-response.ts';
