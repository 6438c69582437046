import type { OpenapiResources } from './openapi-resources.ts';

/**
 * The resources that an OpenAPI description lists (3.0, 3.1, 3.2), with their scopes and the examples of
 * their first success. No other file and no URL is read.
 * @param text JSON or YAML, up to 8 MiB.
 * @throws TypeError for a text that is no such description, and for one of which nothing is left.
 */
export async function resourcesFromOpenapi(text: string): Promise<OpenapiResources> {
  // Its packages are large, and most mocks have no description.
  const { readDescription } = await import('./read-description.ts');
  return readDescription(text);
}
