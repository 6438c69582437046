import { z } from 'zod';
import {
  RESOURCE_METHODS,
  type ResourceOptions,
  readResource,
  resourceKey,
} from '../../../../mock-service/config/resource.ts';
import { displayText } from '../../../../protocol/text.ts';
import { flag, list, map, name, text } from './config-values.ts';

const shape = map({
  path: text('a path like /v1/orders/{id}'),
  method: name('method', RESOURCE_METHODS).optional(),
  scope: text('scopes, separated by spaces').optional(),
  open: flag().optional(),
  status: z.int({ error: 'expected a number from 200 to 299' }).optional(),
  body: z.unknown().optional(),
  content_type: text('a media type like text/plain').optional(),
});

/** Read as the mock will read it. */
const resource = shape.superRefine((given, context) => {
  const read = readResource(resourceOptions(given));
  if (typeof read !== 'string') return;
  const which = displayText(`${given.method ?? 'GET'} ${given.path}`, 100);
  context.addIssue({ code: 'custom', message: `${which}: ${read}` });
});

/** The key `resources`. */
export function resources() {
  return list(resource).superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [at, each] of given.entries()) {
      const read = readResource(resourceOptions(each));
      if (typeof read === 'string') continue;
      const key = resourceKey(read);
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: [at], message: `${key} is there twice` });
      seen.add(key);
    }
  });
}

/** The option for an entry of the file. */
export function resourceOptions({
  content_type: contentType,
  method,
  open,
  scope,
  status,
  ...given
}: z.infer<typeof shape>): ResourceOptions {
  return {
    ...given,
    ...(method !== undefined && { method }),
    ...(scope !== undefined && { scope }),
    ...(open !== undefined && { open }),
    ...(status !== undefined && { status }),
    ...(contentType !== undefined && { contentType }),
  };
}
