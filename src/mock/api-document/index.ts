export { documentRoute, OPENAPI_PATH } from './document-route.ts';
