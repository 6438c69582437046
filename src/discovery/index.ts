export { type AnswerRecognition, type Direction, recogniseAnswer } from './answer.ts';
export { credentialHeaderName, MEMBERS_OF_THE_PROTOCOL } from './credentials.ts';
export { kindOf } from './document.ts';
export * from './model.ts';
export { recognise } from './recognise.ts';
export type { Recognition } from './recognition.ts';
export type { Defect } from './rules/find-defects.ts';
export { countedPlace } from './rules/places.ts';
export { codeMeant, entryOf } from './synonyms.ts';
