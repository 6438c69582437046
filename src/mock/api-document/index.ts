export { documentRoute, OPENAPI_PATH } from './document-route.ts';
export {
  type Operation,
  pathParameter,
  queryParameter,
  type SampleAnswer,
  type SampleBody,
} from './operation.ts';
export { browserSession, htmlPage, PageOperations } from './page-operations.ts';
export { refusal, refusals, unavailable, unreadable } from './sample-answers.ts';
export { SAMPLE_TIME, sampleJwt, sampleKeySet, sampleToken } from './sample-values.ts';
export { writeApiDocument } from './write-document.ts';
