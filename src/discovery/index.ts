export type { AnswerError, AnswerRecognition, Direction, Given } from './answer/model.ts';
export { recogniseAnswer, recogniseWriter } from './answer/recognise-answer.ts';
export { codeMeant, entryOf } from './answer/synonyms.ts';
export { countedPlace } from './checks/places.ts';
export { MEMBERS_OF_THE_PROTOCOL } from './credentials.ts';
export { credentialHeaderName } from './header-name.ts';
export * from './model.ts';
export { recognise } from './recognise.ts';
