export * from './model.ts';
export { recognise } from './recognise.ts';
