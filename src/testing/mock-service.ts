export * from '../mock-service/index.ts';
export { createMockService, type MockServiceOptions } from './create-mock-service.ts';
