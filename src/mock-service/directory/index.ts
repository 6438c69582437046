export { CATALOG_ROOT, isDirectoryPath } from './address.ts';
export { directoryEnvelope } from './envelope.ts';
export { directoryRoutes } from './routes.ts';
export { DIRECTORY_MIGRATIONS } from './schema.ts';
export { resetDirectory, seedDirectory } from './seed.ts';
