export { directoryEnvelope } from './answer.ts';
export {
  type ListedMethod,
  type ListedService,
  listServices,
  readCatalog,
  toListed,
} from './catalog.ts';
export {
  addService,
  type Change,
  changeCatalog,
  removeService,
  type ServiceKey,
  setService,
} from './change-catalog.ts';
export { readDirectoryService, resolveDirectory } from './entries.ts';
export { CATALOG_ROOT, isDirectoryPath } from './path.ts';
export { directoryRoutes } from './routes.ts';
