import type { ResourceOptions } from '../config/resource.ts';

/** What a mock service protects of an API that an OpenAPI description lists. */
export interface OpenapiResources {
  /** For the option `resources` of a mock service. */
  readonly resources: readonly ResourceOptions[];
  /** What is left out or served in another way, as sentences; for whoever gave the description. */
  readonly remarks: readonly string[];
}
