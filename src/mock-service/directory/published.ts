// The build inlines them: the published package has no fixtures.
import changelog from '../../../fixtures/directory/changelog.json' with { type: 'json' };
import codes from '../../../fixtures/directory/server-codes.json' with { type: 'json' };
import services from '../../../fixtures/directory/services.json' with { type: 'json' };
import versions from '../../../fixtures/directory/versions.json' with { type: 'json' };

import type { DirectoryService } from '../config/directory.ts';

/** `data` of `/api/changelog` and `/api/versions`, newest first, and of `/server/codes`. */
export const PUBLISHED = { changelog: changelog.data, codes: codes.data, versions: versions.data };

/**
 * Where the specification lists another path than was published (directory specification, Catalog), by
 * the published one, which still answers.
 */
export const SPECIFIED: ReadonlyMap<string, string> = new Map([
  ['v2/foodservices/watcard', 'v2/foodservices/card'],
]);

export const PUBLISHED_SERVICES: readonly DirectoryService[] = services.data.map((service) => ({
  ...service,
  service_url: new URL(service.service_url).pathname,
  methods: service.methods.map((method) => ({
    ...method,
    method_url: method.method_id === 1289 ? '/card.{format}' : method.method_url,
  })),
}));
