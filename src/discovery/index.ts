export type { AnswerError, AnswerRecognition, Direction, Given } from './answer/model.ts';
export { recogniseAnswer, recogniseWriter } from './answer/recognise-answer.ts';
export { codeMeant, entryOf } from './answer/synonyms.ts';
export { credentialHeaderName, MEMBERS_OF_THE_PROTOCOL } from './credentials.ts';
export * from './model.ts';
export { recognise } from './recognise.ts';
export type { Recognition } from './recognition.ts';
export type { Defect } from './rules/find-defects.ts';
export { countedPlace } from './rules/places.ts';
