export { CALLBACK_RULES, type CallbackRules } from './callback.ts';
export { directoryEnvelope } from './envelope.ts';
export { countRequest } from './request-counter.ts';
export { directoryRoutes } from './routes.ts';
export { DIRECTORY_MIGRATIONS } from './schema.ts';
export { resetDirectory, seedDirectory } from './seed.ts';
export { CATALOG_ROOT, isDirectoryPath } from './url.ts';
