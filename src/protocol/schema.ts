/** What a value is not, and where in it. */
export interface SchemaIssue {
  /** Where it is: the members that lead to it. */
  readonly path: readonly PropertyKey[];
  /** What is wrong there. */
  readonly message: string;
}

/** A shape of the wire, as far as its reader needs it: what checks a value, and gives it its type. */
export interface Schema<T> {
  /** @throws an error with `issues`. */
  parse(value: unknown): T;
  /** The same without throwing: `success` tells whether `data` or `error` is there. */
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}

/** The type that a schema gives. */
export type Infer<S> = S extends Schema<infer T> ? T : never;
