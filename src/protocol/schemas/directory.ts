import * as z from 'zod';

const orNull = <T extends z.ZodType>(value: T) =>
  value.nullish().transform((given) => given ?? null);

/** Documented as text, served as an integer: both are taken. */
const id = orNull(
  z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]),
);

/**
 * What every answer of a service directory carries about the request. Unknown members are dropped; `method`
 * has come as an object and as an empty list, and is not read here.
 */
export const directoryMeta = z.object({
  requests: orNull(z.int()),
  /** Unix seconds. */
  timestamp: orNull(z.int()),
  status: z.int(),
  message: orNull(z.string()),
  method_id: id,
  version: orNull(z.number()),
});
/** How long the listing of a directory holds, and of when it is. */
export type DirectoryMeta = z.infer<typeof directoryMeta>;

/** The `data` of `GET /api/services.{format}`: every value can be null. */
export const directoryServices = z.array(
  z.object({
    service_id: id,
    service_name: orNull(z.string()),
    service_url: orNull(z.string()),
    methods: orNull(z.array(z.object({ method_id: id, method_url: orNull(z.string()) }))),
  }),
);
/** The listing of a directory. */
export type DirectoryServices = z.infer<typeof directoryServices>;
