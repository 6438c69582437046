/** A request at its route: as much of the router's own context as a handler needs, in our own words. */
export interface Context {
  readonly req: {
    readonly raw: Request;
    readonly method: string;
    readonly url: string;
    header(name: string): string | undefined;
    /** The first of that name. */
    query(name: string): string | undefined;
    /** A part of the path that the route's pattern names. */
    param(name: string): string | undefined;
  };
}
