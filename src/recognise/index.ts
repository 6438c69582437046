export type { AnswerError, AnswerRecognition, Direction, Given } from './answer/model.ts';
export { recogniseAnswer } from './answer/recognise-answer.ts';
export { canonicalCode } from './answer/synonyms.ts';
export * from './model.ts';
export { recognise } from './recognise.ts';
