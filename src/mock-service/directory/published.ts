import { z } from 'zod';
// The build inlines them: the published package has no fixtures.
import changelogAnswer from '../../../fixtures/directory/changelog.json' with { type: 'json' };
import methodsAnswer from '../../../fixtures/directory/methods.json' with { type: 'json' };
import codesAnswer from '../../../fixtures/directory/server-codes.json' with { type: 'json' };
import servicesAnswer from '../../../fixtures/directory/services.json' with { type: 'json' };
import versionsAnswer from '../../../fixtures/directory/versions.json' with { type: 'json' };

import type { CatalogService } from './catalog-rows.ts';

/** What a new directory starts with: the published catalog. */
interface PublishedDirectory {
  readonly services: readonly CatalogService[];
  readonly versions: readonly { readonly version: string; readonly releaseDate: string }[];
  readonly changelog: readonly { readonly date: string; readonly changes: readonly string[] }[];
  readonly codes: readonly { readonly code: number; readonly message: string }[];
}

/**
 * Where the specification lists another path than was published (directory specification, Catalog), by method
 * id. The published one still answers.
 */
const SPECIFIED: ReadonlyMap<number, string> = new Map([[1289, '/card.{format}']]);

const listOf = <T extends z.ZodType>(entry: T) => z.object({ data: z.array(entry).min(1) });

const servicesSchema = listOf(
  z.object({
    service_id: z.int(),
    service_name: z.string(),
    service_url: z.url(),
    methods: z.array(z.object({ method_id: z.int(), method_url: z.string() })).min(1),
  }),
);
const methodsSchema = listOf(z.object({ method_id: z.int(), parameters: z.array(z.string()) }));
const versionsSchema = listOf(z.object({ version: z.number(), release_date: z.string() }));
const changelogSchema = listOf(z.object({ date: z.string(), changes: z.array(z.string()) }));
const codesSchema = listOf(z.object({ code: z.int(), message: z.string() }));

/** @throws ZodError when the published files are not what they were. */
export function readPublished(): PublishedDirectory {
  const parameters = new Map(
    methodsSchema.parse(methodsAnswer).data.map((each) => [each.method_id, each.parameters]),
  );
  return {
    services: servicesSchema.parse(servicesAnswer).data.map((service) => ({
      id: service.service_id,
      name: service.service_name,
      url: new URL(service.service_url).pathname,
      methods: service.methods.map(({ method_id: id, method_url: template }) => ({
        id,
        template: SPECIFIED.get(id) ?? template,
        alias: SPECIFIED.has(id) ? template : null,
        parameters: parameters.get(id) ?? [],
      })),
    })),
    versions: versionsSchema.parse(versionsAnswer).data.map((each) => ({
      version: String(each.version),
      releaseDate: each.release_date,
    })),
    changelog: changelogSchema.parse(changelogAnswer).data,
    codes: codesSchema.parse(codesAnswer).data,
  };
}
