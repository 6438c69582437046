import { OPENAPI_PATH } from '../../mock/http/openapi-route.ts';
import type { ServiceConfig } from './config.ts';

/** Whether the service answers with its own OpenAPI document: a resource at that path goes first. */
export function describesItself({ resources }: Pick<ServiceConfig, 'resources'>): boolean {
  return !resources.some(({ template }) => template.matches(OPENAPI_PATH));
}
