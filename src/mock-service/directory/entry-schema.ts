import { z } from 'zod';
import { clashOf, idRule, methodUrlRule, nameRule, serviceUrlRule } from './entry-rules.ts';

/**
 * The services of a directory as they are configured and set. The messages are those of a configuration
 * file, which adds line and column.
 */

function value<T>(rule: (given: unknown) => string | undefined) {
  return z
    .custom<T>((given) => given === null || rule(given) === undefined, {
      error: ({ input }) => rule(input),
    })
    .optional();
}

const members = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `known keys: ${Object.keys(shape).join(', ')}`
        : 'expected keys and values',
  });

const method = members({
  method_id: value<number | null>(idRule),
  method_url: value<string | null>(methodUrlRule),
});

export const directoryService = members({
  service_id: value<number | null>(idRule),
  service_name: value<string | null>(nameRule),
  service_url: value<string | null>(serviceUrlRule),
  methods: z.array(method, { error: 'expected null or a list of methods' }).nullish(),
});

export const directoryOption = members({
  services: z
    .array(directoryService, { error: 'expected a list of services' })
    .superRefine((services, context) => {
      for (const [at, service] of services.entries()) {
        const clash = clashOf(service, services.slice(0, at));
        if (clash === undefined) continue;
        context.addIssue({ code: 'custom', path: [at, ...clash.path], message: clash.message });
      }
    }),
});
