import type { Options } from './command.ts';

/** `client-id` as commander names it. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The long name in flags: `request` of `-X, --request <method>`. */
type Long<Flags> = Flags extends `${string}--${infer Name} ${string}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? Name
    : never;

type Key<Flags> = Camel<Bare<Long<Flags>>>;
type Bare<Name> = Name extends `no-${infer Off}` ? Off : Name;

/** The keys of what can be switched on, beside those that can only be switched off. */
type On<Table> = {
  [Flags in keyof Table]: Long<Flags> extends `no-${string}` ? never : Key<Flags>;
}[keyof Table];

/** What is read of a value that was typed. */
type Read<Row> = Row extends readonly [string, infer By, ...unknown[]]
  ? By extends (...typed: never[]) => infer Value
    ? Value
    : By extends readonly (infer Choice)[]
      ? Choice
      : string
  : string;

type Value<Table, Flags> = Flags extends keyof Table
  ? Long<Flags> extends `no-${string}`
    ? false | (Key<Flags> extends On<Table> ? never : true)
    : Flags extends `${string}<${string}`
      ? Read<Table[Flags]>
      : true | (Flags extends `${string}[${string}` ? Read<Table[Flags]> : never)
  : never;

/** The options that have a value though nobody typed it: by default, or `true` without `--no-…`. */
type Always<Table> = {
  [Flags in keyof Table]: Long<Flags> extends `no-${string}`
    ? Key<Flags> extends On<Table>
      ? never
      : Flags
    : Table[Flags] extends readonly [string, unknown, infer Standard, ...unknown[]]
      ? undefined extends Standard
        ? never
        : Flags
      : never;
}[keyof Table];

/** What a command is given for its options, as their table says. */
export type Given<Table extends Options> = {
  readonly [Flags in keyof Table as Key<Extract<Flags, Always<Table>>>]: Value<Table, Flags>;
} & {
  readonly [Flags in keyof Table as Key<Exclude<Flags, Always<Table>>>]?: Value<Table, Flags>;
};
